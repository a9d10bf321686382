// RSA keys that anybody can factor, made as broken tools make them, and requests that they really signed.
// Their arithmetic is done here: no library signs with a modulus that is a prime, or a square.

import { checkPrimeSync, createHash, generatePrimeSync, randomBytes } from 'node:crypto';
import { certificationRequest } from '../../src/x509/csr-writer.ts';
import { bitString, sequence, TAG, unsignedInteger, write } from '../../src/x509/der.ts';
import { OID } from '../../src/x509/oid.ts';
import { pem } from '../../src/x509/pem.ts';

/** Its primes, with each as often as it divides the modulus. */
export type RsaPrimes = readonly bigint[];

export type WeakKind = 'small factor' | 'even' | 'same primes' | 'close primes' | 'prime' | 'ROCA';

export function weakPrimes(kind: WeakKind, bits: number): RsaPrimes {
  const half = bits / 2;
  if (kind === 'prime') return [prime(bits)];
  // The largest below 2^16.
  if (kind === 'small factor') return [65_521n, prime(bits - 15)];
  if (kind === 'even') return [2n, prime(bits - 1)];
  if (kind === 'ROCA') return [rocaPrime(half), rocaPrime(half)];
  const first = prime(half);
  return kind === 'same primes' ? [first, first] : [first, primeAbove(first)];
}

export function modulusOf(primes: RsaPrimes): bigint {
  return primes.reduce((product, each) => product * each, 1n);
}

export function spkiOf(modulus: bigint): Uint8Array<ArrayBuffer> {
  const key = sequence(unsignedInteger(octetsOf(modulus)), unsignedInteger(octetsOf(EXPONENT)));
  return sequence(sequence(OID.rsaEncryption, write(TAG.null)), bitString(key));
}

/** PEM. */
export async function requestOf(primes: RsaPrimes): Promise<string> {
  const modulus = modulusOf(primes);
  const request = await certificationRequest(spkiOf(modulus), 'rsa-sha256', async (bytes) =>
    signature(bytes, primes),
  );
  return pem('CERTIFICATE REQUEST', request);
}

/** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2). */
function signature(bytes: Uint8Array, primes: RsaPrimes): Uint8Array {
  const modulus = modulusOf(primes);
  const size = Math.ceil(modulus.toString(16).length / 2);
  const digest = sequence(
    sequence(OID.sha256, write(TAG.null)),
    write(TAG.octetString, createHash('sha256').update(bytes).digest()),
  );
  const padding = Buffer.alloc(size - digest.length - 3, 0xff);
  const encoded = numberOf(Buffer.concat([Uint8Array.of(0, 1), padding, Uint8Array.of(0), digest]));
  const signed = power(encoded, inverse(EXPONENT, totient(primes)), modulus);
  return Buffer.from(signed.toString(16).padStart(2 * size, '0'), 'hex');
}

/** Of p, p - 1; of a second p that is the same, p. */
function totient(primes: RsaPrimes): bigint {
  return modulusOf(primes.map((each, index) => (primes.indexOf(each) === index ? each - 1n : each)));
}

/** One to which the exponent has an inverse. */
function prime(bits: number): bigint {
  for (;;) {
    const found = generatePrimeSync(bits, { bigint: true });
    if (found % EXPONENT !== 1n) return found;
  }
}

function primeAbove(start: bigint): bigint {
  for (let candidate = start + 2n; ; candidate += 2n)
    if (candidate % EXPONENT !== 1n && checkPrimeSync(candidate)) return candidate;
}

/** k * M + (65537 ^ a mod M), with the first 39 primes in M (CVE-2017-15361). */
function rocaPrime(bits: number): bigint {
  const product = modulusOf(firstPrimes(39));
  // In the upper quarter, so that the product of two has twice as many bits.
  const least = (3n << BigInt(bits - 2)) / product + 1n;
  const span = (1n << BigInt(bits - 2)) / product - 2n;
  for (;;) {
    const k = least + (numberOf(randomBytes(bits / 8)) % span);
    const candidate = k * product + power(EXPONENT, numberOf(randomBytes(8)), product);
    if (candidate % EXPONENT !== 1n && checkPrimeSync(candidate)) return candidate;
  }
}

function firstPrimes(count: number): bigint[] {
  const found: bigint[] = [];
  for (let candidate = 2n; found.length < count; candidate++)
    if (found.every((each) => candidate % each !== 0n)) found.push(candidate);
  return found;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (bit === '1') result = (result * base) % modulus;
  }
  return result;
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [before, now] = [modulus, value % modulus];
  let [x, y] = [0n, 1n];
  while (now !== 0n) {
    const quotient = before / now;
    [before, now] = [now, before - quotient * now];
    [x, y] = [y, x - quotient * y];
  }
  return ((x % modulus) + modulus) % modulus;
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function octetsOf(value: bigint): Uint8Array {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

const EXPONENT = 65_537n;
