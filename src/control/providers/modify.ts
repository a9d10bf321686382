// PATCH /v1/auth-providers/{provider}: changes the definition. The next login uses it; sessions made at
// another identity source (issuer, client id or type) end.

import type { ProviderChanges } from '../../wire/provider.ts';
import type { DefinitionConfig, ProviderDefinition } from '../../domain/provider-definition.ts';
import { FIELD_NAMES, PROVIDER_FIELDS, type ProviderField } from '../../domain/provider-fields.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ChangedDefinition } from '../../store/providers/definition.ts';
import { etagHeader, ifMatchParameter, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import type { Caller, ControlDeps, ControlSettings } from '../control-deps.ts';
import { checkIfMatch, etagOf } from '../etag.ts';
import { inputRefused } from '../input-fault.ts';
import { operation } from '../operation.ts';
import { mergedConfig, namedFields } from './changes.ts';
import { givenCredential } from './credential.ts';
import { parseProviderConfig } from './input.ts';
import { providerChangesSchema, providerParamsSchema, providerSchema } from './schema.ts';
import { shownProvider } from './findings.ts';
import { findProvider, unknownProvider } from './find.ts';
import { providerModified } from './note.ts';

export const modifyProvider = operation({
  needs: 'providers.write',
  route: {
    method: 'patch',
    path: '/v1/auth-providers/{provider}',
    operationId: 'modifyAuthProvider',
    summary: 'Change a provider definition',
    description:
      'Changes the fields that are sent; the fields of `config` one by one. A new issuer, client id or type ends the sessions of the provider.',
    parameters: [ifMatchParameter],
    request: {
      params: providerParamsSchema,
      body: { required: true, content: { 'application/json': { schema: providerChangesSchema } } },
    },
    responses: {
      200: {
        description: 'The changed definition. The next login uses it.',
        headers: etagHeader,
        content: { 'application/json': { schema: providerSchema } },
      },
      ...problems('provider_unknown', 'precondition_failed', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const seen = await findProvider(
      deps.store.providerDefinitions,
      caller.accountId,
      c.req.valid('param').provider,
    );
    const modification = { changes: c.req.valid('json'), ifMatch: c.req.header('if-match') };
    const after = await modify(deps, { caller, seen }, modification);
    await confirmLive(deps);
    c.header('etag', etagOf(after));
    return c.json(providerSchema.parse(await shownProvider(deps, after)), 200);
  },
});

type Modification = { readonly changes: ProviderChanges; readonly ifMatch: string | undefined };

/**
 * What takes time is asked before; then the definition is judged as it is, while nobody else can change it.
 * What is not named stays as it is at that moment, so the whole is thought out again when somebody else was
 * quicker.
 */
async function modify(
  deps: ControlDeps,
  { caller, seen }: { readonly caller: Caller; readonly seen: ProviderDefinition },
  { changes, ifMatch }: Modification,
): Promise<ProviderDefinition> {
  checkIfMatch(ifMatch, seen);
  const { accountId, id, name } = seen;
  const credential = givenCredential(changes.config ?? {});
  for (let thought = seen; ;) {
    const after = await settingsAfter(thought, changes, deps.settings());
    let quicker: ProviderDefinition | null = null;
    let judged = thought;
    try {
      const become = (before: ProviderDefinition) => {
        judged = before;
        checkIfMatch(ifMatch, before);
        quicker = before.version === thought.version ? null : before;
        if (quicker !== null) throw changedMeanwhile(name);
        return changed(before, after, credential !== null);
      };
      const change = { accountId, id, become, credential, at: deps.now() };
      const modified = await recordedChange(
        deps,
        caller,
        () => deps.store.providerDefinitions.modify(change),
        (made) => made && providerModified({ before: judged, after: made, credential }, namedFields(changes)),
      );
      if (modified === null) throw unknownProvider(name);
      return modified;
    } catch (error) {
      if (quicker === null) throw error;
      thought = quicker;
    }
  }
}

/** Throws `validation_failed` with every fault of the configuration as it would be. */
async function settingsAfter(
  before: ProviderDefinition,
  changes: ProviderChanges,
  settings: ControlSettings,
): Promise<Source> {
  const type = changes.type ?? before.type;
  const merged = mergedConfig(before, changes);
  const { clientSecret, clientPrivateKey, clientKeyId } = changes.config ?? {};
  const given = { clientSecret, clientPrivateKey, clientKeyId };
  const by = { ...settings, accountId: before.accountId };
  const config =
    merged === null ? before.config : await parseProviderConfig(type, { ...merged, ...given }, by);
  return { type, config };
}

/** Throws `validation_failed` where a credential is needed that was not given. */
export function changed(before: ProviderDefinition, after: Source, isGiven: boolean): ChangedDefinition {
  const isElsewhere = isOtherSource(before, after);
  // People whom another claim names are other people.
  const endsSessions = isElsewhere || !isSame(namesOf(before, 'people'), namesOf(after, 'people'));
  // A secret must not go anywhere but where it was given for: another address, client, or authority to
  // certify it, needs it again.
  const isCertifiedByOthers = !isSame(namesOf(before, 'certifier'), namesOf(after, 'certifier'));
  if (!isGiven && (isElsewhere || isCertifiedByOthers))
    throw inputRefused([
      {
        path: 'config.clientSecret',
        message: 'another issuer, address, client or set of CA certificates needs its own',
      },
    ]);
  return { ...after, endsSessions };
}

function changedMeanwhile(name: string): ServiceError {
  return new ServiceError('precondition_failed', `Cannot change provider ${name}: someone else changed it`);
}

type Source = { readonly type: ProviderDefinition['type']; readonly config: DefinitionConfig };

function isOtherSource(before: Source, after: Source): boolean {
  if (before.type !== after.type || before.config.clientId !== after.config.clientId) return true;
  return !isSame(namesOf(before, 'server'), namesOf(after, 'server'));
}

function namesOf({ config }: Source, what: ProviderField['names']): readonly unknown[] {
  return FIELD_NAMES.filter((name) => PROVIDER_FIELDS[name].names === what).map(
    (name) => config[name] ?? null,
  );
}

function isSame(before: readonly unknown[], after: readonly unknown[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
