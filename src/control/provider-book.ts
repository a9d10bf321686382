// Every provider that logins can be made with: the configuration's, and those that accounts define (contract 2.4). It
// follows both while the service runs. The configuration's names win; a definition is remade only when it changed, so
// that what was learnt of it (metadata, keys) is kept. What was replaced or went is found for some minutes by its generation, so
// that tokens of its sessions can be revoked; nobody logs in with it.

import type { BindAddress } from '../config/config.ts';
import { createAddressList } from '../domain/address-list.ts';
import type { AccountId } from '../domain/id.ts';
import { DEFINITION_TYPES, type ProviderDefinition } from '../domain/provider-definition.ts';
import type { Secret } from '../domain/secret.ts';
import { createProvider } from '../providers/create.ts';
import { createDialler, type Dialler } from '../providers/dialler.ts';
import { type Examination, examineProvider } from '../providers/examine.ts';
import type { Provider } from '../providers/provider.ts';
import type { StoredDefinition } from '../store/store.ts';
import { createFormerProviders } from './former-providers.ts';

export type ProviderBook = {
  readonly find: (name: string) => Provider | undefined;
  /** As it is now, or was until some minutes ago. */
  readonly findFormer: (name: string, generation: string) => Provider | undefined;
  /** What an account's shares may use: the configuration's providers and its own definitions (DESIGN 3). */
  readonly usableBy: (accountId: AccountId) => readonly Provider[];
  readonly isConfigured: (name: string) => boolean;
  /** Examines what an account defines, with the calls that it may make; null for anything else. */
  readonly examine: (accountId: AccountId, name: string, endpointUrl: URL) => Promise<Examination | null>;
  readonly useConfigured: (providers: ReadonlyMap<string, Provider>, rules: OutboundRules) => void;
  /** Answers the names whose provider is another now, or is there no more. */
  readonly useDefinitions: (stored: readonly StoredDefinition[]) => readonly string[];
};

/** Where an account's providers may be (DESIGN 3, "Calls out"). */
export type OutboundRules = {
  /** `outbound_allow`. */
  readonly outboundAllow: readonly string[];
  readonly ownListeners: readonly BindAddress[];
};

export function createProviderBook(now: () => number): ProviderBook {
  let configured: ReadonlyMap<string, Provider> = new Map();
  let rules: OutboundRules = { outboundAllow: [], ownListeners: [] };
  let stored: readonly StoredDefinition[] = [];
  let defined: ReadonlyMap<string, Defined> = new Map();
  let diallers = new Map<AccountId, Dialler>();
  const former = createFormerProviders(now);

  const diallerOf = (accountId: AccountId): Dialler => {
    const known = diallers.get(accountId) ?? accountDialler(rules);
    diallers.set(accountId, known);
    return known;
  };
  const rebuild = (): void => {
    const known = defined;
    defined = new Map(
      stored.map(({ definition, clientSecret }) => {
        const { fetch } = diallerOf(definition.accountId);
        const key = `${definition.id} ${definition.version}`;
        const kept = known.get(definition.name);
        if (kept?.key === key && kept.fetch === fetch) return [definition.name, kept];
        const provider = createProvider(providerSettings(definition, clientSecret), { fetch, now });
        return [definition.name, { key, fetch, provider }];
      }),
    );
  };

  return {
    find: (name) => configured.get(name) ?? defined.get(name)?.provider,
    findFormer(name, generation) {
      const present = configured.get(name) ?? defined.get(name)?.provider;
      return present?.generation === generation ? present : former.find(name, generation);
    },
    usableBy: (accountId) => [
      ...configured.values(),
      ...[...defined.values()]
        .map(({ provider }) => provider)
        .filter((provider) => provider.accountId === accountId && !configured.has(provider.name)),
    ],
    isConfigured: (name) => configured.has(name),
    async examine(accountId, name, endpointUrl) {
      const found = stored.find(
        ({ definition }) => definition.accountId === accountId && definition.name === name,
      );
      if (found === undefined) return null;
      const { fetch } = diallerOf(accountId);
      return examineProvider(providerSettings(found.definition, found.clientSecret), {
        fetch,
        now,
        endpointUrl,
      });
    },
    useConfigured(providers, changedRules) {
      former.keep(configured.values());
      // Where an account's may be called is what the rules say now.
      former.forgetDefined();
      configured = providers;
      rules = changedRules;
      diallers = new Map();
      rebuild();
    },
    useDefinitions(definitions) {
      const known = defined;
      stored = definitions;
      rebuild();
      const names = [...new Set([...known.keys(), ...defined.keys()])];
      const changed = names.filter((name) => known.get(name)?.provider !== defined.get(name)?.provider);
      former.keep(changed.flatMap((name) => known.get(name)?.provider ?? []));
      return changed;
    },
  };
}

type Defined = { readonly key: string; readonly fetch: Dialler['fetch']; readonly provider: Provider };

/** One for each account, so that nobody's stalling server holds up another's. */
function accountDialler({ outboundAllow, ownListeners }: OutboundRules): Dialler {
  return createDialler({
    allow: createAddressList(outboundAllow),
    ownListeners,
    refused: 'provider_error',
    unreachable: 'provider_unreachable',
  });
}

function providerSettings(definition: ProviderDefinition, clientSecret: Secret) {
  const { issuerUrl, ...config } = definition.config;
  const type = DEFINITION_TYPES[definition.type];
  return {
    ...config,
    name: definition.name,
    type,
    clientSecret,
    issuer: issuerUrl,
    accountId: definition.accountId,
  };
}
