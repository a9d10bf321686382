import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Progress, type ForwardLimits } from './progress.ts';

const LIMITS: ForwardLimits = { headMs: 300, bodyStallMs: 30, answerStallMs: 200 };

/** What is told at each of these times. */
function told(progress: Progress, ...times: readonly number[]) {
  return times.map((now) => progress.stalled(now, LIMITS));
}

test('stalled() tells of a backend that does not begin its answer once it has the request (DESIGN 3)', () => {
  const progress = new Progress(false);
  assert.deepEqual(told(progress, 1_000, 1_299, 1_300), [null, null, 'no_answer']);
  progress.answerBegun = true;
  assert.equal(progress.stalled(9_999, LIMITS), null);
});

test('stalled() tells of a body that stops coming, not of one that is slow (DESIGN 3)', () => {
  const progress = new Progress(true);
  assert.deepEqual(told(progress, 1_000, 1_029), [null, null]);
  progress.bodyMoved = true;
  assert.deepEqual(told(progress, 1_030, 1_059, 1_060), [null, null, 'body_stopped']);
});

test('stalled() tells of a backend that takes nothing, and blames the visitor for nothing meanwhile', () => {
  const progress = new Progress(true);
  progress.pauseBody(true);
  assert.deepEqual(told(progress, 1_000, 1_299, 1_300), [null, null, 'body_not_taken']);
  progress.pauseBody(false);
  assert.deepEqual(told(progress, 1_301, 1_320), [null, null]);
  progress.pauseBody(true);
  assert.deepEqual(told(progress, 1_400, 1_699, 1_700), [null, null, 'body_not_taken']);
});

test('stalled() lets a backend that answers and a visitor who listens be silent', () => {
  const progress = new Progress(true);
  progress.answerBegun = true;
  assert.deepEqual(told(progress, 1_000, 9_000), [null, null]);
  progress.answerEnded = true;
  progress.bodyMoved = false;
  assert.deepEqual(told(progress, 10_000, 10_029, 10_030), [null, null, 'body_stopped']);
});

test('stalled() tells of a visitor who reads nothing, not of one who reads slowly', () => {
  const progress = new Progress(false);
  progress.answerBegun = true;
  for (let now = 1_000; now < 2_000; now += 100) {
    progress.pauseAnswer(true);
    assert.equal(progress.stalled(now, LIMITS), null);
    progress.pauseAnswer(false);
    // There is more to be read at once.
    progress.pauseAnswer(true);
  }
  assert.deepEqual(told(progress, 2_000, 2_199, 2_200), [null, null, 'answer_not_read']);
});

test('stalled() tells of the end of an answer that nobody reads', () => {
  const progress = new Progress(false);
  progress.answerBegun = true;
  progress.answerEnded = true;
  assert.deepEqual(told(progress, 1_000, 1_199, 1_200), [null, null, 'answer_not_read']);
});
