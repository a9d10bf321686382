import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../domain/id.ts';
import { createSessionStates } from './session-states.ts';

test('checkSoon() tries a check that failed again after ten seconds, even if the clock was set back (DESIGN 3, Check interval)', async (t) => {
  let asked = 0;
  const states = createSessionStates(async () => {
    asked++;
    return { kind: 'unavailable' };
  });
  const id = newId('ses');
  const passed = [0, 9_000, 11_000];
  const [dayTime, steady] = [Date.now, performance.now.bind(performance)];
  for (const ms of passed) {
    t.mock.method(performance, 'now', () => steady() + ms);
    t.mock.method(Date, 'now', () => dayTime() + ms - (ms > 0 ? 3_600_000 : 0));
    states.checkSoon(id);
    await new Promise(setImmediate);
    t.mock.restoreAll();
  }
  assert.equal(asked, 2);
});
