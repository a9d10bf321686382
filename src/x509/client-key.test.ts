import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { createClientKey } from '../../test/support/client-keys.ts';
import { clientKeyFault } from './client-key.ts';

test('clientKeyFault() takes RSA of 2048 bits, P-256, P-384 and Ed25519 as PKCS#8 (RFC 7523)', () => {
  for (const kind of ['RSA', 'P-256', 'P-384', 'Ed25519'] as const)
    assert.equal(clientKeyFault(createClientKey(kind).pem), null, kind);
});

test('clientKeyFault() refuses weak, encrypted, foreign and several keys, and says nothing of them', () => {
  const { pem } = createClientKey('P-256');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const cipher = { cipher: 'aes-256-cbc', passphrase: 'x' };
  const cases: readonly (readonly [string | Buffer, RegExp])[] = [
    ['', /^no PEM private key/],
    ['a secret', /^no PEM private key/],
    [pem + pem, /or more than one$/],
    [rsa.publicKey.export({ format: 'pem', type: 'spki' }), /^no PEM private key/],
    [rsa.privateKey.export({ format: 'pem', type: 'pkcs1' }), /^no PEM private key/],
    [rsa.privateKey.export({ format: 'pem', type: 'pkcs8', ...cipher }), /^an encrypted key$/],
    [pemOf(generateKeyPairSync('rsa', { modulusLength: 1024 })), /below 2048 bits$/],
    [pemOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })), /of another kind$/],
    [pemOf(generateKeyPairSync('x25519')), /of another kind$/],
    [pem.replace(/\n./, '\n!'), /^no PEM private key/],
    [pem.replace(/\nM/, '\nA'), /cannot be read$/],
    [pem + ' '.repeat(8 * 1024), /^more than 8 KiB$/],
  ];
  for (const [text, why] of cases) assert.match(clientKeyFault(text.toString()) ?? 'taken', why);
});

function pemOf({ privateKey }: { readonly privateKey: KeyObject }): string {
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}
