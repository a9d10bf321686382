import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../domain/id.ts';
import type { SessionFacts } from '../domain/session-facts.ts';
import type { WorkerAnswer } from './messages.ts';
import { createSessionStates } from './session-states.ts';

test('checkSoon() tries a check that failed again after ten seconds, even if the clock was set back (DESIGN "Check interval")', async (t) => {
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

test('ask() never takes an answer of before changes were missed: an ended session stays ended (DESIGN "Ended sessions")', async () => {
  const id = newId('ses');
  const alive = { id, subject: 'one', checkedAt: 1, refreshable: true, confirmed: true, ended: false };
  const late = Promise.withResolvers<WorkerAnswer>();
  let asked = 0;
  const states = createSessionStates(async (): Promise<WorkerAnswer> => {
    if (++asked === 1) return late.promise;
    return { kind: 'session', state: { ...alive, ended: true } };
  });
  const answer = states.ask(id);
  // It ended, nobody was told, and what was looked up before arrives only now.
  states.forget();
  late.resolve({ kind: 'session', state: alive });
  assert.equal((await answer)?.ended, true);
  assert.equal(states.known(id)?.ended, true);
  assert.equal(asked, 2);
});

test('known() tells sessions apart whose ids have the same end', () => {
  const states = createSessionStates(async () => ({ kind: 'unavailable' }));
  const end = newId('ses').slice(-16);
  const [one, two] = [`ses_0000000000${end}`, `ses_1111111111${end}`] as const;
  const told = { checkedAt: 1, refreshable: true, confirmed: true };
  states.tell([
    { ...told, id: one, subject: 'one', ended: false },
    { ...told, id: two, subject: 'two', ended: true },
  ]);
  // Whoever comes again is remembered elsewhere.
  for (let time = 0; time < 3; time++) {
    assert.deepEqual([states.known(one)?.subject, states.known(one)?.ended], ['one', false]);
    assert.deepEqual([states.known(two)?.subject, states.known(two)?.ended], ['two', true]);
  }
});

test('ask() gives up, and lets nobody in, when changes are missed at each try (fail closed)', async () => {
  const id = newId('ses');
  const alive = { id, subject: 'one', checkedAt: 1, refreshable: true, confirmed: true, ended: false };
  const states = createSessionStates(async (): Promise<WorkerAnswer> => {
    states.forget();
    return { kind: 'session', state: alive };
  });
  assert.equal(await states.ask(id), null);
  assert.equal(states.known(id), undefined);
});

test('tell() takes a check by a clock that is ahead as made now, and one after the clock was set back as newer (Check interval)', (t) => {
  const states = createSessionStates(async () => ({ kind: 'unavailable' }));
  const id = newId('ses');
  const told = { id, subject: 'one', refreshable: true, confirmed: true, ended: false };
  t.mock.method(Date, 'now', () => 1_000_000);
  states.tell([{ ...told, checkedAt: 9_000_000 }]);
  assert.equal(states.known(id)?.checkedAt, 1_000_000);
  t.mock.restoreAll();
  t.mock.method(Date, 'now', () => 500_000);
  states.tell([{ ...told, checkedAt: 400_000 }]);
  assert.equal(states.known(id)?.checkedAt, 400_000);
});

test('known() holds states with thousands of texts within bounds, and forgets older ones first (Groups and claims)', () => {
  const states = createSessionStates(async () => ({ kind: 'unavailable' }));
  const ids = Array.from({ length: 600 }, () => newId('ses'));
  for (const [n, id] of ids.entries()) states.tell([{ ...LIVING, id, subject: 'one', facts: factsOf(n) }]);
  assert.deepEqual(states.known(ids.at(-1) ?? newId('ses'))?.facts, factsOf(599));
  const kept = ids.filter((id) => states.known(id) !== undefined).length;
  assert.ok(kept > 400 && kept < 500, `${kept} of 276 KB are below 130 MB`);
});

test('known() holds what very many have alike once, and tells it of each (Very many visitors)', () => {
  const states = createSessionStates(async () => ({ kind: 'unavailable' }));
  const groups = Array.from({ length: 1_000 }, (_, n) => `group ${n}`);
  const facts = { groups, claims: { team: ['a'] }, acr: null, amr: [], authTime: null, name: null };
  const ids = Array.from({ length: 5_000 }, () => newId('ses'));
  for (const [n, id] of ids.entries())
    states.tell([{ ...LIVING, id, subject: `one-${n}`, facts: structuredClone({ ...facts, name: `${n}` }) }]);
  for (const [n, id] of ids.entries())
    assert.deepEqual(states.known(id), {
      ...LIVING,
      id,
      subject: `one-${n}`,
      facts: { ...facts, name: `${n}` },
    });
});

test('known() answers the same object to whoever comes again and again, so that more is remembered by it', () => {
  const states = createSessionStates(async () => ({ kind: 'unavailable' }));
  const id = newId('ses');
  states.tell([{ ...LIVING, id, subject: 'one' }]);
  states.known(id);
  const second = states.known(id);
  assert.equal(states.known(id), second);
  states.tell([{ ...LIVING, id, subject: 'one', ended: true }]);
  assert.equal(states.known(id)?.ended, true);
});

test('learn() tells of sessions that nobody asked for, and never over what is known: an ended one stays ended', () => {
  const states = createSessionStates(async () => ({ kind: 'unavailable' }));
  const [fresh, ended, checked, waiting, over] = [1, 2, 3, 4, 5].map(() => newId('ses'));
  states.tell([
    { ...LIVING, id: ended!, subject: 'two', ended: true },
    { ...LIVING, id: checked!, subject: 'three', refreshable: false },
  ]);
  states.learn([
    { ...LIVING, id: fresh!, subject: 'one' },
    { ...LIVING, id: ended!, subject: 'two' },
    { ...LIVING, id: checked!, subject: 'three' },
    { ...LIVING, id: waiting!, subject: 'four', confirmed: false },
    { ...LIVING, id: over!, subject: 'five', ended: true },
  ]);
  assert.equal(states.known(fresh!)?.subject, 'one');
  assert.equal(states.known(ended!)?.ended, true);
  assert.equal(states.known(checked!)?.refreshable, false);
  assert.equal(states.known(waiting!), undefined);
  assert.equal(states.known(over!), undefined);
  states.forget();
  for (const id of [fresh, ended, checked]) assert.equal(states.known(id!), undefined);
  assert.equal(states.size(), 0);
});

test('learn() takes a check by a clock that is ahead as made now (Check interval)', (t) => {
  const states = createSessionStates(async () => ({ kind: 'unavailable' }));
  const id = newId('ses');
  t.mock.method(Date, 'now', () => 1_000_000);
  states.learn([{ ...LIVING, id, subject: 'one', checkedAt: 9_000_000 }]);
  assert.equal(states.known(id)?.checkedAt, 1_000_000);
});

const LIVING = { checkedAt: 1, refreshable: true, confirmed: true, ended: false } as const;

function factsOf(n: number): SessionFacts {
  const groups = Array.from({ length: 1_000 }, () => `${n}`.padEnd(256, 'g'));
  return { groups, claims: {}, acr: null, amr: [], authTime: null, name: null };
}
