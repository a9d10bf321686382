// Every provider that logins can be made with: the configuration's, and those that accounts define (contract
// 2.4). It follows both while the service runs. The configuration's names win. Of a definition only its words
// are kept until somebody logs in by it: then its secret is opened and its client made, which stays while it
// is used and until it changes. What was replaced or went is found for some minutes by its generation, so
// that tokens of its sessions can be revoked; nobody logs in with it.

import type { BindAddress } from '../../config/config.ts';
import { createAddressList } from '../../domain/address-list.ts';
import type { AccountId, ProviderDefinitionId } from '../../domain/id.ts';
import { appearanceOf } from '../../domain/provider-appearance.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import { DEFINED_ANSWERS, DEFINED_HELD_MS } from '../../providers/answer-limits.ts';
import { createProvider } from '../../providers/create.ts';
import { createDialler, type Dialler } from '../../providers/dialler.ts';
import { type Examination, examineProvider } from '../../providers/examine.ts';
import { laneOf } from '../../providers/name-places.ts';
import type { Provider } from '../../providers/provider.ts';
import type { UsableDefinition } from '../../store/providers/definition.ts';
import { createDefinedClients } from '../providers/defined-clients.ts';
import { createFormerProviders } from '../providers/former.ts';
import { createShelf, unkeyedSettings } from './provider-shelf.ts';

export type ProviderBook = {
  /** Throws `internal` when its secret cannot be opened. */
  readonly find: (name: string) => Provider | undefined;
  /** As it is now, or was until some minutes ago. Throws as `find`. */
  readonly findFormer: (name: string, generation: string) => Provider | undefined;
  /**
   * As `find`, for those who need no client. The same object until it changes: a list of shares holds it
   * once.
   */
  readonly ref: (name: string) => ProviderRef | null;
  /** What an account's shares may use: the configuration's providers and its own definitions (DESIGN 3). */
  readonly usableBy: (accountId: AccountId) => readonly ProviderRef[];
  /** What people know it by; its name where there is none. */
  readonly displayNameOf: (name: string) => string;
  readonly isConfigured: (name: string) => boolean;
  /** Examines what an account defines, with the calls that it may make; null for anything else. */
  readonly examine: (accountId: AccountId, name: string, endpointUrl: URL) => Promise<Examination | null>;
  readonly useConfigured: (providers: ReadonlyMap<string, Provider>, rules: OutboundRules) => void;
  /** All there are. Answers the names whose provider is another now, or is there no more. */
  readonly useDefinitions: (all: readonly UsableDefinition[]) => readonly string[];
  /** As `useDefinitions`, for those of these ids: one that is not in `found` is there no more. */
  readonly changeDefinitions: (
    ids: readonly ProviderDefinitionId[],
    found: readonly UsableDefinition[],
  ) => readonly string[];
};

/** Where an account's providers may be (DESIGN "Calls out"). */
export type OutboundRules = {
  /** `outbound_allow`. */
  readonly outboundAllow: readonly string[];
  readonly ownListeners: readonly BindAddress[];
};

export function createProviderBook(now: () => number): ProviderBook {
  let configured: ReadonlyMap<string, Configured> = new Map();
  let rules: OutboundRules = { outboundAllow: [], ownListeners: [] };
  const shelf = createShelf();
  const diallers = new Map<AccountId, Dialler>();
  const former = createFormerProviders(now);

  const diallerOf = (accountId: AccountId): Dialler => {
    const known = diallers.get(accountId) ?? accountDialler(accountId, rules);
    diallers.set(accountId, known);
    return known;
  };
  const clients = createDefinedClients(({ kept: { definition, openCredential } }) => {
    const { fetch } = diallerOf(definition.accountId);
    return createProvider({ ...unkeyedSettings(definition), ...openCredential() }, { fetch, now });
  });
  const defined = (name: string): Provider | undefined => {
    const found = shelf.named(name);
    return found === undefined ? undefined : clients.of(found);
  };
  const changeDefinitions: ProviderBook['changeDefinitions'] = (ids, found) => {
    const there = new Set(found.map(({ definition }) => definition.id));
    const gone = ids.filter((id) => !there.has(id)).flatMap(shelf.remove);
    const changed = [...gone, ...found.flatMap(shelf.put)];
    const replaced = changed.flatMap(({ before }) => before ?? []);
    replaced.forEach(clients.forget);
    former.keep(replaced.map((before) => ({ ref: before.ref, provider: () => clients.of(before) })));
    return [...new Set(changed.map(({ name }) => name))];
  };

  return {
    find: (name) => configured.get(name)?.provider ?? defined(name),
    findFormer(name, generation) {
      const present = configured.get(name)?.ref ?? shelf.named(name)?.ref;
      if (present?.generation !== generation) return former.find(name, generation);
      return configured.get(name)?.provider ?? defined(name);
    },
    ref: (name) => configured.get(name)?.ref ?? shelf.named(name)?.ref ?? null,
    usableBy: (accountId) => [
      ...Array.from(configured.values(), ({ ref }) => ref),
      ...shelf.refsOf(accountId).filter(({ name }) => !configured.has(name)),
    ],
    displayNameOf(name) {
      const known = configured.get(name);
      if (known !== undefined) return known.provider.appearance?.displayName ?? name;
      const found = shelf.named(name);
      return found === undefined ? name : appearanceOf(unkeyedSettings(found.kept.definition)).displayName;
    },
    isConfigured: (name) => configured.has(name),
    async examine(accountId, name, endpointUrl) {
      const found = shelf.named(name)?.kept;
      if (found?.definition.accountId !== accountId) return null;
      const { fetch } = diallerOf(accountId);
      const settings = { ...unkeyedSettings(found.definition), ...found.openCredential() };
      return examineProvider(settings, { fetch, now, endpointUrl });
    },
    useConfigured(providers, changedRules) {
      former.keep(
        Array.from(configured.values(), ({ ref, provider }) => ({ ref, provider: () => provider })),
      );
      configured = new Map(
        Array.from(providers, ([name, provider]) => [name, { provider, ref: plainRef(provider) }]),
      );
      rules = changedRules;
      diallers.clear();
      // What was made goes by the former rules.
      clients.forgetAll();
      former.forgetDefined();
    },
    useDefinitions: (all) => changeDefinitions(shelf.ids(), all),
    changeDefinitions,
  };
}

type Configured = { readonly provider: Provider; readonly ref: ProviderRef };

/** Plain data: what goes to a worker is cloned. */
function plainRef(provider: Provider): ProviderRef {
  const { name, type, generation, accountId, emailPatterns, requiresVerifiedEmail = false } = provider;
  return { name, type, generation, accountId, emailPatterns, requiresVerifiedEmail };
}

/** One for each account, so that nobody's stalling server holds up another's. */
function accountDialler(accountId: AccountId, { outboundAllow, ownListeners }: OutboundRules): Dialler {
  return createDialler({
    lane: laneOf(accountId, 'providers'),
    allow: createAddressList(outboundAllow),
    ownListeners,
    refused: 'provider_error',
    unreachable: 'provider_unreachable',
    answers: DEFINED_ANSWERS,
    heldMs: DEFINED_HELD_MS,
  });
}
