// Certificate request tokens (contract 2.7): `crt_` and 256 random bits, good for one certificate. As with
// API keys, their SHA-256 alone is kept.

import { randomBytes, Secret } from './secret.ts';

/** A fresh token. It can be shown once, when it is made. */
export function newCertificateRequestToken(): Secret {
  return new Secret(`crt_${randomBytes(TOKEN_BYTES).toString('base64url')}`);
}

/** The text as a token, or null when it cannot be one. */
export function parseCertificateRequestToken(text: string): Secret | null {
  return TOKEN.test(text) ? new Secret(text) : null;
}

const TOKEN_BYTES = 32;
const TOKEN = /^crt_[A-Za-z0-9_-]{43}$/;
