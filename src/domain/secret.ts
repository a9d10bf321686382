// The one place for randomness, constant-time comparison, and values that must never be printed.

import { createHash, randomBytes as nodeRandomBytes, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

/** A secret text. It prints as `[secret]` wherever it is logged, inspected or turned into JSON. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself. Call it only where the secret is used, never to pass it on. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}

/** `length` random bytes from the operating system's generator. */
export function randomBytes(length: number): Buffer {
  return nodeRandomBytes(length);
}

/** 128 random bits as 22 base64url characters: states, nonces, browser and binding cookies. */
export function randomToken(): string {
  return nodeRandomBytes(16).toString('base64url');
}

/** Compares two texts in time that depends on neither's content, and tells nothing of their lengths. */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}

/**
 * `constantTimeEqual()` with one secret, for what is asked on every request: no hash is made. The time it
 * takes tells the length of the secret, and nothing else of it.
 */
export function createSecretCheck(secret: string): (shown: string) => boolean {
  const expected = Buffer.from(secret);
  const written = Buffer.alloc(expected.length);
  return (shown) => {
    if (shown.length > expected.length || Buffer.byteLength(shown) !== expected.length) return false;
    written.write(shown);
    return timingSafeEqual(written, expected);
  };
}

/** The first 128 bits of SHA-256 as 22 base64url characters: names a secret without being it. */
export function shortHash(text: string): string {
  return sha256(text).subarray(0, 16).toString('base64url');
}

/** The SHA-256 of a secret in hex: what the store keeps of one that it has to know again. */
export function secretHash(secret: Secret): string {
  return sha256(secret.reveal()).toString('hex');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
