import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, type SessionId } from '../../domain/id.ts';
import { createOwedEnds, type OwedEnds } from './owed-ends.ts';

const log = { warn: () => undefined, error: () => undefined };

test('settle() does what is owed in order, once, and forgets it only when it is done (4.2)', async () => {
  const refused: SessionId[] = [];
  const owed = createOwedEnds({ refuse: (ids) => refused.push(...ids), log });
  const [a, b] = [newId('ses'), newId('ses')];
  const done: string[] = [];
  let away = true;
  for (const id of [a, b])
    owe(owed, id, async () => {
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
  owe(owed, bad, () => Promise.reject(new Error('refused')));
  owe(owed, good, () => Promise.resolve());
  await owed.settle();
  assert.deepEqual([owed.has(bad), owed.has(good)], [true, false]);
});

test('owe() keeps one logout that is told again and again once, so that it fills no place of others (4.2)', async () => {
  const refused: SessionId[] = [];
  const owed = createOwedEnds({ refuse: (ids) => refused.push(...ids), log });
  const [again, other] = [newId('ses'), newId('ses')];
  let ended = 0;
  for (let time = 0; time < 10_001; time++)
    owe(owed, again, async () => {
      ended++;
    });
  owe(owed, other, () => Promise.resolve());
  assert.deepEqual(refused, [again, other]);
  assert.equal(owed.has(other), true);
  await owed.settle();
  assert.equal(ended, 1);
});

test('owe() keeps a real logout when thousands are made up, from one network or from many (4.2)', async () => {
  const refused = new Set<string>();
  const errors: string[] = [];
  const owed = createOwedEnds<string>({
    refuse: (ids) => ids.forEach((id) => refused.add(id)),
    log: { warn: () => undefined, error: (_fields, message) => void errors.push(message) },
  });
  const done: string[] = [];
  const end = (id: string) => async () => void done.push(id);
  const from = (id: string, address: string) =>
    owed.owe({ ids: [id], end: end(id), from: address, isOurs: false });
  owed.seen('real-1');
  owed.seen('real-2');
  from('real-1', '192.0.2.1');
  // The addresses of one /64 are one.
  for (let count = 0; count < 10_000; count++) from(`made-up-${count}`, `2001:db8::${count.toString(16)}`);
  assert.equal(refused.size, 101);
  from('unknown', '192.0.2.1');
  // A /48 counts as four of them.
  const before = refused.size;
  for (let site = 1; site < 120; site++)
    for (let count = 0; count < 100; count++)
      from(`near-${site}-${count}`, `2001:db8:0:${site.toString(16)}::1`);
  assert.equal(refused.size - before, 300);
  for (let block = 1; block <= 120; block++)
    for (let count = 0; count < 100; count++)
      from(`made-up-${block}-${count}`, `2001:db8:${block.toString(16)}::1`);
  from('real-2', '192.0.2.2');
  from('unknown-2', '192.0.2.3');
  for (const id of ['real-1', 'unknown', 'real-2', 'unknown-2']) assert.ok(owed.has(id), id);
  assert.equal(errors.length, 1, 'the log is told once');
  await owed.settle();
  assert.ok(done.length <= 10_000);
  for (const id of ['real-1', 'unknown', 'real-2', 'unknown-2']) assert.ok(done.includes(id), id);
  assert.equal(done.filter((id) => owed.has(id)).length, 0);
});

test('has() looks at no other logout that is owed, and forgets none that is owed twice', async () => {
  const owed = createOwedEnds<string>({ refuse: () => undefined, log });
  const ids = Array.from({ length: 10_000 }, (_, count) => `session-${count}`);
  for (const id of ids) owed.owe({ ids: [id], end: failing, from: id, isOurs: true });
  const began = process.cpuUsage();
  for (let round = 0; round < 100; round++) for (const id of ids) assert.equal(owed.has(id), true);
  const { user, system } = process.cpuUsage(began);
  assert.ok((user + system) / 1_000_000 < 10, 'a million looks, which took an hour when each was at all');
  const twice = createOwedEnds<string>({ refuse: () => undefined, log });
  twice.owe({ ids: ['a'], end: async () => undefined, from: null, isOurs: true });
  twice.owe({ ids: ['a', 'b'], end: failing, from: null, isOurs: true });
  await twice.settle();
  assert.deepEqual([twice.has('a'), twice.has('b')], [true, true]);
});

function owe(owed: OwedEnds, id: SessionId, end: () => Promise<void>): void {
  owed.owe({ ids: [id], end, from: '192.0.2.1', isOurs: true });
}

async function failing(): Promise<void> {
  throw new Error('away');
}
