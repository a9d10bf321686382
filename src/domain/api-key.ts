// API keys: `dw_` and 256 random bits. The service keeps their SHA-256 alone; with that many random bits a
// slow hash would protect nothing more (DESIGN 2.5).

import { createHash } from 'node:crypto';
import { randomBytes, Secret } from './secret.ts';

/** A fresh key. It can be shown once, when it is made. */
export function newApiKey(): Secret {
  return new Secret(`dw_${randomBytes(KEY_BYTES).toString('base64url')}`);
}

/** The SHA-256 of the whole key in hex: what the store keeps and finds it by. */
export function hashApiKey(key: Secret): string {
  return createHash('sha256').update(key.reveal()).digest('hex');
}

/** The text as a key, or null when it cannot be one. */
export function parseApiKey(text: string): Secret | null {
  return API_KEY.test(text) ? new Secret(text) : null;
}

/**
 * Whether a text can name a key: 1 to 40 of `a-z`, `0-9` and `-`, with no hyphen at either end; no id is one.
 */
export function isApiKeyName(text: string): boolean {
  return API_KEY_NAME.test(text);
}

const API_KEY_NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
const KEY_BYTES = 32;
const API_KEY = /^dw_[A-Za-z0-9_-]{43}$/;
