import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';
import { CompactEncrypt, compactDecrypt } from 'jose';

import { createSeal, deriveSealKey, sealHeader, type SealKeys, type SealKind } from './seal.ts';

const keys: SealKeys = { signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(24) };
const otherKeys: SealKeys = { signingKey: 'S'.repeat(32), encryptionKey: 'E'.repeat(24) };
const kinds: readonly SealKind[] = ['session', 'login-request', 'login-attempt'];
const content = new TextEncoder().encode('what is inside');

test('createSeal() opens what it sealed, for every content and kind (2.5)', () => {
  const seal = createSeal([keys]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), fc.constantFrom(...kinds), (bytes, kind) => {
      assert.deepEqual(new Uint8Array(seal.open(kind, seal.seal(kind, bytes))!), bytes);
    }),
  );
});

test('createSeal() writes JWE that another library opens with the derived key (RFC 7516, RFC 7518 5.2.5)', async () => {
  const sealed = createSeal([keys]).seal('session', content);
  const opened = await compactDecrypt(sealed, deriveSealKey(keys, 'session'));
  assert.deepEqual(new Uint8Array(opened.plaintext), content);
  assert.deepEqual(opened.protectedHeader, sealHeader(keys, 'session'));
});

test('createSeal() opens JWE that another library made with the derived key and the same header', async () => {
  const made = await new CompactEncrypt(content)
    .setProtectedHeader(sealHeader(keys, 'session'))
    .encrypt(deriveSealKey(keys, 'session'));
  assert.deepEqual(new Uint8Array(createSeal([keys]).open('session', made)!), content);
});

test('createSeal() never decompresses: a header with zip is refused whoever made it (3 Session cookie)', async () => {
  const header = Buffer.from(JSON.stringify({ ...sealHeader(keys, 'session'), zip: 'DEF' }));
  const sealed = createSeal([keys]).seal('session', content);
  const withZip = header.toString('base64url') + sealed.slice(sealed.indexOf('.'));
  assert.equal(createSeal([keys]).open('session', withZip), null);
});

test('createSeal() refuses a header in another order or with more in it, rightly sealed as it may be', async () => {
  const { alg, enc, kid, typ } = sealHeader(keys, 'session');
  for (const header of [
    { enc, alg, kid, typ },
    { alg, enc, kid, typ, cty: 'x' },
    { alg, enc, kid },
  ]) {
    const made = await new CompactEncrypt(content)
      .setProtectedHeader(header)
      .encrypt(deriveSealKey(keys, 'session'));
    assert.equal(createSeal([keys]).open('session', made), null);
  }
});

test('createSeal() refuses any changed character, also one whose spare bits decode to the same bytes', () => {
  const seal = createSeal([keys]);
  const sealed = seal.seal('session', content);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ';
  fc.assert(
    fc.property(
      fc.nat(sealed.length - 1),
      fc.constantFrom(...alphabet),
      fc.constantFrom('replace', 'insert', 'delete'),
      (at, character, how) => {
        const tail = sealed.slice(how === 'insert' ? at : at + 1);
        const changed = sealed.slice(0, at) + (how === 'delete' ? '' : character) + tail;
        fc.pre(changed !== sealed);
        assert.equal(seal.open('session', changed), null);
      },
    ),
    { numRuns: 2000 },
  );
});

test('createSeal() refuses IV, ciphertext and tag whose spare bits are not 0', () => {
  const seal = createSeal([keys]);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  // Ciphertexts of 16, 32 and 48 bytes end in each way that there is.
  for (const length of [1, 17, 33]) {
    const parts = seal.seal('session', new Uint8Array(length)).split('.');
    for (const [at, part] of parts.entries())
      for (const last of at < 2 ? '' : alphabet.replace(part.at(-1)!, '')) {
        const other = part.slice(0, -1) + last;
        assert.equal(seal.open('session', parts.with(at, other).join('.')), null, `${length} ${at} ${last}`);
      }
    assert.ok(seal.open('session', parts.join('.')));
  }
});

test('createSeal() refuses any flipped bit of IV, ciphertext and tag', () => {
  const seal = createSeal([keys]);
  const [header, , ...rest] = seal.seal('session', content).split('.');
  const bytes = rest.map((part) => Buffer.from(part, 'base64url'));
  for (const [part, original] of bytes.entries()) {
    for (let bit = 0; bit < original.length * 8; bit++) {
      const flipped = Buffer.from(original);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      const parts = bytes.map((one, index) => (index === part ? flipped : one).toString('base64url'));
      assert.equal(seal.open('session', `${header}..${parts.join('.')}`), null);
    }
  }
});

test('createSeal() opens nothing that was sealed for another kind, not even under its header', () => {
  const seal = createSeal([keys]);
  const sealed = seal.seal('login-request', content);
  assert.equal(seal.open('session', sealed), null);
  const sessionHeader = seal.seal('session', content).split('.')[0]!;
  assert.equal(seal.open('session', sessionHeader + sealed.slice(sealed.indexOf('.'))), null);
});

test('createSeal() opens what previous keys sealed, seals with the newest, and knows no others (2.1 previous_keys)', () => {
  const before = createSeal([keys]);
  const after = createSeal([otherKeys, keys]);
  assert.deepEqual(new Uint8Array(after.open('session', before.seal('session', content))!), content);
  assert.equal(before.open('session', after.seal('session', content)), null);
  assert.notEqual(createSeal([otherKeys]).open('session', after.seal('session', content)), null);
});

test('deriveSealKey() takes the MAC half from signing_key and the cipher half from encryption_key (2.1)', () => {
  const [mac, cipher] = halves(keys, 'session');
  assert.deepEqual(halves({ ...keys, signingKey: otherKeys.signingKey }, 'session')[1], cipher);
  assert.notEqual(halves({ ...keys, signingKey: otherKeys.signingKey }, 'session')[0], mac);
  assert.deepEqual(halves({ ...keys, encryptionKey: otherKeys.encryptionKey }, 'session')[0], mac);
  assert.notEqual(halves({ ...keys, encryptionKey: otherKeys.encryptionKey }, 'session')[1], cipher);
  assert.equal(new Set(kinds.flatMap((kind) => halves(keys, kind))).size, kinds.length * 2);
});

test('createSeal() needs both keys: with either one changed nothing opens (2.1 signing_key, encryption_key)', () => {
  const sealed = createSeal([keys]).seal('session', content);
  for (const changed of [
    { ...keys, signingKey: otherKeys.signingKey },
    { ...keys, encryptionKey: otherKeys.encryptionKey },
  ])
    assert.equal(createSeal([changed]).open('session', sealed), null);
});

test('createSeal() refuses texts of any other form or length without throwing', () => {
  const seal = createSeal([keys]);
  fc.assert(fc.property(fc.string(), (text) => seal.open('session', text) === null));
  const header = seal.seal('session', content).split('.')[0]!;
  fc.assert(fc.property(fc.string(), (text) => seal.open('session', header + text) === null));
  assert.equal(seal.open('session', seal.seal('session', new Uint8Array(4000))), null);
  assert.throws(() => createSeal([]), /Cannot make a seal: there is no key/);
});

function halves(pair: SealKeys, kind: SealKind): readonly [mac: string, cipher: string] {
  const key = deriveSealKey(pair, kind);
  return [key.subarray(0, 32).toString('hex'), key.subarray(32).toString('hex')];
}
