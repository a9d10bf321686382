// What a provider is made from: an entry of the configuration (contract 2.2), or a definition once it is
// stored so. Absent optional values are filled in as the type has them.

import type { ClientCredential } from './client-credential.ts';
import type { AccountId } from './id.ts';
import type { ProviderValues } from './provider-fields.ts';
import { kindOf, type ProviderType } from './provider-kinds.ts';
import { providerGeneration, type ProviderRef } from './provider-ref.ts';
import type { Secret } from './secret.ts';
import { ServiceError } from './service-error.ts';

export type ProviderSettings = ClientCredential & UnkeyedSettings;

/** What there is of it while its secret is sealed. */
export type UnkeyedSettings = Omit<ProviderValues, 'issuerUrl' | 'emailPatterns'> & {
  readonly name: string;
  readonly type: ProviderType;
  readonly clientId: string;
  /** Null for a type that has none. */
  readonly issuer: string | null;
  /** Of a stored definition only: whose it is, and the addresses that it lets in anywhere. */
  readonly accountId?: AccountId;
  readonly emailPatterns?: readonly string[];
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
  // A type that always verifies identifies nobody without a verified address, whatever the settings say.
  const isChosen = kindOf(type).always.requireVerifiedEmail === undefined;
  const requiresVerifiedEmail = isChosen && settings.requireVerifiedEmail;
  return { name, type, generation, accountId, emailPatterns, requiresVerifiedEmail };
}
