import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { clientKeyFault } from './client-key.ts';

const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;

test('clientKeyFault() takes RSA of 2048 to 4096 bits: what is longer would be signed with at each login', () => {
  assert.equal(clientKeyFault(rsa(2048)), null);
  assert.equal(clientKeyFault(rsa(1024)), 'an RSA key below 2048 bits');
  assert.equal(clientKeyFault(rsa(4104)), 'an RSA key above 4096 bits');
});
