import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';

import { randomToken, shortHash } from '../domain/secret.ts';
import { openLoginRequest, sealLoginRequest, type LoginRequest } from './login-request.ts';
import { beginUrl, openBeginGrant, type BeginGrant } from './begin-grant.ts';
import { addressKey, openAddress, sealAddress } from './kept-address.ts';
import { bytesField, hashField, numberField } from './record.ts';
import { createSeal } from './seal.ts';

const seal = createSeal([{ signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(24) }]);
const bindingHash = shortHash('a browser');
const ORIGIN = 'https://demo.share.example.com';

test('an address of any length up to 16 KiB of query comes back as it was, from pieces that fit cookies (3)', () => {
  for (const length of [1, 2_000, 4_000, 8_192, 12_000, 16_384])
    for (const query of [randomText(length), randomBase64(length), '%F0%9F%98%80'.repeat(length / 12 + 1)]) {
      const url = `${ORIGIN}/page?${query}`.slice(0, 17_000);
      const kept = sealAddress(seal, { url, bindingHash })!;
      assert.ok(
        kept.pieces.every((piece) => piece.length < 3_800),
        'browsers keep 4,096 with name and attributes',
      );
      assert.ok(kept.pieces.join('').length < 21 * 1024, `${kept.pieces.join('').length} in all`);
      assert.equal(openAddress(seal, { key: kept.key, at: (index) => [kept.pieces[index]!] }), url);
      assert.equal(kept.key, addressKey({ url, bindingHash }));
    }
});

test('an address over the limit is not kept, not even when it deflates well', () => {
  for (const length of [17_500, 30_000, 1_000_000])
    assert.equal(sealAddress(seal, { url: `${ORIGIN}/?${'a'.repeat(length)}`, bindingHash }), null);
});

test('the key is of one address in one browser', () => {
  const url = `${ORIGIN}/a`;
  const keys = [
    { url, bindingHash },
    { url, bindingHash: null },
    { url, bindingHash: shortHash('another') },
    { url: `${url}b`, bindingHash },
  ].map(addressKey);
  assert.equal(new Set(keys).size, keys.length);
});

test('pieces that are missing, out of order, of another address, altered or sealed elsewhere open as nothing', () => {
  const url = `${ORIGIN}/?${randomText(9_000)}`;
  const { key, pieces } = sealAddress(seal, { url, bindingHash })!;
  const other = sealAddress(seal, { url: `${url}x`, bindingHash })!;
  const foreign = createSeal([{ signingKey: 'x'.repeat(32), encryptionKey: 'y'.repeat(24) }]);
  const elsewhere = sealAddress(foreign, { url, bindingHash })!;
  const opened = (list: readonly (string | undefined)[]) =>
    openAddress(seal, { key, at: (index) => [list[index]].filter((each) => each !== undefined) });
  assert.equal(opened(pieces), url);
  for (let index = 0; index < pieces.length; index++) {
    assert.equal(opened(pieces.toSpliced(index, 1, other.pieces[index]!)), null);
    assert.equal(opened(pieces.toSpliced(index, 1)), null);
    const flipped = Buffer.from(pieces[index]!);
    flipped[2_000]! ^= 1;
    assert.equal(opened(pieces.toSpliced(index, 1, flipped.toString('latin1'))), null);
  }
  assert.equal(opened(pieces.toReversed()), null);
  assert.equal(opened(elsewhere.pieces), null);
  assert.equal(opened([]), null);
  assert.equal(openAddress(seal, { key: other.key, at: (index) => [pieces[index]!] }), null);
});

test('a planted piece beside the own one hides nothing (THREATS "Session and cookie": planted cookies)', () => {
  const url = `${ORIGIN}/?${randomText(6_000)}`;
  const { key, pieces } = sealAddress(seal, { url, bindingHash })!;
  const planted = sealAddress(seal, { url: `${ORIGIN}/evil?${randomText(6_000)}`, bindingHash: null })!;
  assert.equal(
    openAddress(seal, { key, at: (index) => ['', 'x', planted.pieces[index]!, pieces[index]!] }),
    url,
  );
});

test('pieces that inflate without end are given up at the limit (THREATS "Session and cookie": decompression)', () => {
  const key = randomToken();
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024, 'a')).subarray(0, 100_000);
  const part = bomb.subarray(0, 2_600);
  const content = (bytes: Uint8Array) =>
    Buffer.concat([
      numberField(1, 1),
      hashField(key),
      numberField(0, 1),
      numberField(1, 1),
      bytesField(bytes, 2),
    ]);
  const sealed = seal.seal('kept-address', content(part));
  const before = process.memoryUsage().arrayBuffers;
  assert.equal(openAddress(seal, { key, at: () => [sealed] }), null);
  assert.ok(process.memoryUsage().arrayBuffers - before < 4 * 1024 * 1024);
  const whole = seal.seal('kept-address', content(deflateSync(Buffer.alloc(2_000_000, 'a'))));
  assert.equal(openAddress(seal, { key, at: () => [whole] }), null, 'a whole one, too');
  const broken = seal.seal('kept-address', content(randomBytes(500)));
  assert.equal(openAddress(seal, { key, at: () => [broken] }), null);
});

test('requests and grants without a key are as the version before writes and reads them', () => {
  const request: LoginRequest = {
    shareId: 'shr_7x0zvq8ntwk9evasgdqqjtpent',
    providerName: 'corp',
    returnUrl: `${ORIGIN}/`,
    addressKey: null,
    bindingHash,
    selectAccount: false,
    expiresAt: 1_800_000_000_000,
  };
  const grant: Omit<BeginGrant, 'expiresAt'> = {
    sessionId: 'ses_67a2wwkgwsckpcggkw0s1qjr0t',
    shareId: request.shareId,
    bindingHash,
    returnUrl: `${ORIGIN}/`,
    addressKey: null,
    setOutAt: 1_800_000_000_000,
    session: null,
  };
  const addressed = { addressKey: randomToken() };
  const grantOf = (given: typeof grant) =>
    new URL(beginUrl(seal, given, given.setOutAt)).searchParams.get('grant')!;
  const versionOf = (kind: 'login-request' | 'begin-grant', sealed: string) => seal.open(kind, sealed)?.[0];
  const plainRequest = sealLoginRequest(seal, request);
  assert.equal(versionOf('login-request', plainRequest), 1);
  assert.equal(versionOf('begin-grant', grantOf(grant)), 1);
  assert.deepEqual(openLoginRequest(seal, plainRequest), request);
  const longRequest = sealLoginRequest(seal, { ...request, ...addressed });
  assert.equal(versionOf('login-request', longRequest), 2);
  assert.deepEqual(openLoginRequest(seal, longRequest), { ...request, ...addressed });
  for (const more of [addressed, { ...addressed, bindingHash: null }]) {
    const given = { ...grant, ...more };
    assert.equal(versionOf('begin-grant', grantOf(given)), 2);
    const expiresAt = given.setOutAt + 30_000;
    assert.deepEqual(openBeginGrant(seal, grantOf(given)), { ...given, expiresAt });
    assert.equal(
      new URL(beginUrl(seal, given, 0)).pathname,
      `/.svc/begin/${addressed.addressKey}`,
      'where its cookies are sent',
    );
  }
});

/** Every character that a target may have, none more than another: what deflates worst. */
function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

function randomBase64(length: number): string {
  return randomBytes(length).toString('base64url').slice(0, length);
}

const ALPHABET = Array.from({ length: 94 }, (_, index) => String.fromCodePoint(33 + index)).filter(
  (character) => character !== '#',
);
