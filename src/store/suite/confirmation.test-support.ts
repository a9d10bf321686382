// What every store must do with sessions that wait for their browser (`sessions/confirm.ts`).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/id.ts';
import type { SessionRow } from '../sessions/session.ts';
import type { SessionTable } from '../sessions/session-table.ts';
import {
  addSession,
  addShare,
  benchOf,
  claimAll,
  type OpenBench,
  START,
  startOf,
  auditEventOf,
  tokensOf,
} from './bench.test-support.ts';
import { eventsOf } from './session-audit.test-support.ts';

type Confirmation = Parameters<SessionTable['confirm']>[0];
type Start = ReturnType<typeof startOf>;

export function confirmationSuite(open: OpenBench): void {
  test('sessions.confirm() makes a session count once, in time, for its share and binding (A session counts in the browser that logged in)', async () => {
    await using bench = await benchOf(open);
    const { changes, sessions } = bench.store;
    const start = startOf({ share: await addShare(bench.store), at: START, confirmWithinMs: MINUTE_MS });
    await sessions.begin(start);
    const { id } = start.session;
    const waiting = await sessions.state(id);
    assert.deepEqual([waiting?.confirmed, waiting?.ended], [false, false]);
    for (const wrong of [{ bindingHash: 'binding-2' }, { shareId: newId('shr') }])
      assert.equal((await sessions.confirm({ ...of(start), ...wrong }))?.confirmed, false);
    assert.equal(await sessions.confirm({ ...of(start), id: newId('ses') }), null);
    const before = await changes.latest();
    bench.clock.time = START + MINUTE_MS - 1;
    assert.deepEqual(await sessions.confirm(of(start)), { ...waiting, confirmed: true });
    assert.deepEqual((await changes.since(before)).changes, [{ kind: 'session', id }]);
    const after = await changes.latest();
    bench.clock.time = START + MINUTE_MS;
    assert.deepEqual(await sessions.confirm(of(start)), { ...waiting, confirmed: true });
    assert.equal(await changes.latest(), after, 'the second time changes nothing');
    assert.deepEqual(await sessions.endUnconfirmed(endingAt(START)), []);
    assert.equal((await sessions.state(id))?.ended, false);
  });

  test('sessions.confirm() confirms nothing late, or after the end', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const share = await addShare(bench.store);
    const [ended, late] = ['browser-1', 'browser-2'].map((browser) =>
      startOf({ share, at: START, browser, confirmWithinMs: MINUTE_MS }),
    );
    if (!ended || !late) throw new Error('two sessions');
    await sessions.begin(ended);
    await sessions.begin(late);
    await sessions.end([ended.session.id], { reason: 'logout', at: START + 1, events: new Map() });
    const state = await sessions.confirm(of(ended));
    assert.deepEqual([state?.confirmed, state?.ended], [false, true]);
    bench.clock.time = START + MINUTE_MS;
    assert.equal((await sessions.confirm(of(late)))?.confirmed, false);
  });

  test('sessions.begin() ends nothing for a session that is to be confirmed; sessions.confirm() ends what it takes the place of', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const [share, another] = [await addShare(bench.store), await addShare(bench.store)];
    const own = await addSession(bench.store, { share, at: START - 9 });
    const named = await addSession(bench.store, { share, at: START - 8, browser: 'browser-2' });
    const unnamed = await addSession(bench.store, { share, at: START - 7, browser: 'browser-3' });
    const elsewhere = await addSession(bench.store, { share: another, at: START - 6 });
    const next = startOf({ share, at: START, confirmWithinMs: MINUTE_MS });
    const begun = await sessions.begin({ ...next, former: [named], loopUntil: START - 5 });
    assert.deepEqual(begun.ended, []);
    for (const id of [own, named, unnamed, elsewhere]) assert.equal((await sessions.state(id))?.ended, false);
    const beside = await addSession(bench.store, { share: another, at: START + 1, browser: 'browser-4' });
    await sessions.confirm({ ...of(next), setOutAt: START - 5, former: [named, elsewhere] });
    for (const id of [own, named]) assert.equal((await sessions.find(id))?.endReason, 'replaced');
    for (const id of [unnamed, elsewhere, beside]) assert.equal((await sessions.state(id))?.ended, false);
    assert.equal((await sessions.state(next.session.id))?.ended, false);
  });

  test('sessions.confirm() of tabs side by side keeps each, and the last confirmed of two persons', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const share = await addShare(bench.store);
    const tabs = [0, 1, 2].map((index) => startOf({ share, at: START + index, confirmWithinMs: MINUTE_MS }));
    for (const tab of tabs) await sessions.begin({ ...tab, loopUntil: START - 10 });
    await Promise.all(tabs.map((tab) => sessions.confirm({ ...of(tab), setOutAt: START - 10 })));
    for (const { session } of tabs) {
      const state = await sessions.state(session.id);
      assert.deepEqual([state?.confirmed, state?.ended], [true, false]);
    }
    const other = startOf({ share, at: START + 5, subject: 'subject-2', confirmWithinMs: MINUTE_MS });
    await sessions.begin({ ...other, loopUntil: START - 10 });
    await sessions.confirm({ ...of(other), setOutAt: START - 10 });
    for (const { session } of tabs) assert.equal((await sessions.state(session.id))?.ended, true);
    assert.equal((await sessions.state(other.session.id))?.ended, false);
  });

  test('sessions.endUnconfirmed() ends each once, and owes its tokens', async () => {
    await using bench = await benchOf(open);
    const { changes, sessions } = bench.store;
    const share = await addShare(bench.store);
    const alone = startOf({ share, at: START, confirmWithinMs: MINUTE_MS, tokens: tokensOf('alone') });
    const led = startOf({
      share,
      at: START,
      browser: 'browser-2',
      subject: 'subject-2',
      confirmWithinMs: MINUTE_MS,
    });
    await addSession(bench.store, { share, at: START, browser: 'browser-3', subject: 'subject-2' });
    await sessions.begin(alone);
    await sessions.begin(led);
    const before = await changes.latest();
    bench.clock.time = START + MINUTE_MS - 1;
    assert.deepEqual(await sessions.endUnconfirmed(endingAt(START)), []);
    bench.clock.time = START + MINUTE_MS;
    const at = START + MINUTE_MS;
    const rounds = await Promise.all([1, 2, 3].map(() => sessions.endUnconfirmed(endingAt(at))));
    assert.equal(rounds.flat().length, 2);
    const found = (await claimAll(bench.store)).map((each) => [
      each.row.id,
      [each.tokens?.accessToken.reveal(), each.hasOthers],
    ]);
    assert.deepEqual(Object.fromEntries(found), {
      [alone.session.id]: ['access-alone', false],
      [led.session.id]: ['access-first', true],
    });
    const row = await sessions.find(alone.session.id);
    assert.deepEqual([row?.endedAt, row?.endReason], [at, 'not_confirmed']);
    assert.equal((await changes.since(before)).changes.length, 2);
    const events = await eventsOf(bench.store, share);
    assert.deepEqual(
      events.map(({ sessionId }) => sessionId).toSorted(),
      [alone.session.id, led.session.id].toSorted(),
    );
  });
}

function endedEvent({ id, accountId }: SessionRow) {
  return auditEventOf('session.ended', { accountId, sessionId: id });
}

function endingAt(at: number): Parameters<SessionTable['endUnconfirmed']>[0] {
  return { reason: 'not_confirmed', at, eventOf: endedEvent };
}

function of({ session: { id, shareId, bindingHash, createdAt } }: Start): Confirmation {
  return { id, shareId, bindingHash: bindingHash ?? '', setOutAt: createdAt, former: [], at: createdAt + 1 };
}

const MINUTE_MS = 60_000;
