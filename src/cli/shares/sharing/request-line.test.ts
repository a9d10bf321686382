import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestLine, timeOfDay } from './request-line.ts';
import type { ShownRequest } from './view.ts';

const REQUEST: ShownRequest = {
  at: new Date(2026, 10, 21, 9, 8, 7).getTime(),
  method: 'GET',
  path: '/reports?year=2026',
  status: 200,
  durationMs: 12,
  email: 'ada@example.com',
  fault: null,
};

test('requestLine() tells time, method, path, status, duration and email (The person’s view)', () => {
  assert.equal(timeOfDay(REQUEST.at), '09:08:07');
  assert.equal(
    requestLine(REQUEST, false),
    '09:08:07  GET     /reports?year=2026                200     12 ms  ada@example.com\n',
  );
  assert.match(requestLine({ ...REQUEST, email: null, durationMs: 1_500 }, false), / 1\.5 s {2}-\n$/);
  assert.match(requestLine({ ...REQUEST, durationMs: 3_723_000 }, false), / 1 h 2 min {2}/);
  assert.match(
    requestLine({ ...REQUEST, status: null, fault: 'visitor_left' }, false),
    / ---.* {2}the visitor left\n$/,
  );
});

test('requestLine() is coloured where colours are shown, and nowhere else (The person’s view)', () => {
  assert.ok(requestLine(REQUEST, true).includes('\x1b[32m200\x1b[0m'));
  assert.ok(requestLine({ ...REQUEST, status: 404 }, true).includes('\x1b[33m404\x1b[0m'));
  assert.ok(!requestLine({ ...REQUEST, status: 502, fault: 'backend_down' }, false).includes('\x1b'));
});

test('requestLine() stays one bounded line that steers no terminal, whatever a visitor sends (The person’s view)', () => {
  const line = requestLine(
    { ...REQUEST, method: `G\x1b]0;x\x07`, path: `/\x1b[2J\n${'a'.repeat(70_000)}`, email: 'a\x9b\r@b' },
    false,
  );
  assert.doesNotMatch(line.slice(0, -1), /\p{Cc}/u);
  assert.ok(line.includes('/\\x1b[2J\\x0aaaa'));
  assert.ok(line.length < 400);
});
