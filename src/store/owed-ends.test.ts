import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, type SessionId } from '../domain/id.ts';
import { createOwedEnds } from './owed-ends.ts';

const log = { warn: () => undefined, error: () => undefined };

test('settle() does what is owed in order, once, and forgets it only when it is done (4.2)', async () => {
  const refused: SessionId[] = [];
  const owed = createOwedEnds({ refuse: (ids) => refused.push(...ids), log });
  const [a, b] = [newId('ses'), newId('ses')];
  const done: string[] = [];
  let away = true;
  for (const id of [a, b])
    owed.owe([id], async () => {
      if (away) throw new Error('away');
      done.push(id);
    });
  assert.deepEqual(refused, [a, b]);
  await owed.settle();
  assert.deepEqual([owed.has(a), owed.has(b), owed.has(newId('ses'))], [true, true, false]);
  away = false;
  await Promise.all([owed.settle(), owed.settle()]);
  assert.deepEqual(done, [a, b]);
  assert.deepEqual([owed.has(a), owed.has(b)], [false, false]);
});

test('settle() lets one that the store never takes keep none of the others', async () => {
  const owed = createOwedEnds({ refuse: () => undefined, log });
  const [bad, good] = [newId('ses'), newId('ses')];
  owed.owe([bad], () => Promise.reject(new Error('refused')));
  owed.owe([good], () => Promise.resolve());
  await owed.settle();
  assert.deepEqual([owed.has(bad), owed.has(good)], [true, false]);
});

test('owe() keeps one logout that is told again and again once, so that it fills no place of others (4.2)', async () => {
  const refused: SessionId[] = [];
  const owed = createOwedEnds({ refuse: (ids) => refused.push(...ids), log });
  const [again, other] = [newId('ses'), newId('ses')];
  let ended = 0;
  for (let time = 0; time < 10_001; time++)
    owed.owe([again], async () => {
      ended++;
    });
  owed.owe([other], () => Promise.resolve());
  assert.deepEqual(refused, [again, other]);
  assert.equal(owed.has(other), true);
  await owed.settle();
  assert.equal(ended, 1);
});
