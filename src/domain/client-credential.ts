// What a client proves itself with at its provider: a secret that the provider gave it, or a private key of
// its own.

import type { Secret } from './secret.ts';

/** Exactly one of the two is there. */
export type ClientCredential = {
  readonly clientSecret: Secret | null;
  /** Of a type that takes one (`private_key_jwt`: OpenID Connect Core section 9). */
  readonly clientKey?: ClientKey | null;
};

export type ClientKey = {
  /** PKCS#8, as `clientKeyFault` takes it. */
  readonly pem: Secret;
  /** `kid` of what it signs; null for none. */
  readonly keyId: string | null;
};
