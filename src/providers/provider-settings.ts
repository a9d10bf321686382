// What a provider is made from: an entry of the configuration (contract 2.2), or a definition once it is stored so.

import type { ClientCredential } from '../domain/client-credential.ts';
import type { AccountId } from '../domain/id.ts';
import { providerGeneration } from '../domain/provider-ref.ts';
import type { ProviderRef, ProviderType } from '../domain/provider-ref.ts';
import type { Secret } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { OutboundFetch } from './dialler.ts';

export type ProviderSettings = ClientCredential & {
  readonly name: string;
  readonly type: ProviderType;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** `oidc` and `google`; null for `github`. */
  readonly issuer: string | null;
  readonly supportsPkce: boolean;
  /** Empty: nothing is ever asked for, not even consent where it is needed for a refresh token. */
  readonly prompt: string | null;
  readonly requireVerifiedEmail: boolean;
  /** `oidc` only: a logout goes on to the provider's own. No unless said. */
  readonly rpInitiatedLogout?: boolean;
  /** `oidc` only: where its metadata are, when not below the issuer. They must be of that issuer all the same. */
  readonly discoveryUrl?: string | null;
  /** `oidc` only: the claim that the address is in; `email` unless said. */
  readonly emailClaim?: string | null;
  /** PEM: the authorities that its servers are believed by, in place of the public ones. */
  readonly trustedAuthorities?: string | null;
  /** Further parameters of the login request: see `loginParameterFault`. */
  readonly loginParameters?: Readonly<Record<string, string>>;
  /** `github` only: where people log in, and the API. */
  readonly baseUrl: string | null;
  readonly apiUrl: string | null;
  /** Of a stored definition only: whose it is, and the addresses that it lets in anywhere. */
  readonly accountId?: AccountId;
  readonly emailPatterns?: readonly string[];
};

/** What there is of it while its secret is sealed. */
export type UnkeyedSettings = Omit<ProviderSettings, keyof ClientCredential>;

export type ProviderDeps = {
  /** Calls out, within the limits of whoever named the provider. */
  readonly fetch: OutboundFetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

/** For the types that know no other credential. Throws `config_invalid` when there is none. */
export function neededSecret({ name, clientSecret }: ProviderSettings): Secret {
  if (clientSecret !== null) return clientSecret;
  throw new ServiceError('config_invalid', `Cannot use provider ${name}: it has no client secret`);
}

/** `issuer` is what identifies the source: the issuer, or the API address. */
export function providerRef(settings: UnkeyedSettings, issuer: string): ProviderRef {
  const { name, type, clientId, accountId = null, emailPatterns = [] } = settings;
  const generation = providerGeneration({ name, type, issuer, clientId });
  // The other types identify nobody without one, whatever the settings say.
  const requiresVerifiedEmail = type === 'oidc' && settings.requireVerifiedEmail;
  return { name, type, generation, accountId, emailPatterns, requiresVerifiedEmail };
}
