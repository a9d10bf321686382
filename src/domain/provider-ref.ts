// A provider as shares and sessions refer to it, without anything secret.

import type { AccountId } from './id.ts';
import type { ProviderType } from './provider-kinds.ts';
import { shortHash } from './secret.ts';

export type ProviderRef = {
  readonly name: string;
  readonly type: ProviderType;
  /**
   * Changes with type, issuer and client id, so that sessions of the former identity source end. 22
   * characters.
   */
  readonly generation: string;
  /** Whose definition it is; null for a provider of the configuration, which every account may use. */
  readonly accountId: AccountId | null;
  /** Globs, any one of which an address must match at every share that uses it; none means any address. */
  readonly emailPatterns: readonly string[];
  /**
   * Whether a login must show a verified address, where that is a setting that may change. No unless said.
   */
  readonly requiresVerifiedEmail?: boolean;
};

/**
 * Whether a login showed what its provider asks for now: one that was made before asks for another where it
 * did not.
 */
export function isVerifiedEnough(
  { requiresVerifiedEmail }: Pick<ProviderRef, 'requiresVerifiedEmail'>,
  shown: { readonly emailVerified?: boolean } | null,
): boolean {
  return requiresVerifiedEmail !== true || shown?.emailVerified === true;
}

/** A login at a provider, as far as it matters for how long it counts. */
export type ProviderLogin = {
  readonly provider: string;
  readonly generation: string;
  readonly emailVerified: boolean;
};

/**
 * Whether a login counts at the provider of its name as that is now; undefined when there is none any more.
 */
export function countsAt(
  provider: Pick<ProviderRef, 'generation' | 'requiresVerifiedEmail'> | undefined,
  login: ProviderLogin,
): boolean {
  return provider?.generation === login.generation && isVerifiedEnough(provider, login);
}

/** The generation of a provider: equal for equal name, type, issuer (or API address) and client id. */
export function providerGeneration(parts: {
  readonly name: string;
  readonly type: ProviderType;
  readonly issuer: string;
  readonly clientId: string;
}): string {
  return shortHash(JSON.stringify([parts.name, parts.type, parts.issuer, parts.clientId]));
}
