import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportJWK, generateKeyPair } from 'jose';
import { readKeys } from './verifying-keys.ts';

const refused = { name: 'ServiceError', code: 'provider_error' };
const ES256 = { alg: 'ES256' };
const NO_TOKEN = { payload: '', signature: '' };

test('readKeys() keeps what verifies a signature, and nothing else of a key (RFC 7517)', async () => {
  const key = await publicKey('one');
  const { text } = readKeys(
    setOf([{ ...key, use: 'sig', key_ops: ['verify'], x5c: ['y'.repeat(9000)], x: key.x, more: [{}] }]),
    10,
  );
  assert.deepEqual(JSON.parse(text), { keys: [{ ...key, use: 'sig', key_ops: ['verify'] }] });
});

test('readKeys() takes no key of unreal size, and none that anybody may sign with', async () => {
  const key = await publicKey('one');
  const rsa = { kty: 'RSA', n: 'w'.repeat(342), e: 'AQAB' };
  const unusable = [
    { ...key, kid: 'k'.repeat(513) },
    { ...rsa, n: 'w'.repeat(1367) },
    { ...rsa, e: 'w'.repeat(12) },
    { ...rsa, n: 7 },
    { ...key, d: 'private' },
    { kty: 'oct', k: 'shared' },
    { ...key, key_ops: Array.from({ length: 9 }, () => 'verify') },
    null,
    [],
  ];
  assert.equal(readKeys(setOf(unusable), 10).text, '{"keys":[]}');
  assert.deepEqual(JSON.parse(readKeys(setOf([rsa]), 10).text), { keys: [rsa] });
});

test('readKeys() refuses what is no key set, and one with more keys than are read', async () => {
  for (const text of ['', 'null', '[]', '{}', '{"keys":{}}', '{"keys":'])
    assert.throws(() => readKeys(text, 10), refused, text);
  const key = await publicKey('one');
  const keys = Array.from({ length: 11 }, () => key);
  assert.throws(() => readKeys(setOf(keys), 10), refused);
  assert.ok(readKeys(setOf(keys.slice(1)), 10));
});

test('readKeys() imports a key once, however many tokens it verifies', async (t) => {
  const { find } = readKeys(setOf([await publicKey('one'), await publicKey('two')]), 10);
  const imports = t.mock.method(crypto.subtle, 'importKey');
  const first = await find({ ...ES256, kid: 'one' }, NO_TOKEN);
  for (let time = 0; time < 10; time++) assert.equal(await find({ ...ES256, kid: 'one' }, NO_TOKEN), first);
  assert.equal(imports.mock.callCount(), 1);
});

function setOf(keys: readonly unknown[]): string {
  return JSON.stringify({ keys });
}

async function publicKey(kid: string) {
  const { publicKey: key } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(key)), kid, alg: 'ES256' };
}
