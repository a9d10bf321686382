import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterSeconds } from './retry-after.ts';

const now = Date.UTC(2030, 0, 1, 12, 0, 0);
const said = (members: Record<string, string>) => retryAfterSeconds(new Headers(members), now);

test('retryAfterSeconds() reads seconds and dates, those by the clock of the answer (RFC 9110 section 10.2.3)', () => {
  const inTwoMinutes = 'Tue, 01 Jan 2030 12:02:00 GMT';
  assert.equal(said({ 'retry-after': '7' }), 7);
  assert.equal(said({ 'retry-after': inTwoMinutes }), 120);
  assert.equal(said({ 'retry-after': inTwoMinutes, date: 'Tue, 01 Jan 2030 12:01:30 GMT' }), 30);
  assert.equal(said({ 'retry-after': 'Tue, 01 Jan 2030 11:00:00 GMT' }), 0);
});

test('retryAfterSeconds() believes no more than an hour, and nothing that is no Retry-After', () => {
  assert.equal(said({ 'retry-after': '999999999' }), 3600);
  for (const wrong of ['', '-1', '1.5', 'soon', '7 seconds', '9'.repeat(20)])
    assert.equal(said({ 'retry-after': wrong }), null, wrong);
  assert.equal(said({}), null);
});
