import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newId } from '../domain/id.ts';
import { createKeptSignatures } from './kept-signatures.ts';

test('createKeptSignatures() gives a signature back for the very text that was signed, and no other', () => {
  const kept = createKeptSignatures();
  const signature = randomBytes(64);
  kept.keep('one', 'a text', { at: 5, signature });
  assert.deepEqual(Buffer.from(kept.find('one', 'a text') ?? []), signature);
  assert.equal(kept.signedAt('one'), 5);
  for (const text of ['a text ', 'A text', '', 'another']) assert.equal(kept.find('one', text), null);
  assert.equal(kept.find('two', 'a text'), null);
  const next = randomBytes(64);
  kept.keep('one', 'another', { at: 6, signature: next });
  assert.equal(kept.find('one', 'a text'), null);
  assert.deepEqual(Buffer.from(kept.find('one', 'another') ?? []), next);
});

test('createKeptSignatures() keeps nearly all of very many while it grows, and never mixes them up (property)', () => {
  const kept = createKeptSignatures(1 << 14);
  const all = Array.from({ length: 20_000 }, (_, n) => ({
    key: newId('ses'),
    text: `text ${n}`,
    at: n + 1,
    signature: randomBytes(64),
  }));
  for (const [n, { key, text, ...signed }] of all.entries()) {
    kept.keep(key, text, signed);
    if (n !== 7_999) continue;
    const found = all.slice(0, 8_000).filter((one) => kept.find(one.key, one.text) !== null).length;
    assert.ok(found > 7_200, `${found} of 8000, with room for twice as many`);
  }
  let found = 0;
  for (const { key, text, at, signature } of all) {
    const again = kept.find(key, text);
    if (again === null) continue;
    found++;
    assert.deepEqual(Buffer.from(again), signature);
    assert.equal(kept.signedAt(key), at);
  }
  assert.ok(found > 13_000 && found <= 1 << 14, `${found}`);
});
