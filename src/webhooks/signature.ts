// How a webhook's receiver knows that a delivery is ours, whole and fresh: an HMAC over the time and the
// body, made with a secret that only the two know. docs/how-to/webhooks.md shows how to verify it.

import { createHmac } from 'node:crypto';
import { randomBytes, Secret } from '../domain/secret.ts';

/** A fresh secret: `whs_` and 256 random bits. It can be shown once, when it is made. */
export function newWebhookSecret(): Secret {
  return new Secret(`whs_${randomBytes(SECRET_BYTES).toString('base64url')}`);
}

/**
 * `t=<seconds since the epoch>,v1=<HMAC-SHA256 of "t.body" in hex>`, with a `v1` for each secret; the key is
 * the whole text of the secret. While a secret is rotated the receiver may have either.
 */
export function webhookSignature(secrets: readonly Secret[], body: string, now: number): string {
  const time = Math.floor(now / 1000);
  const macs = secrets.map((secret) =>
    createHmac('sha256', secret.reveal()).update(`${time}.${body}`).digest('hex'),
  );
  return [`t=${time}`, ...macs.map((mac) => `v1=${mac}`)].join(',');
}

const SECRET_BYTES = 32;
