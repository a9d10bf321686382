// Keys from passphrases as PKCS #12 makes them (RFC 7292 appendix B). With WebCrypto, in browsers and here.

import { sha256Chain } from './sha256-chain.ts';

export type KeyPlan = {
  readonly hash: 'SHA-1' | 'SHA-256';
  /** 1 to encrypt, 2 for an initialisation vector, 3 for a MAC (appendix B.3). */
  readonly purpose: 1 | 2 | 3;
  readonly salt: Uint8Array;
  readonly iterations: number;
  /** In bytes. */
  readonly length: number;
};

/** The passphrase is printable ASCII. */
export async function pkcs12Key(passphrase: string, plan: KeyPlan): Promise<Uint8Array<ArrayBuffer>> {
  // UTF-16, most significant byte first, with two zero bytes at the end.
  const text = Uint8Array.from([...passphrase, '\0'].flatMap((character) => [0, character.charCodeAt(0)]));
  const diversifier = new Uint8Array(BLOCK_BYTES).fill(plan.purpose);
  let input = joined([filled(plan.salt), filled(text)]);
  const key: number[] = [];
  for (;;) {
    const digest = await digestOf(joined([diversifier, input]), plan);
    key.push(...digest);
    if (key.length >= plan.length) return Uint8Array.from(key.slice(0, plan.length));
    input = nextInput(input, filled(digest).subarray(0, BLOCK_BYTES));
  }
}

/** Hashed again and again (step 6A). */
async function digestOf(
  bytes: Uint8Array<ArrayBuffer>,
  { hash, iterations }: KeyPlan,
): Promise<Uint8Array<ArrayBuffer>> {
  let digest = new Uint8Array(await crypto.subtle.digest(hash, bytes));
  if (hash === 'SHA-256') return sha256Chain(digest, iterations - 1);
  for (let round = 1; round < iterations; round++)
    digest = new Uint8Array(await crypto.subtle.digest(hash, digest));
  return digest;
}

/** Each block plus the digest plus one, as numbers without their carry (step 6C). */
function nextInput(input: Uint8Array, digest: Uint8Array): Uint8Array<ArrayBuffer> {
  const next = Uint8Array.from(input);
  for (let block = 0; block < next.length; block += BLOCK_BYTES) {
    let carry = 1;
    for (let at = BLOCK_BYTES - 1; at >= 0; at--) {
      const sum = (next[block + at] ?? 0) + (digest[at] ?? 0) + carry;
      next[block + at] = sum & 0xff;
      carry = sum >> 8;
    }
  }
  return next;
}

/** Repeated until it fills whole blocks. */
function filled(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = BLOCK_BYTES * Math.ceil(bytes.length / BLOCK_BYTES);
  return Uint8Array.from({ length }, (_, index) => bytes[index % bytes.length] ?? 0);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Of SHA-1 and SHA-256. */
const BLOCK_BYTES = 64;
