// The suite's part on how sessions begin, are found, and end (contract 2.5, 3, 4.2; DESIGN "One browser, many
// logins").

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, type SessionId } from '../../domain/id.ts';
import type { SessionState } from '../../domain/session.ts';
import {
  HOUR_MS,
  START,
  type OpenBench,
  addAccount,
  addSession,
  addShare,
  benchOf,
  revealed,
  startOf,
  tokensOf,
} from './bench.test-support.ts';

export function sessionsSuite(open: OpenBench): void {
  beginSuite(open);
  endSuite(open);
}

function beginSuite(open: OpenBench): void {
  test('sessions.begin() keeps every field and answers the new session (3)', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const start = startOf({ share: await addShare(bench.store), at: START });
    const row = { ...start.session, endedAt: null, endReason: null };
    assert.deepEqual(await sessions.begin(start), { recent: [row], ended: [] });
    assert.deepEqual(await sessions.find(row.id), row);
    const { id, subject, checkedAt } = row;
    const state = { id, subject, checkedAt, refreshable: true, confirmed: true, ended: false };
    assert.deepEqual(await sessions.state(id), { ...state, emailVerified: true });
    const unverified = startOf({ share: await addShare(bench.store), at: START, emailVerified: false });
    await sessions.begin(unverified);
    assert.equal((await sessions.state(unverified.session.id))?.emailVerified, false);
    assert.equal(await sessions.find(newId('ses')), null);
    assert.equal(await sessions.state(newId('ses')), null);
    const many = [...Array.from({ length: 600 }, () => newId('ses')), id];
    assert.deepEqual(await sessions.states(many), [await sessions.state(id)]);
    assert.deepEqual(await sessions.states([]), []);
  });

  test('sessions.counting() reads all that count, page after page, and nothing else (Very many visitors)', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const share = await addShare(bench.store);
    const living = await Promise.all(
      Array.from({ length: 20 }, (_, n) => addSession(bench.store, { share, at: START, browser: `b ${n}` })),
    );
    const [ended] = living.splice(7, 1);
    await sessions.end([ended!], { reason: 'logout', at: START });
    await addSession(bench.store, { share, at: START, browser: 'short', lifetimeMs: -1 });
    const waiting = startOf({ share, at: START, browser: 'waits', confirmWithinMs: HOUR_MS });
    await sessions.begin(waiting);
    const all = async () => {
      const found: SessionState[] = [];
      let after: SessionId | null = null;
      do {
        const page: Awaited<ReturnType<typeof sessions.counting>> = await sessions.counting(after);
        found.push(...page.states);
        after = page.next;
      } while (after !== null);
      return found;
    };
    assert.deepEqual(
      await all(),
      (await sessions.states(living)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    // More than one page, most of it over: none is skipped.
    await bench.store.together(async () => {
      for (let n = 0; n < 1_100; n++)
        await addSession(bench.store, {
          share,
          at: START,
          browser: `c ${n}`,
          lifetimeMs: n % 10 === 0 ? HOUR_MS : -1,
        });
    });
    assert.equal((await all()).length, living.length + 110);
  });

  test('sessions.counting() leaves out whoever has groups without end: a page stays small (Very many visitors)', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const share = await addShare(bench.store);
    const withGroups = async (browser: string, count: number) => {
      const groups = Array.from({ length: count }, (_, n) => `${n}`.padEnd(36, 'ä'));
      const facts = { groups, claims: {}, acr: null, amr: [], authTime: null, name: null };
      const start = startOf({ share, at: START, browser });
      await sessions.begin({ ...start, facts });
      return start.session.id;
    };
    const few = await withGroups('few', 100);
    const many = await withGroups('many', 1_000);
    assert.deepEqual(await sessions.counting(null), { states: [await sessions.state(few)], next: null });
    assert.equal((await sessions.state(few))?.facts?.groups?.length, 100);
    assert.equal((await sessions.state(many))?.facts?.groups?.length, 1_000);
  });

  test('sessions.states() reads no groups of sessions that ended: thousands may end at once', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const share = await addShare(bench.store);
    const facts = { groups: ['staff'], claims: {}, acr: null, amr: [], authTime: null, name: null };
    const start = { ...startOf({ share, at: START }), facts };
    const { id } = start.session;
    await sessions.begin(start);
    assert.deepEqual((await sessions.states([id]))[0]?.facts, facts);
    await sessions.end([id], { reason: 'logout', at: START });
    const [state] = await sessions.states([id]);
    assert.equal(state?.ended, true);
    assert.equal(state?.facts, undefined);
  });

  test('sessions.begin() loses none of five tabs that log in at once (DESIGN 3)', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const shares = [];
    for (let tab = 0; tab < 5; tab++) shares.push(await addShare(bench.store));
    const answers = await Promise.all(
      shares.map((share, tab) =>
        (tab % 2 === 0 ? bench.store : other).sessions.begin(startOf({ share, at: START })),
      ),
    );
    const sizes = answers.map(({ recent }) => recent.length).toSorted();
    assert.deepEqual(sizes, [1, 2, 3, 4, 5]);
    const widest = answers.find(({ recent }) => recent.length === 5);
    assert.deepEqual(
      new Set(widest?.recent.map(({ shareId }) => shareId)),
      new Set(shares.map(({ id }) => id)),
    );
  });

  test('sessions.begin() and recent() answer recent living sessions of this browser only, the new one first', async () => {
    await using bench = await benchOf(open);
    const [a, b, c, d, e] = await Promise.all([1, 2, 3, 4, 5].map(() => addShare(bench.store)));
    if (!a || !b || !c || !d || !e) throw new Error('five shares');
    await addSession(bench.store, { share: a, at: START - 70_000 });
    await addSession(bench.store, { share: b, at: START - 1, browser: 'browser-2' });
    const gone = await addSession(bench.store, { share: c, at: START - 3 });
    await bench.store.sessions.end([gone], { reason: 'logout', at: START - 2 });
    await addSession(bench.store, { share: c, at: START - 20, lifetimeMs: 10 });
    const recent = await addSession(bench.store, { share: d, at: START - 60_000 });
    const fresh = startOf({ share: e, at: START });
    const answer = await bench.store.sessions.begin(fresh);
    const wanted = [fresh.session.id, recent];
    assert.deepEqual(
      answer.recent.map(({ id }) => id),
      wanted,
    );
    bench.clock.time = START;
    const later = await bench.store.sessions.recent('browser-1', START - 60_000);
    assert.deepEqual(
      later.map(({ id }) => id),
      wanted,
    );
  });

  test('sessions.begin() ends the session that it replaces, and no other', async () => {
    await using bench = await benchOf(open);
    const { changes, sessions } = bench.store;
    const share = await addShare(bench.store);
    const first = await addSession(bench.store, { share, at: START });
    const elsewhere = await addSession(bench.store, { share, at: START, browser: 'browser-2' });
    const before = await changes.latest();
    const next = startOf({ share, at: START + 1 });
    assert.deepEqual((await sessions.begin(next)).ended, [first]);
    const replaced = await sessions.find(first);
    assert.deepEqual([replaced?.endedAt, replaced?.endReason], [START + 1, 'replaced']);
    assert.equal((await sessions.state(elsewhere))?.ended, false);
    assert.deepEqual((await changes.since(before)).changes, [{ kind: 'session', id: first }]);
  });

  test('sessions.begin() ends what the cookie named for this share, in the same transaction, and nothing of other shares', async () => {
    await using bench = await benchOf(open);
    const { changes, sessions } = bench.store;
    const [share, another] = [await addShare(bench.store), await addShare(bench.store)];
    const named = await addSession(bench.store, { share, at: START, browser: 'browser-2' });
    const unnamed = await addSession(bench.store, { share, at: START, browser: 'browser-4' });
    const foreign = await addSession(bench.store, { share: another, at: START, browser: 'browser-3' });
    const beside = await addSession(bench.store, { share, at: START + 2 });
    const before = await changes.latest();
    const next = startOf({ share, at: START + 3 });
    const former = [named, foreign, beside, newId('ses')];
    const answer = await sessions.begin({ ...next, former, loopUntil: START + 1 });
    assert.deepEqual(answer.ended, [named]);
    assert.deepEqual((await changes.since(before)).changes, [{ kind: 'session', id: named }]);
    assert.equal((await sessions.find(named))?.endReason, 'replaced');
    for (const id of [unnamed, foreign, beside]) assert.equal((await sessions.state(id))?.ended, false, id);
    const refused = startOf({ share, at: START + 4 });
    const loop = sessions.begin({ ...refused, former: [unnamed], loopLimit: 1 });
    await assert.rejects(loop, { code: 'login_loop' });
    assert.equal((await sessions.state(unnamed))?.ended, false, 'a refused login ends nothing');
  });

  test('sessions.begin() refuses a third for one browser and share in 30 s and writes nothing (DESIGN 3)', async () => {
    await using bench = await benchOf(open);
    const share = await addShare(bench.store);
    await addSession(bench.store, { share, at: START });
    const second = await addSession(bench.store, { share, at: START + 10_000 });
    const third = startOf({ share, at: START + 30_000 });
    await assert.rejects(bench.store.sessions.begin(third), { code: 'login_loop' });
    assert.equal(await bench.store.sessions.find(third.session.id), null);
    assert.equal((await bench.store.sessions.state(second))?.ended, false);
    await addSession(bench.store, { share, at: START + 30_000, browser: 'browser-2' });
    await addSession(bench.store, { share, at: START + 30_001 });
  });

  test('sessions.begin() counts none for a loop that was used or logged out of (DESIGN 3)', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const share = await addShare(bench.store);
    for (let login = 0; login < 3; login++) {
      const id = await addSession(bench.store, { share, at: START + 4 * login });
      // Told by a gateway whose clock is behind.
      await sessions.seen([{ id, at: START - 5_000 }]);
    }
    for (let login = 3; login < 6; login++) {
      const id = await addSession(bench.store, { share, at: START + 4 * login });
      await sessions.end([id], { reason: 'logout', at: START + 4 * login + 1 });
    }
    for (let login = 6; login < 8; login++) {
      const id = await addSession(bench.store, { share, at: START + 4 * login });
      await sessions.end([id], { reason: 'ended', at: START + 4 * login + 1 });
    }
    const loop = sessions.begin(startOf({ share, at: START + 40 }));
    await assert.rejects(loop, { code: 'login_loop' });
  });

  test('sessions.begin() counts the loop right when the logins come at once', async () => {
    await using bench = await benchOf(open);
    const share = await addShare(bench.store);
    const logins = Array.from({ length: 6 }, () => bench.store.sessions.begin(startOf({ share, at: START })));
    const answers = await Promise.allSettled(logins);
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 2);
    assert.equal((await bench.store.sessions.ofBrowser('browser-1', 'corp')).length, 1);
  });

  test('sessions.begin() takes logins that began before any of them was done for no loop', async () => {
    await using bench = await benchOf(open);
    const share = await addShare(bench.store);
    for (const at of [START, START + 1, START + 2, START + 3]) {
      const start = { ...startOf({ share, at }), loopUntil: START - 1 };
      await bench.store.sessions.begin(start);
    }
    assert.equal((await bench.store.sessions.ofBrowser('browser-1', 'corp')).length, 4);
  });

  test('sessions.begin() ends no session of the same person that began after this login set out', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const share = await addShare(bench.store);
    const beside = await addSession(bench.store, { share, at: START + 1 });
    const second = startOf({ share, at: START + 2 });
    assert.deepEqual((await sessions.begin({ ...second, loopUntil: START })).ended, []);
    const other = startOf({ share, at: START + 3 });
    const stranger = { ...other, session: { ...other.session, subject: 'another' }, loopUntil: START };
    assert.deepEqual(
      (await sessions.begin(stranger)).ended.toSorted(),
      [beside, second.session.id].toSorted(),
    );
    const later = startOf({ share, at: START + 60_000 });
    assert.deepEqual((await sessions.begin(later)).ended, [other.session.id]);
  });

  test('sessions.begin() makes none for a share that went away, or is another account’s', async () => {
    await using bench = await benchOf(open);
    const { accounts, sessions, shares } = bench.store;
    const share = await addShare(bench.store);
    const foreign = { id: share.id, accountId: await addAccount(bench.store) };
    await assert.rejects(sessions.begin(startOf({ share: foreign, at: START })), { code: 'share_unknown' });
    await accounts.suspend(share.accountId, true);
    await assert.rejects(sessions.begin(startOf({ share, at: START })), { code: 'share_unknown' });
    await accounts.suspend(share.accountId, false);
    await shares.remove(share.accountId, share.id);
    await assert.rejects(sessions.begin(startOf({ share, at: START })), { code: 'share_unknown' });
  });
}

function endSuite(open: OpenBench): void {
  test('sessions.ofBrowser() answers living sessions of the provider with their tokens (4.2)', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const [a, b, c, d] = await Promise.all([1, 2, 3, 4].map(() => addShare(store)));
    if (!a || !b || !c || !d) throw new Error('four shares');
    const id = await addSession(store, { share: a, at: START, tokens: tokensOf('a', false) });
    await addSession(store, { share: b, at: START, provider: 'other' });
    await addSession(store, { share: c, at: START, browser: 'browser-2' });
    await addSession(store, { share: d, at: START, lifetimeMs: 10 });
    clock.time = START + 10;
    const found = await store.sessions.ofBrowser('browser-1', 'corp');
    assert.deepEqual(
      found.map(({ row }) => row.id),
      [id],
    );
    assert.deepEqual(
      found.map(({ tokens }) => revealed(tokens)),
      [['access-a', null, 'id-a', 'subject-1']],
    );
    await store.sessions.end([id], { reason: 'logout', at: START + 11 });
    assert.deepEqual(await store.sessions.ofBrowser('browser-1', 'corp'), []);
  });

  test('sessions.end() ends once, says which, and tells the gateways (4.2 point 6)', async () => {
    await using bench = await benchOf(open);
    const { changes, sessions } = bench.store;
    const first = await addSession(bench.store, { share: await addShare(bench.store), at: START });
    const second = await addSession(bench.store, { share: await addShare(bench.store), at: START });
    await sessions.end([first], { reason: 'logout', at: START + 1 });
    const before = await changes.latest();
    assert.deepEqual(
      await sessions.end([first, second, newId('ses')], { reason: 'operator', at: START + 2 }),
      [second],
    );
    assert.deepEqual((await changes.since(before)).changes, [{ kind: 'session', id: second }]);
    const row = await sessions.find(first);
    assert.deepEqual([row?.endedAt, row?.endReason], [START + 1, 'logout']);
    const state = await sessions.state(first);
    assert.deepEqual([state?.ended, state?.refreshable], [true, false]);
    assert.deepEqual(await sessions.end([], { reason: 'logout', at: START + 3 }), []);
  });

  test('sessions.end() leaves no tokens behind', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const id = await addSession(bench.store, { share: await addShare(bench.store), at: START });
    await sessions.end([id], { reason: 'logout', at: START });
    await bench.raw('UPDATE sessions SET ended_at = NULL');
    await assert.rejects(sessions.lease(id, 15_000), { code: 'internal' });
  });

  test('sessions.end() answers each session to one of many that end it at once', async () => {
    await using bench = await benchOf(open);
    const id = await addSession(bench.store, { share: await addShare(bench.store), at: START });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => bench.store.sessions.end([id], { reason: 'logout', at: START })),
    );
    assert.deepEqual(answers.flat(), [id]);
  });

  test('sessions.seen() moves the last use forward only', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const id = await addSession(bench.store, { share: await addShare(bench.store), at: START });
    await sessions.seen([
      { id, at: START + HOUR_MS },
      { id: newId('ses'), at: START },
    ]);
    await sessions.seen([{ id, at: START + 1 }]);
    assert.equal((await sessions.find(id))?.lastSeenAt, START + HOUR_MS);
    await sessions.seen([]);
    const twice = { id, at: START + HOUR_MS + 1 };
    await sessions.seen([
      ...Array.from({ length: 600 }, () => ({ id: newId('ses'), at: START })),
      twice,
      twice,
    ]);
    assert.equal((await sessions.find(id))?.lastSeenAt, twice.at);
  });

  test('sessions keep tokens sealed to their row: a moved value does not open (DESIGN "Keys")', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const [a, b] = [await addShare(bench.store), await addShare(bench.store)];
    const mine = await addSession(bench.store, { share: a, at: START });
    const theirs = await addSession(bench.store, { share: b, at: START, browser: 'browser-2' });
    await bench.raw(
      `UPDATE sessions SET tokens = (SELECT tokens FROM sessions WHERE id = '${theirs}') WHERE id = '${mine}'`,
    );
    await assert.rejects(sessions.ofBrowser('browser-1', 'corp'), { code: 'internal' });
    await assert.rejects(sessions.lease(mine, 15_000), { code: 'internal' });
    assert.equal((await sessions.ofBrowser('browser-2', 'corp')).length, 1);
    await bench.raw(`UPDATE sessions SET account_id = '${a.accountId}' WHERE id = '${theirs}'`);
    await assert.rejects(sessions.ofBrowser('browser-2', 'corp'), { code: 'internal' });
  });
}
