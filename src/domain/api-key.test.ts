import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashApiKey, newApiKey, parseApiKey } from './api-key.ts';
import { Secret } from './secret.ts';

test('newApiKey() makes keys of 256 random bits that parse and never repeat (DESIGN 2.5)', () => {
  const keys = new Set(Array.from({ length: 100 }, () => newApiKey().reveal()));
  assert.equal(keys.size, 100);
  for (const key of keys) assert.equal(parseApiKey(key)?.reveal(), key);
});

test('parseApiKey() refuses what cannot be a key (DESIGN 2.5)', () => {
  const key = newApiKey().reveal();
  for (const text of [
    '',
    'dw_',
    key.slice(1),
    key.slice(0, -1),
    `${key}A`,
    `${key}\n`,
    key.replace('dw_', 'DW_'),
  ])
    assert.equal(parseApiKey(text), null);
});

test('hashApiKey() is the SHA-256 of the whole key in hex (DESIGN 2.5)', () => {
  assert.equal(
    hashApiKey(new Secret('abc')),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
