// The suite's part on what is counted: requests of shares, which shares are up, logins, sessions and
// certificates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ActivityCounts, noFigures, type ShareActivity } from '../../domain/activity.ts';
import { type AccountId, newId, type ShareId } from '../../domain/id.ts';
import type { ShareFilter } from '../shares/share.ts';
import { addAccount, addShare, benchOf, HOUR_MS, type OpenBench } from './bench.test-support.ts';

const MINUTE_MS = 60_000;
/** Begins an hour. */
const TOP = 1_700_000_000_000 - (1_700_000_000_000 % HOUR_MS);

export function activitySuite(open: OpenBench): void {
  test('activity.add() adds what several gateways counted at the same time, share by share', async () => {
    await using bench = await benchOf(open);
    const gateways = [bench.store, await bench.again(), await bench.again()];
    const [account, other] = [await addAccount(bench.store), await addAccount(bench.store)];
    const shares = Array.from({ length: 40 }, (_, index) =>
      activityOf(newId('shr'), index % 2 === 0 ? account : other),
    );
    // In another order each: who locks rows in the order given waits for another in a circle.
    const rounds = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? shares : shares.toReversed()));
    await Promise.all(rounds.map((each, index) => gateways[index % 3]?.activity.add(TOP + index, each)));
    for (const accountId of [account, other])
      for (const stepMs of [MINUTE_MS, HOUR_MS])
        assert.deepEqual(await bench.store.activity.ofAccount({ accountId, from: TOP, stepMs }), [
          { at: TOP, requests: 12 * 20 * 10, answered: 12 * 20 * 7, refused: 12 * 20 * 2, faulted: 12 * 20 },
        ]);
    await bench.store.activity.add(TOP, []);
  });

  test('activity.ofAccount() sums minutes to steps, knows hours, and leaves out what is earlier or nobody’s', async () => {
    await using bench = await benchOf(open);
    const { activity } = bench.store;
    const accountId = await addAccount(bench.store);
    const share = activityOf(newId('shr'), accountId);
    for (const minutes of [-1, 0, 9, 10, 61]) await activity.add(TOP + minutes * MINUTE_MS + 59_999, [share]);
    const stepsBy = async (stepMs: number) =>
      (await activity.ofAccount({ accountId, from: TOP, stepMs })).map(({ at, requests }) => [
        (at - TOP) / MINUTE_MS,
        requests,
      ]);
    assert.deepEqual(await stepsBy(MINUTE_MS), [
      [0, 10],
      [9, 10],
      [10, 10],
      [61, 10],
    ]);
    assert.deepEqual(await stepsBy(10 * MINUTE_MS), [
      [0, 20],
      [10, 10],
      [60, 10],
    ]);
    assert.deepEqual(await stepsBy(HOUR_MS), [
      [0, 30],
      [60, 10],
    ]);
    assert.equal(await activity.lastAt(accountId), TOP + 61 * MINUTE_MS);
    const others = { accountId: await addAccount(bench.store), from: 0, stepMs: HOUR_MS };
    assert.equal(await activity.lastAt(others.accountId), null);
    assert.deepEqual(await activity.ofAccount(others), []);
  });

  test('activity.add() takes more shares than fit one statement', async () => {
    await using bench = await benchOf(open);
    const accountId = await addAccount(bench.store);
    const shares = Array.from({ length: 1_201 }, () => activityOf(newId('shr'), accountId));
    await bench.store.activity.add(TOP, shares);
    const [step] = await bench.store.activity.ofAccount({ accountId, from: TOP, stepMs: MINUTE_MS });
    assert.equal(step?.requests, 12_010);
  });

  test('activity.forget() deletes minutes after two days and hours after a week, and no others', async () => {
    await using bench = await benchOf(open);
    const { activity } = bench.store;
    const accountId = await addAccount(bench.store);
    const hours = [0, 47, 50, 7 * 24 - 1, 9 * 24];
    for (const each of hours) await activity.add(TOP - each * HOUR_MS, [activityOf(newId('shr'), accountId)]);
    await activity.forget(TOP);
    const keptBy = async (stepMs: number) =>
      (await activity.ofAccount({ accountId, from: 0, stepMs })).map(({ at }) => (TOP - at) / HOUR_MS);
    assert.deepEqual(await keptBy(MINUTE_MS), [47, 0]);
    assert.deepEqual(await keptBy(HOUR_MS), [167, 50, 47, 0]);
    // Many more than go in one transaction.
    await activity.add(
      TOP,
      Array.from({ length: 1_201 }, () => activityOf(newId('shr'), newId('acc'))),
    );
    await activity.forget(TOP + 10 * 24 * HOUR_MS);
    assert.deepEqual(await keptBy(HOUR_MS), []);
    await bench.raw(`INSERT INTO meta (name, value)
      SELECT 'left', count(*) FROM (SELECT at FROM activity UNION ALL SELECT at FROM share_activity) AS rows`);
    await assert.rejects(
      bench.raw(
        `INSERT INTO meta (name, value) SELECT 'left', '' FROM meta WHERE name = 'left' AND value = '0'`,
      ),
      /meta/,
      'nothing is left',
    );
  });

  shareSuite(open);
  stateSuite(open);
  countSuite(open);
}

function shareSuite(open: OpenBench): void {
  test('activity.ofShare() sums a share by minutes and by hours, and knows none of another account', async () => {
    await using bench = await benchOf(open);
    const { activity } = bench.store;
    const accountId = await addAccount(bench.store);
    const share = activityOf(newId('shr'), accountId);
    const beside = activityOf(newId('shr'), accountId);
    for (const minutes of [-1, 0, 0, 59, 60])
      await activity.add(TOP + minutes * MINUTE_MS, [share, beside].toReversed());
    const stepsBy = (stepMs: number, of = accountId) =>
      activity.ofShare({ accountId: of, shareId: share.shareId, from: TOP, stepMs });
    const [first, ...others] = await stepsBy(MINUTE_MS);
    const { shareId: _share, accountId: _account, durationsMs: _sum, ...figures } = share;
    assert.deepEqual(first, {
      ...figures,
      at: TOP,
      requests: 20,
      answered: 14,
      refused: 4,
      faulted: 2,
      statuses: figures.statuses.map((count) => 2 * count),
      durations: figures.durations.map((count) => 2 * count),
    });
    assert.deepEqual(
      others.map(({ at, requests }) => [(at - TOP) / MINUTE_MS, requests]),
      [
        [59, 10],
        [60, 10],
      ],
    );
    const hours = await stepsBy(HOUR_MS);
    assert.deepEqual(
      hours.map(({ at, requests, statuses, durations }) => [at - TOP, requests, statuses[2], durations[0]]),
      [
        [0, 30, 21, 15],
        [HOUR_MS, 10, 7, 5],
      ],
    );
    assert.deepEqual(await stepsBy(HOUR_MS, await addAccount(bench.store)), []);
  });

  test('activity.forget() deletes minutes of a share after three hours, and its hours after a week', async () => {
    await using bench = await benchOf(open);
    const { activity } = bench.store;
    const accountId = await addAccount(bench.store);
    const share = activityOf(newId('shr'), accountId);
    for (const hours of [0, 3, 5, 7 * 24, 9 * 24]) await activity.add(TOP - hours * HOUR_MS, [share]);
    await activity.forget(TOP);
    const keptBy = async (stepMs: number) => {
      const query = { accountId, shareId: share.shareId, from: 0, stepMs };
      return (await activity.ofShare(query)).map(({ at }) => (TOP - at) / HOUR_MS);
    };
    assert.deepEqual(await keptBy(MINUTE_MS), [3, 0]);
    assert.deepEqual(await keptBy(HOUR_MS), [7 * 24, 5, 3, 0]);
  });
}

function stateSuite(open: OpenBench): void {
  test('shares.states() tells what is off, waits for an agent, fails, and is up, of that account alone', async () => {
    await using bench = await benchOf(open);
    const { activity, shares } = bench.store;
    const accountId = await addAccount(bench.store);
    const add = (name: string, more: object = {}) => addShare(bench.store, { accountId, name, ...more });
    const agents = { target: null, tunnel: 'reserved' } as const;
    await add('up-unasked');
    await add('off', { enabled: false });
    await add('off-agents', { ...agents, enabled: false });
    const served = await add('up-served', agents);
    await shares.agentSeen(served.id, TOP - 100_000);
    const left = await add('waits-again', agents);
    await shares.agentSeen(left.id, TOP - 130_000);
    await add('waits-ever', agents);
    await addShare(bench.store, { name: 'anothers', ...agents });
    const failing = await add('fails');
    const mended = await add('up-mended');
    const mixed = await add('up-mixed');
    const before = await add('up-before');
    const switchedOff = await add('off-failing', { enabled: false });
    const fault = { requests: 2, answered: 0, refused: 1, faulted: 1 };
    const of = (id: ShareId, counts: ActivityCounts) => ({
      shareId: id,
      accountId,
      ...counts,
      ...noFigures(),
    });
    await activity.add(TOP - 20 * MINUTE_MS, [of(before.id, fault)]);
    await activity.add(TOP - 3 * MINUTE_MS, [
      of(failing.id, { ...fault, answered: 1 }),
      of(mended.id, fault),
      of(mixed.id, { ...fault, answered: 1 }),
      of(left.id, fault),
      of(switchedOff.id, fault),
    ]);
    await activity.add(TOP - 2 * MINUTE_MS, [
      of(failing.id, fault),
      of(mended.id, { ...fault, answered: 1, faulted: 0 }),
    ]);
    // Visitors who are refused say nothing of the backend.
    await activity.add(TOP - MINUTE_MS, [of(failing.id, { ...fault, faulted: 0 })]);
    assert.deepEqual(await shares.states(accountId, TOP), {
      total: 11,
      off: 3,
      waiting: 2,
      failing: 1,
      down: [
        { name: 'fails', why: 'failing', at: TOP - 2 * MINUTE_MS },
        { name: 'waits-again', why: 'waiting', at: TOP - 130_000 },
        { name: 'waits-ever', why: 'waiting', at: null },
      ],
    });
    const found = async (state: ShareFilter['state']) => {
      const filter = { text: null, provider: null, state, now: TOP };
      const { shares: all } = await shares.list(accountId, { after: null, limit: 20, filter });
      return all.map(({ name }) => name).join(' ');
    };
    assert.equal(await found('failing'), 'fails');
    assert.equal(await found('waiting'), 'waits-again waits-ever');
    assert.equal(await found('down'), 'fails waits-again waits-ever');
    // By hours, of a day, also where a backend answers by now or the share is off; of no other account.
    await activity.add(TOP - 25 * HOUR_MS, [of(served.id, fault)]);
    const withFaults = 'fails off-failing up-before up-mended up-mixed waits-again';
    assert.equal(await found('unanswered'), withFaults);
    const counted = { text: null, provider: null, state: 'unanswered', now: TOP } as const;
    assert.equal(await shares.countFound(accountId, counted, 100), withFaults.split(' ').length);
    assert.equal(await shares.countFound(await addAccount(bench.store), counted, 100), 0);
    const nothing = { total: 0, off: 0, waiting: 0, failing: 0, down: [] };
    assert.deepEqual(await shares.states(await addAccount(bench.store), TOP), nothing);
  });

  test('shares.states() names a few of very many that are down', async () => {
    await using bench = await benchOf(open);
    const accountId = await addAccount(bench.store);
    for (let count = 0; count < 25; count++)
      await addShare(bench.store, { accountId, target: null, tunnel: 'reserved' });
    const { waiting, down } = await bench.store.shares.states(accountId, TOP);
    assert.deepEqual([waiting, down.length], [25, 20]);
  });
}

function countSuite(open: OpenBench): void {
  test('audit.logins() counts logins by provider since then, of that account alone', async () => {
    await using bench = await benchOf(open);
    const { audit } = bench.store;
    const accountId = await addAccount(bench.store);
    const event = (kind: (typeof KINDS)[number], provider: string | null, more: object = {}) => ({
      ...BARE,
      id: newId('evt'),
      at: TOP,
      accountId,
      kind,
      provider,
      ...more,
    });
    await audit.append([
      event('login.succeeded', 'corp'),
      event('login.succeeded', 'github'),
      event('login.succeeded', 'github'),
      event('login.refused', 'github'),
      event('login.failed', 'corp'),
      event('login.failed', null),
      event('session.refreshed', 'corp'),
      event('login.succeeded', 'corp', { at: TOP - 1 }),
      event('login.succeeded', 'corp', { accountId: newId('acc') }),
    ]);
    assert.deepEqual(await audit.logins(accountId, TOP), [
      { provider: 'github', succeeded: 2, refused: 1, failed: 0 },
      { provider: 'corp', succeeded: 1, refused: 0, failed: 1 },
    ]);
  });
}

function activityOf(shareId: ShareId, accountId: AccountId): ShareActivity {
  const { statuses, durations } = noFigures();
  statuses.set([1, 0, 7, 0, 2]);
  durations.set([5, 1, 0, 1]);
  const counts = { requests: 10, answered: 7, refused: 2, faulted: 1 };
  return { shareId, accountId, ...counts, statuses, durations, durationsMs: 20 };
}

const KINDS = ['login.succeeded', 'login.refused', 'login.failed', 'session.refreshed'] as const;
const BARE = {
  shareId: null,
  sessionId: null,
  email: null,
  actor: null,
  ip: null,
  requestId: null,
  reason: null,
} as const;
