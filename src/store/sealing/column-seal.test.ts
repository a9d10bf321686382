import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { Secret } from '../../domain/secret.ts';
import { createColumnSeal } from './column-seal.ts';
import type { SealedPlace } from './sealed-columns.ts';
import { newMasterKeyText, parseMasterKey } from './master-key.ts';

test('ColumnSeal.open() gives back what was sealed in the same place', () => {
  const seal = freshSeal();
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      assert.equal(seal.open(PLACE, seal.first.seal(PLACE, new Secret(text))).reveal(), text);
    }),
  );
});

test('ColumnSeal.open() refuses a value from another table, column, row or account (DESIGN "Keys")', () => {
  const seal = freshSeal();
  const sealed = seal.first.seal(PLACE, new Secret('token'));
  const others: readonly Partial<SealedPlace>[] = [
    { table: 'webhooks' },
    { column: 'secret' },
    { rowId: 'ses_2' },
    { accountId: 'acc_2' },
    { rowId: 'ses_1","acc_1' },
    { table: 'webhooks', column: 'secret' },
  ];
  for (const other of others)
    assert.throws(() => seal.open({ ...PLACE, ...other }, sealed), { code: 'internal' });
});

test('ColumnSeal.open() refuses any flipped bit and any cut', () => {
  const seal = freshSeal();
  const bytes = Buffer.from(seal.first.seal(PLACE, new Secret('token')), 'base64url');
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
  const sealed = freshSeal().first.seal(PLACE, new Secret('token'));
  assert.throws(() => freshSeal().open(PLACE, sealed), { code: 'internal' });
});

test('ColumnSeal.open() asks for further master keys once none known opens, and keeps them', () => {
  const [old, next] = [freshKey(), freshKey()];
  const sealed = createColumnSeal(next).first.seal(PLACE, new Secret('token'));
  let file = [old];
  const seal = createColumnSeal(old, () => file);
  assert.throws(() => seal.open(PLACE, sealed), { code: 'internal' });
  file = [old, next];
  assert.equal(seal.open(PLACE, sealed).reveal(), 'token');
  file = [];
  assert.equal(seal.open(PLACE, sealed).reveal(), 'token');
});

test('ColumnSeal.sealerOf() seals under the key that the value was sealed with', () => {
  const [old, next] = [freshKey(), freshKey()];
  const both = createColumnSeal(old, () => [next]);
  const check = createColumnSeal(next).first.seal(PLACE, new Secret('check'));
  const sealed = both.sealerOf(PLACE, check).seal(PLACE, new Secret('token'));
  assert.equal(createColumnSeal(next).open(PLACE, sealed).reveal(), 'token');
  assert.throws(() => createColumnSeal(old).open(PLACE, sealed), { code: 'internal' });
  assert.throws(() => createColumnSeal(old).sealerOf(PLACE, check), { code: 'internal' });
});

test('ColumnSeal.seal() never makes the same text twice and shows nothing of it', () => {
  const seal = freshSeal();
  const texts = Array.from({ length: 100 }, () => seal.first.seal(PLACE, new Secret('token')));
  assert.equal(new Set(texts).size, 100);
  for (const text of texts) assert.doesNotMatch(Buffer.from(text, 'base64url').toString('latin1'), /token/);
});

function freshSeal() {
  return createColumnSeal(freshKey());
}

function freshKey(): Secret {
  const key = parseMasterKey(newMasterKeyText());
  if (key === null) throw new Error('a key was to be had');
  return key;
}

const PLACE: SealedPlace = { table: 'sessions', column: 'tokens', rowId: 'ses_1', accountId: 'acc_1' };
