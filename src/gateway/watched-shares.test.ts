import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShareId } from '../domain/id.ts';
import type { RequestBatch } from '../domain/share-request.ts';
import { noEvents, type Exchange } from './inbound.ts';
import { Visit } from './visit.ts';
import { createWatchedShares } from './watched-shares.ts';

const EXCHANGE = {
  protocol: 'HTTP/1.1',
  method: 'GET',
  target: '/',
  rawHeaders: [],
  remoteAddress: '192.0.2.1',
  events: noEvents(),
} as unknown as Exchange;

function visitTo(id: ShareId): Visit {
  const visit = new Visit(EXCHANGE, 'id');
  Object.assign(visit, { status: 200, share: { id } });
  return visit;
}

test('createWatchedShares() tells so many a second of each share, and counts the rest (THREATS "Exhaustion")', (t) => {
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  const batches: RequestBatch[] = [];
  const watched = createWatchedShares((told) => batches.push(...told));
  watched.watch(['shr_1', 'shr_2']);
  const flood = (id: ShareId, count: number) => {
    for (let each = 0; each < count; each++) watched.note(visitTo(id), true);
  };
  const said = () => {
    watched.flush();
    return batches.splice(0).map(({ shareId, requests, skipped }) => [shareId, requests.length, skipped]);
  };
  flood('shr_1', 10_000);
  flood('shr_2', 3);
  flood('shr_3', 3);
  assert.deepEqual(said(), [
    ['shr_1', 400, 9_600],
    ['shr_2', 3, 0],
  ]);
  flood('shr_1', 5);
  assert.deepEqual(said(), [['shr_1', 0, 5]]);
  now += 1_000;
  // What others watch now takes nothing from whoever watched before.
  watched.watch(['shr_1', 'shr_4']);
  flood('shr_1', 150);
  assert.deepEqual(said(), [['shr_1', 100, 50]]);
  assert.deepEqual(said(), []);
});
