import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Secret } from '../domain/secret.ts';
import { type SealedPlace, createColumnSeal } from './column-seal.ts';
import { newMasterKeyText, parseMasterKey } from './master-key.ts';

test('ColumnSeal.open() gives back what was sealed in the same place', () => {
  const seal = freshSeal();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(seal.open(PLACE, seal.seal(PLACE, new Secret(text))).reveal(), text);
    }),
  );
});

test('ColumnSeal.open() refuses a value from another table, column, row or account (DESIGN 3 "Keys")', () => {
  const seal = freshSeal();
  const sealed = seal.seal(PLACE, new Secret('token'));
  const others: readonly Partial<SealedPlace>[] = [
    { table: 'sessions2' },
    { column: 'token' },
    { rowId: 'ses_2' },
    { accountId: 'acc_2' },
    { rowId: 'ses_1","acc_1' },
    { table: 'sessionst', column: 'okens' },
  ];
  for (const other of others)
    assert.throws(() => seal.open({ ...PLACE, ...other }, sealed), { code: 'internal' });
});

test('ColumnSeal.open() refuses any flipped bit and any cut', () => {
  const seal = freshSeal();
  const bytes = Buffer.from(seal.seal(PLACE, new Secret('token')), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.throws(() => seal.open(PLACE, changed.toString('base64url')), { code: 'internal' });
  }
  for (let length = 0; length < bytes.length; length++)
    assert.throws(() => seal.open(PLACE, bytes.subarray(0, length).toString('base64url')), {
      code: 'internal',
    });
});

test('ColumnSeal.open() refuses another master key', () => {
  const sealed = freshSeal().seal(PLACE, new Secret('token'));
  assert.throws(() => freshSeal().open(PLACE, sealed), { code: 'internal' });
});

test('ColumnSeal.seal() never makes the same text twice and shows nothing of it', () => {
  const seal = freshSeal();
  const texts = Array.from({ length: 100 }, () => seal.seal(PLACE, new Secret('token')));
  assert.equal(new Set(texts).size, 100);
  for (const text of texts) assert.doesNotMatch(Buffer.from(text, 'base64url').toString('latin1'), /token/);
});

function freshSeal() {
  const key = parseMasterKey(newMasterKeyText());
  if (key === null) throw new Error('a key was to be had');
  return createColumnSeal(key);
}

const PLACE: SealedPlace = { table: 'sessions', column: 'tokens', rowId: 'ses_1', accountId: 'acc_1' };
