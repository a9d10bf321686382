// Providers of a state: defined, changed and deleted as by their own operations. The whole configuration is
// meant; a credential that is left out stays.

import { isDeepStrictEqual } from 'node:util';
import type { ClientCredential } from '../../domain/client-credential.ts';
import { newId } from '../../domain/id.ts';
import type { DefinitionConfig, ProviderDefinition } from '../../domain/provider-definition.ts';
import { constantTimeEqual } from '../../domain/secret.ts';
import type { StateField, StateProvider } from '../../wire/state.ts';
import { recordedChange } from '../change-note.ts';
import { checkIfMatch, etagOf } from '../etag.ts';
import { inputRefused } from '../input-fault.ts';
import { givenCredential } from '../providers/credential.ts';
import { parseNewProviderName, parseProviderConfig } from '../providers/input.ts';
import { changed } from '../providers/modify.ts';
import type { NamedProvider } from '../shares/settings.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { differences, distinct, inGroups, judged, type Planning } from './planning.ts';
import { mayChange } from './sections.ts';
import { providerState } from './view.ts';
import { credentialNames, providerCreated, providerDeleted, providerModified } from '../providers/note.ts';

/** The providers that shares may name when all is done. */
export async function planProviders(planning: Planning): Promise<readonly NamedProvider[]> {
  const { deps, caller, snapshot, state, found, prune } = planning;
  const usable = deps.settings().providersOf(caller.accountId);
  if (state.providers === undefined || snapshot.providers === null) return usable;
  const said = state.providers;
  distinct(found, 'providers', { items: said, field: 'name', nameOf: ({ name }) => name });
  const there = new Map(snapshot.providers.map((definition) => [definition.name, definition]));
  await inGroups(said, (provider, index) =>
    judged(found, `state.providers.${index}`, async () => {
      const definition = there.get(provider.name);
      if (definition === undefined) await planNew(planning, provider);
      else await planChange(planning, provider, definition);
    }),
  );
  const names = new Set(said.map(({ name }) => name));
  const gone = snapshot.providers.filter(({ name }) => !names.has(name));
  for (const definition of gone)
    if (prune) planDeletion(planning, definition);
    else found.kept.push({ kind: 'provider', name: definition.name });
  const removed = new Set(prune ? gone.map(({ name }) => name) : []);
  const { accountId } = caller;
  return [
    ...usable.filter((each) => each.accountId === null),
    ...[...new Set([...there.keys(), ...names])]
      .filter((name) => !removed.has(name))
      .map((name) => ({ name, accountId })),
  ];
}

async function planNew({ deps, caller, found }: Planning, { name, type, config }: StateProvider) {
  const settings = deps.settings();
  const at = deps.now();
  const definition: ProviderDefinition = {
    id: newId('prv'),
    accountId: caller.accountId,
    name: parseNewProviderName(name, settings.isConfiguredProvider),
    type,
    config: await parseProviderConfig(type, config, { ...settings, accountId: caller.accountId }),
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const credential = givenCredential(config);
  if (credential === null)
    throw inputRefused([
      { path: 'config.clientSecret', message: 'a new provider needs it, unless there is a clientPrivateKey' },
    ]);
  const fields = [...fieldsOf(null, definition), ...credentialField(credential)];
  found.steps.push({
    at: 'write providers',
    change: { action: 'create', kind: 'provider', name, fields },
    run: () =>
      recordedChange(
        deps,
        caller,
        () =>
          deps.store.providerDefinitions.create(
            { definition, ...credential },
            deps.settings().limits.providers,
          ),
        () => providerCreated(definition, credential),
      ),
  });
}

async function planChange(
  planning: Planning,
  { type, config: given }: StateProvider,
  seen: ProviderDefinition,
): Promise<void> {
  const { deps, caller, found } = planning;
  const { name } = seen;
  const { clientSecret: _s, clientPrivateKey: _k, clientKeyId: _i, ...settings } = given;
  const asked = givenCredential(given);
  const isSame = type === seen.type && isDeepStrictEqual(settings, providerState(seen).config);
  const by = { ...deps.settings(), accountId: caller.accountId };
  const config = isSame && asked === null ? seen.config : await parseProviderConfig(type, given, by);
  const after = isSame ? { type, config: seen.config } : { type, config };
  const credential = await otherCredential(planning, seen, asked);
  const fields = [...fieldsOf(seen, { ...seen, ...after }), ...credentialField(credential)];
  if (fields.length === 0) return void found.unchanged.push({ kind: 'provider', name });
  // Its refusals belong to the plan.
  changed(seen, after, asked !== null);
  const become = (before: ProviderDefinition) => {
    checkIfMatch(etagOf(seen), before);
    return changed(before, after, asked !== null);
  };
  const what = fields.map((field) => field.name).join(', ');
  found.steps.push({
    at: 'write providers',
    change: { action: 'change', kind: 'provider', name, fields },
    run: async () => {
      const { accountId, id } = seen;
      const change = { accountId, id, become, credential, at: deps.now() };
      const made = await recordedChange(
        deps,
        caller,
        () => deps.store.providerDefinitions.modify(change),
        (modified) => modified && providerModified({ before: seen, after: modified, credential }, what),
      );
      if (made === null) throw changedMeanwhile(`provider ${name}`);
    },
  });
}

function planDeletion({ deps, caller, found }: Planning, seen: ProviderDefinition): void {
  const { id, name } = seen;
  const judge = (definition: ProviderDefinition) => checkIfMatch(etagOf(seen), definition);
  found.steps.push({
    at: 'delete providers',
    change: { action: 'delete', kind: 'provider', name, fields: [] },
    run: async () => {
      const isGone = await recordedChange(
        deps,
        caller,
        () => deps.store.providerDefinitions.remove(caller.accountId, id, judge),
        (removed) => removed && providerDeleted(seen),
      );
      if (!isGone) throw changedMeanwhile(`provider ${name}`);
    },
  });
}

/** What is given, if it is another than the one that is kept. Nobody tries secrets who may not set them. */
async function otherCredential(
  { deps, caller, found }: Planning,
  { id, name }: ProviderDefinition,
  given: ClientCredential | null,
): Promise<ClientCredential | null> {
  if (given === null) return null;
  if (!mayChange(caller, 'providers')) {
    found.notes.push(`The credential of provider ${name} is not compared: this key can only read.`);
    return null;
  }
  const [kept] = await deps.store.providerDefinitions.among([id]);
  return kept !== undefined && isSameCredential(kept.openCredential(), given) ? null : given;
}

function isSameCredential(kept: ClientCredential, given: ClientCredential): boolean {
  return constantTimeEqual(credentialText(kept), credentialText(given));
}

function credentialText({ clientSecret, clientKey = null }: ClientCredential): string {
  const key = clientKey === null ? null : [clientKey.pem.reveal(), clientKey.keyId];
  return JSON.stringify([clientSecret?.reveal() ?? null, key]);
}

function credentialField(credential: ClientCredential | null): readonly StateField[] {
  return credentialNames(credential).map((name) => ({ name, secret: true }));
}

type Shown = ProviderDefinition & { readonly config: DefinitionConfig };

function fieldsOf(before: Shown | null, after: Shown): readonly StateField[] {
  const flat = (definition: Shown) => {
    const { type, config } = providerState(definition);
    return { type, ...config };
  };
  return differences(before === null ? {} : flat(before), flat(after));
}
