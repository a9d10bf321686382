// Service tokens: `dws_` and 256 random bits, by which a program opens shares. As with API keys, their
// SHA-256 alone is kept: whoever shows one shows all of it, and finding it by its hash compares nothing that
// the time it takes could give away.

import type { AccountId, ServiceTokenId, ShareId } from './id.ts';
import { randomBytes, Secret } from './secret.ts';

/** What the gates know of a token. It never changes; plain data. */
export type ServiceToken = {
  readonly id: ServiceTokenId;
  readonly accountId: AccountId;
  readonly name: string;
  /** `secretHash()` of the whole token. */
  readonly hash: string;
  /** Where it counts, and nowhere else. */
  readonly shareIds: readonly ShareId[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
};

/** What is told of tokens: those that came, and those that are gone. */
export type ServiceTokenNews = {
  /** Nothing that was known before counts: what follows is everything. */
  readonly reset: boolean;
  readonly tokens: readonly ServiceToken[];
  readonly gone: readonly ServiceTokenId[];
};

export const NO_SERVICE_TOKENS: ServiceTokenNews = { reset: true, tokens: [], gone: [] };

/** That a token let a program in: when. */
export type ServiceTokenUse = { readonly id: ServiceTokenId; readonly at: number };

/** A fresh token. It can be shown once, when it is made. */
export function newServiceToken(): Secret {
  return new Secret(`${SERVICE_TOKEN_PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`);
}

/** The text as a token, or null when it cannot be one. */
export function parseServiceToken(text: string): Secret | null {
  return SERVICE_TOKEN.test(text) ? new Secret(text) : null;
}

/** What backends are told in the place of a provider; no provider has the name. */
export const TOKEN_PROVIDER = 'token';
export const SERVICE_TOKEN_PREFIX = 'dws_';
const TOKEN_BYTES = 32;
const SERVICE_TOKEN = /^dws_[A-Za-z0-9_-]{43}$/;
