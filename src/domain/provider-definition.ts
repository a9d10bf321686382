// A provider as an account defines it (contract 2.4, DESIGN 2.1), with everything that the type takes for granted
// filled in. The client secret is kept apart: it is written and never read back.

import type { AccountId, ProviderDefinitionId } from './id.ts';
import type { ProviderType } from './provider-ref.ts';

/** The types as definitions spell them. */
export const DEFINITION_TYPES = {
  OIDC: 'oidc',
  GOOGLE: 'google',
  GITHUB: 'github',
} as const satisfies Record<string, ProviderType>;
export type DefinitionType = keyof typeof DEFINITION_TYPES;

export function definitionTypeOf(type: ProviderType): DefinitionType {
  return SPELT[type];
}

export type ProviderDefinition = {
  readonly id: ProviderDefinitionId;
  readonly accountId: AccountId;
  /** Unique in the whole service: it is in URLs. */
  readonly name: string;
  readonly type: DefinitionType;
  readonly config: DefinitionConfig;
  /** Starts at 1 and grows by one with each change: the ETag. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type DefinitionConfig = {
  readonly clientId: string;
  /** `OIDC` and `GOOGLE`; null for `GITHUB`. */
  readonly issuerUrl: string | null;
  readonly scopes: readonly string[];
  readonly supportsPkce: boolean;
  readonly prompt: string | null;
  readonly requireVerifiedEmail: boolean;
  /** `OIDC` only; absent in what was stored before there was one. */
  readonly rpInitiatedLogout?: boolean;
  /** `OIDC` only, as `emailClaim`; this and the next are absent in what was stored before there were any. */
  readonly discoveryUrl?: string | null;
  readonly emailClaim?: string | null;
  /** PEM. */
  readonly trustedAuthorities?: string | null;
  readonly loginParameters?: Readonly<Record<string, string>>;
  /** `GITHUB` only, as `apiUrl`. */
  readonly baseUrl: string | null;
  readonly apiUrl: string | null;
  /** Which every share that uses the definition must satisfy too; none means any address. */
  readonly emailPatterns: readonly string[];
};

const SPELT: Readonly<Record<ProviderType, DefinitionType>> = {
  oidc: 'OIDC',
  google: 'GOOGLE',
  github: 'GITHUB',
};
