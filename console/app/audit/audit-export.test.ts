// Exports: every event of the filter, once, in the order of time, within a bound.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEventObject, AuditSearch } from '../../../src/wire/audit-event.ts';
import { exportEvents, exportName, MOST_EVENTS } from './audit-export.ts';

const EVENT: AuditEventObject = {
  id: '',
  at: '2030-01-31T09:00:00.000Z',
  kind: 'logout',
  shareId: null,
  sessionId: null,
  provider: null,
  email: '=cmd',
  actor: null,
  ip: null,
  requestId: null,
  reason: null,
  rule: null,
  result: 'done',
};

/** A log of so many events; the newest has the highest number. */
function logOf(count: number) {
  const asked: AuditSearch[] = [];
  const list = async (search: AuditSearch) => {
    asked.push(search);
    const from = search.cursor === null || search.cursor === undefined ? count : Number(search.cursor);
    const to = Math.max(0, from - (search.limit ?? 0));
    const items = Array.from({ length: from - to }, (_, index) => ({ ...EVENT, id: `${from - index}` }));
    return { items, nextCursor: to === 0 ? null : String(to), followCursor: 'x' };
  };
  return { list, asked };
}

const { signal } = new AbortController();

test('exportEvents() writes every event once, the oldest first, and says how far it is', async () => {
  const { list, asked } = logOf(450);
  const seen: number[] = [];
  const done = await exportEvents(
    'jsonl',
    { email: 'a@b.c' },
    { list, progress: (n) => seen.push(n), signal },
  );
  assert.deepEqual(
    done?.parts.map((part) => (JSON.parse(part) as AuditEventObject).id),
    Array.from({ length: 450 }, (_, index) => `${index + 1}`),
  );
  assert.deepEqual([done?.count, done?.isCut, seen], [450, false, [200, 400, 450]]);
  assert.ok(asked.every(({ email, order }) => email === 'a@b.c' && order === 'newest'));
});

test('exportEvents() keeps to its bound, and says that it did', async () => {
  const { list } = logOf(MOST_EVENTS + 300);
  const done = await exportEvents('csv', {}, { list, progress: () => undefined, signal });
  assert.deepEqual([done?.count, done?.isCut], [MOST_EVENTS, true]);
  assert.equal(done?.parts.length, MOST_EVENTS + 1);
  assert.match(done?.parts[0] ?? '', /^"at",/);
  assert.ok(done?.parts.at(-1)?.includes(`"${MOST_EVENTS + 300}"`));
  assert.ok(done?.parts[1]?.includes(`"'=cmd"`));
});

test('exportEvents() stops when it is told to', async () => {
  const { list, asked } = logOf(1_000);
  const stop = new AbortController();
  const done = await exportEvents('csv', {}, { list, progress: () => stop.abort(), signal: stop.signal });
  assert.equal(done, null);
  assert.equal(asked.length, 2);
});

test('exportName() has the account and the day', () => {
  assert.equal(exportName('csv', 'acme', new Date(Date.UTC(2030, 0, 31))), 'audit-acme-2030-01-31.csv');
});
