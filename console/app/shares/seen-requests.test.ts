import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchedEvent } from '../../../src/client/watch-requests.ts';
import {
  durationText,
  goneOn,
  MOST_ROWS,
  NOTHING_SEEN,
  ofKind,
  reasonText,
  type SeenRequests,
  statusKind,
  withEvents,
} from './seen-requests.ts';

const REQUEST = {
  at: '2026-01-02T03:04:05.006Z',
  method: 'GET',
  path: '/',
  status: 200,
  authorized: false,
  ms: 12,
  who: null,
  reason: null,
  aborted: false,
  address: '192.0.2.1',
  requestId: 'req-1',
};

function requests(...paths: readonly string[]): readonly WatchedEvent[] {
  return paths.map((path) => ({ kind: 'request', request: { ...REQUEST, path } }));
}

function pathsOf({ rows }: SeenRequests): readonly string[] {
  return rows.map((row) => (row.kind === 'request' ? row.request.path : `${row.skipped} more`));
}

test('withEvents() shows the newest first, and no more than a table holds', () => {
  const few = withEvents(NOTHING_SEEN, [{ kind: 'open' }, ...requests('/1', '/2')], false);
  assert.deepEqual(pathsOf(few), ['/2', '/1']);
  const more = withEvents(few, [{ kind: 'skipped', skipped: 7 }, ...requests('/3')], false);
  assert.deepEqual([pathsOf(more), more.total], [['/3', '7 more', '/2', '/1'], 10]);
  assert.equal(new Set(more.rows.map(({ key }) => key)).size, 4);
  const many = withEvents(more, requests(...Array.from({ length: 500 }, (_, index) => `/${index}`)), false);
  assert.deepEqual([many.rows.length, pathsOf(many)[0], many.total], [MOST_ROWS, '/499', 510]);
});

test('withEvents() moves nothing while it is held still, and goneOn() shows what came', () => {
  const shown = withEvents(NOTHING_SEEN, requests('/1'), false);
  const still = withEvents(withEvents(shown, requests('/2'), true), requests('/3'), true);
  assert.deepEqual([pathsOf(still), still.held.length], [['/1'], 2]);
  assert.deepEqual(pathsOf(goneOn(still)), ['/3', '/2', '/1']);
  const long = withEvents(still, requests(...Array.from({ length: 1_000 }, () => '/x')), true);
  assert.equal(long.held.length, MOST_ROWS);
});

test('ofKind() takes answers of one kind', () => {
  const kinds = [101, 200, 302, 404, 502, null].map(statusKind);
  assert.deepEqual(kinds, ['ok', 'ok', 'redirect', 'refused', 'failed', 'none']);
  const seen = withEvents(NOTHING_SEEN, requests('/1'), false);
  assert.deepEqual([ofKind(seen.rows, '').length, ofKind(seen.rows, 'ok').length], [1, 1]);
  assert.equal(ofKind(seen.rows, 'failed').length, 0);
});

test('durationText() and reasonText() are short words', () => {
  assert.deepEqual([0, 12, 1_500, 90_000].map(durationText), ['0 ms', '12 ms', '1.5 s', '2 min']);
  assert.equal(reasonText(REQUEST), null);
  assert.equal(reasonText({ ...REQUEST, aborted: true }), 'broke off');
  assert.equal(reasonText({ ...REQUEST, reason: 'login_required' }), 'sent to log in');
  assert.equal(reasonText({ ...REQUEST, reason: 'something_new' }), 'something new');
  assert.equal(reasonText({ ...REQUEST, reason: 'constructor' }), 'constructor');
});
