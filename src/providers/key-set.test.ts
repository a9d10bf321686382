import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { documentLimits } from './answer-limits.ts';
import type { OutboundFetch } from './dialler.ts';
import { BUDGET, createKeySet, freshMs, KEY_SET_PAUSE_MS } from './key-set.ts';

const hour = 60 * 60 * 1000;

test('createKeySet() fetches known keys no more often than the cache headers say', async () => {
  const idp = await provider({ 'cache-control': 'public, max-age=7200' });
  const jwt = await idp.sign();
  await idp.keys(jwt);
  idp.clock.now += 2 * hour - 1;
  for (let time = 0; time < 10; time++) await idp.keys(jwt);
  assert.equal(idp.asked, 1);
  idp.clock.now += 1;
  await idp.keys(jwt);
  assert.equal(idp.asked, 2);
});

test('createKeySet() fetches at once for a token of another key, under a new id or the former one', async () => {
  const idp = await provider({ 'cache-control': 'max-age=86400' });
  await idp.keys(await idp.sign());
  for (const kid of ['two', 'two']) {
    await idp.changeKey(kid);
    const { keys } = (await (await idp.keys(await idp.sign())).json()) as { keys: readonly object[] };
    assert.deepEqual(keys, [idp.publicJwk]);
  }
  assert.equal(idp.asked, 3);
});

test('createKeySet() makes no more fetches than its budget for tokens of unknown keys, and keeps answering', async () => {
  const idp = await provider({ 'cache-control': 'max-age=86400' });
  const jwt = await idp.sign();
  await idp.keys(jwt);
  const stranger = await provider({});
  const forged = await stranger.sign();
  for (let time = 0; time < 100; time++) assert.equal((await idp.keys(forged)).status, 200);
  assert.equal(idp.asked, BUDGET);
  idp.clock.now += BUDGET * KEY_SET_PAUSE_MS;
  await Promise.all(Array.from({ length: 20 }, () => idp.keys(forged)));
  assert.equal(idp.asked, BUDGET + 1, 'those that come together share one');
});

test('createKeySet() has one fetch under way, and pauses after one that failed', async () => {
  const idp = await provider({});
  idp.fails = true;
  const burst = () => Promise.allSettled(Array.from({ length: 5 }, () => idp.keys(null)));
  assert.deepEqual([...new Set((await burst()).map(({ status }) => status))], ['rejected']);
  idp.clock.now += KEY_SET_PAUSE_MS - 1;
  assert.deepEqual([...new Set((await burst()).map(({ status }) => status))], ['rejected']);
  assert.equal(idp.asked, 1);
  idp.fails = false;
  idp.clock.now += 1;
  assert.deepEqual([...new Set((await burst()).map(({ status }) => status))], ['fulfilled']);
  assert.equal(idp.asked, 2);
});

test('createKeySet() parses and imports the keys once for each set that it fetched, however many tokens come', async (t) => {
  const idp = await provider({ 'cache-control': 'max-age=86400' });
  const tokens = await Promise.all(Array.from({ length: 5 }, idp.sign));
  const imports = t.mock.method(crypto.subtle, 'importKey');
  const parses = t.mock.method(JSON, 'parse');
  for (const token of tokens) assert.ok((await jwtVerify(token, idp.find)).payload);
  for (const token of tokens) await idp.keys(token);
  const sets = parses.mock.calls.filter(({ arguments: [text] }) => String(text).startsWith('{"keys"'));
  assert.deepEqual([idp.asked, imports.mock.callCount(), sets.length], [1, 1, 1]);
});

test('createKeySet() keeps the keys that it has when what comes is no key set, or too large a one', async () => {
  const idp = await provider({ 'cache-control': 'max-age=60' });
  const jwt = await idp.sign();
  await idp.keys(jwt);
  idp.answers = { keys: Array.from({ length: documentLimits(null).keys + 1 }, () => idp.publicJwk) };
  idp.clock.now += 61_000;
  await assert.rejects(idp.keys(jwt), { code: 'provider_error' });
  idp.answers = null;
  idp.clock.now += KEY_SET_PAUSE_MS;
  assert.equal((await idp.keys(jwt)).status, 200);
});

test('freshMs() believes max-age without Age, between a minute and a day (RFC 9111)', () => {
  assert.equal(freshSeconds({ 'cache-control': 'public, max-age=3600', age: '600' }), 3000);
  assert.equal(freshSeconds({ 'cache-control': 'max-age=0' }), 60);
  assert.equal(freshSeconds({ 'cache-control': 'no-store' }), 60);
  assert.equal(freshSeconds({ 'cache-control': 'max-age=999999999' }), 86_400);
  assert.equal(freshSeconds({}), 600);
});

async function provider(headers: Record<string, string>) {
  const clock = { now: 0 };
  let key = await newKey('one');
  const fetch: OutboundFetch = async () => {
    idp.asked++;
    if (idp.fails) throw new Error('away');
    return Response.json(idp.answers ?? { keys: [key.publicJwk] }, { headers });
  };
  const { answer: keys, find } = createKeySet('https://idp.example/keys', {
    fetch,
    limits: documentLimits(null),
    now: () => clock.now,
  });
  const idp = {
    clock,
    keys,
    find,
    answers: null as object | null,
    asked: 0,
    fails: false,
    get publicJwk() {
      return key.publicJwk;
    },
    changeKey: async (kid: string) => {
      key = await newKey(kid);
    },
    sign: () =>
      new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg: 'ES256', kid: key.kid }).sign(key.privateKey),
  };
  return idp;
}

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { privateKey, kid, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } };
}

function freshSeconds(headers: Record<string, string>): number {
  return freshMs(new Headers(headers)) / 1000;
}
