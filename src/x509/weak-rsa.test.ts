import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { openssl } from '../../test/support/openssl.ts';
import { modulusOf, requestOf, spkiOf, type WeakKind, weakPrimes } from '../../test/support/weak-rsa.ts';
import { parseCsr } from './csr.ts';
import { parseSubjectKey } from './public-key.ts';
import { rsaWeakness } from './weak-rsa.ts';

const KINDS: Readonly<Record<WeakKind, RegExp>> = {
  'small factor': /a small prime divides/,
  even: /a small prime divides/,
  'same primes': /two primes are the same/,
  'close primes': /two primes are the same, or too close/,
  prime: /modulus is a prime/,
  ROCA: /ROCA/,
};

for (const [kind, found] of Object.entries(KINDS) as [WeakKind, RegExp][])
  test(`parseCsr() refuses an RSA key that anybody can factor: ${kind} (CA/Browser Forum BR 6.1.1.3)`, async () => {
    const primes = weakPrimes(kind, 2048);
    // OpenSSL takes each prime for one, and the request for a good one.
    for (const each of new Set(primes)) assert.match(openssl(['prime', `${each}`]).toString(), /is prime/);
    const csr = await requestOf(primes);
    if (kind !== 'even') openssl(['req', '-verify', '-noout'], csr);
    assert.throws(() => parseCsr(csr), { name: 'CsrRefused', message: found });
    assert.throws(() => parseSubjectKey(spkiOf(modulusOf(primes))), { name: 'KeyRefused', message: found });
  });

test('rsaWeakness() finds nothing in keys of Node and OpenSSL, and takes a bounded time', () => {
  for (const modulusLength of [2048, 3072, 4096]) {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength });
    const { n = '' } = publicKey.export({ format: 'jwk' });
    assert.equal(rsaWeakness(BigInt(`0x${Buffer.from(n, 'base64url').toString('hex')}`)), null);
  }
});
