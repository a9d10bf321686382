// The suite's part on how sessions are looked up, and ended by an administrator's or the provider's choice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/id.ts';
import type { ProviderLogout, SessionQuery } from '../sessions/choice.ts';
import type { Store } from '../store.ts';
import type { ShareRow } from '../shares/share.ts';
import {
  addAccount,
  addSession,
  addShare,
  ANY_SESSION,
  auditEventOf,
  type Bench,
  benchOf,
  claimAll,
  HOUR_MS,
  type OpenBench,
  START,
} from './bench.test-support.ts';

export function sessionChoiceSuite(open: OpenBench): void {
  listSuite(open);
  endChosenSuite(open);
  endAtProviderSuite(open);
}

function listSuite(open: OpenBench): void {
  test('sessions.list() pages newest first, and loses none of one millisecond', async () => {
    await using bench = await benchOf(open);
    const accountId = await addAccount(bench.store);
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) {
      const share = await addShare(bench.store, { accountId });
      ids.push(await addSession(bench.store, { share, at: START + Math.floor(index / 3) }));
    }
    await addSession(bench.store, { share: await addShare(bench.store), at: START });
    const seen: string[] = [];
    let after: SessionQuery['after'] = null;
    for (;;) {
      const page = await bench.store.sessions.list({ ...ANY_SESSION, accountId, after, limit: 2 });
      seen.push(...page.sessions.map(({ row }) => row.id));
      if (page.next === null) break;
      after = page.next;
    }
    assert.deepEqual(seen.toSorted(), ids.toSorted());
    assert.equal(new Set(seen).size, 7);
    const times = await Promise.all(seen.map(async (id) => timeOf(bench, id)));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
  });

  test('sessions.list() finds by person, share, provider, address and state', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const accountId = await addAccount(store);
    const [a, b, c] = await three(store, accountId);
    const living = await addSession(store, { share: a, at: START, email: 'Ann@Corp.com' });
    const ended = await addSession(store, { share: b, at: START + 1, provider: 'other' });
    const expired = await addSession(store, {
      share: c,
      at: START + 2,
      lifetimeMs: 10,
      email: 'bob@corp.com',
    });
    await store.sessions.end([ended], { reason: 'logout', at: START + 3 });
    clock.time = START + 12;
    const found = async (query: Partial<SessionQuery>) => {
      const page = await store.sessions.list({ ...ANY_SESSION, accountId, ...query });
      return page.sessions.map(({ row }) => row.id);
    };
    assert.deepEqual(await found({}), [expired, ended, living]);
    assert.deepEqual(await found({ email: 'ann@corp.COM' }), [ended, living]);
    assert.deepEqual(await found({ text: 'OB@' }), [expired]);
    assert.deepEqual(await found({ text: '%' }), []);
    assert.deepEqual(await found({ shareId: b.id }), [ended]);
    assert.deepEqual(await found({ providerName: 'other' }), [ended]);
    assert.deepEqual(await found({ ip: '192.0.2.1' }), [expired, ended, living]);
    assert.deepEqual(await found({ ip: '192.0.2.2' }), []);
    assert.deepEqual(await found({ state: 'active' }), [living]);
    assert.deepEqual(await found({ state: 'ended' }), [expired, ended]);
    assert.deepEqual(await found({ state: 'active', providerName: 'other' }), []);
    const [first] = (await store.sessions.list({ ...ANY_SESSION, accountId, state: 'active' })).sessions;
    assert.deepEqual([first?.shareName, first?.active], [a.name, true]);
    await store.shares.remove(accountId, a.id);
    const [gone] = (await store.sessions.list({ ...ANY_SESSION, accountId, shareId: a.id })).sessions;
    assert.deepEqual([gone?.shareName, gone?.active], [null, false]);
  });

  test('sessions.countActive() counts what neither ended nor expired, of one account', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const accountId = await addAccount(store);
    const [a, b, c] = await three(store, accountId);
    await addSession(store, { share: a, at: START });
    const ended = await addSession(store, { share: b, at: START });
    await addSession(store, { share: c, at: START, lifetimeMs: 10 });
    await addSession(store, { share: await addShare(store), at: START });
    assert.equal(await store.sessions.countActive(accountId), 3);
    await store.sessions.end([ended], { reason: 'logout', at: START + 3 });
    clock.time = START + 12;
    assert.equal(await store.sessions.countActive(accountId), 1);
  });

  test('sessions.list() shows another account nothing (THREATS "Tenancy")', async () => {
    await using bench = await benchOf(open);
    const share = await addShare(bench.store);
    await addSession(bench.store, { share, at: START });
    const accountId = await addAccount(bench.store);
    const nothing = { sessions: [], next: null };
    assert.deepEqual(
      await bench.store.sessions.list({ ...ANY_SESSION, accountId, shareId: share.id }),
      nothing,
    );
    assert.deepEqual(
      await bench.store.sessions.list({ ...ANY_SESSION, accountId, email: 'ann@corp.com' }),
      nothing,
    );
  });
}

function endChosenSuite(open: OpenBench): void {
  test('sessions.endChosen() ends one, or all of a person, a share or a provider, and tells the gateways', async () => {
    for (const by of ['id', 'email', 'share', 'provider'] as const) {
      await using bench = await benchOf(open);
      const { store } = bench;
      const accountId = await addAccount(store);
      const [a, b, c] = await three(store, accountId);
      const meant = await addSession(store, { share: a, at: START, email: 'Ann@x.com', provider: 'one' });
      const other = await addSession(store, { share: b, at: START, email: 'bob@x.com', provider: 'two' });
      const over = await addSession(store, { share: c, at: START, email: 'ann@x.com', provider: 'one' });
      await store.sessions.end([over], { reason: 'logout', at: START });
      const choice = {
        id: { by: 'id', id: meant },
        email: { by: 'email', email: 'ann@X.com' },
        share: { by: 'share', shareId: a.id },
        provider: { by: 'provider', providerName: 'one' },
      } as const;
      const before = await store.changes.latest();
      const ending = { accountId, choice: choice[by], reason: 'admin', at: START + 5 };
      const ended = await store.sessions.endChosen(ending);
      assert.deepEqual(
        ended.map(({ id }) => id),
        [meant],
      );
      assert.deepEqual((await store.changes.since(before)).changes, [{ kind: 'session', id: meant }]);
      const row = await store.sessions.find(meant);
      assert.deepEqual([row?.endedAt, row?.endReason], [START + 5, 'admin']);
      assert.equal((await store.sessions.state(other))?.ended, false);
      assert.deepEqual(await store.sessions.endChosen(ending), []);
    }
  });

  test('sessions.endChosen() touches no session of another account (THREATS "Tenancy")', async () => {
    await using bench = await benchOf(open);
    const share = await addShare(bench.store);
    const id = await addSession(bench.store, { share, at: START });
    const accountId = await addAccount(bench.store);
    const choices = [
      { by: 'id', id },
      { by: 'email', email: 'ann@corp.com' },
      { by: 'share', shareId: share.id },
      { by: 'provider', providerName: 'corp' },
    ] as const;
    for (const choice of choices) {
      const ending = { accountId, choice, reason: 'admin', at: START };
      assert.deepEqual(await bench.store.sessions.endChosen(ending), []);
    }
    assert.equal((await bench.store.sessions.state(id))?.ended, false);
  });

  test('sessions.endChosen() owes the tokens of all that it ends, and ends one whose tokens do not open', async () => {
    await using bench = await benchOf(open);
    const accountId = await addAccount(bench.store);
    for (const share of await three(bench.store, accountId))
      await addSession(bench.store, { share, at: START });
    await bench.raw(
      `UPDATE sessions SET tokens = 'broken' WHERE id = (SELECT min(id) FROM sessions WHERE account_id = '${accountId}')`,
    );
    const choice = { by: 'provider', providerName: 'corp' } as const;
    const ending = { accountId, choice, reason: 'admin', at: START };
    const ended = await bench.store.sessions.endChosen(ending);
    assert.equal(ended.length, 3);
    const owed = await claimAll(bench.store);
    assert.deepEqual(
      owed.map(({ row, tokens }) => [row.id, tokens !== null]).toSorted(),
      ended.map(({ id }, index) => [id, index > 0]).toSorted(),
    );
  });

  test('sessions.endChosen() answers each session to one of many who end it at once', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const accountId = await addAccount(bench.store);
    for (const share of await three(bench.store, accountId))
      await addSession(bench.store, { share, at: START });
    const choice = { by: 'email', email: 'ann@corp.com' } as const;
    const ending = { accountId, choice, reason: 'admin', at: START };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? bench.store : other).sessions.endChosen(ending),
      ),
    );
    const ids = answers.flat().map(({ id }) => id);
    assert.deepEqual([ids.length, new Set(ids).size], [3, 3]);
  });
}

function endAtProviderSuite(open: OpenBench): void {
  test('sessions.endAtProvider() ends by subject, by session, by both; each message once (Back-Channel Logout 2.7)', async () => {
    const cases = [
      { subject: 'subject-1', sid: null, ends: ['a', 'b', 'without'] },
      { subject: null, sid: 'sid-a', ends: ['a'] },
      // A session that never heard its id there goes with its subject: too many logged out is the safe side.
      { subject: 'subject-1', sid: 'sid-a', ends: ['a', 'without'] },
      { subject: 'subject-2', sid: null, ends: [] },
      { subject: 'subject-2', sid: 'sid-a', ends: [] },
    ];
    for (const { subject, sid, ends } of cases) {
      await using bench = await benchOf(open);
      const { store } = bench;
      const accountId = await addAccount(store);
      const [a, b, c] = await three(store, accountId);
      const ids = new Map([
        [await addSession(store, { share: a, at: START, sid: 'sid-a' }), 'a'],
        [await addSession(store, { share: b, at: START, sid: 'sid-b' }), 'b'],
        [await addSession(store, { share: c, at: START }), 'without'],
      ]);
      const elsewhere = await addShare(store);
      await addSession(store, { share: elsewhere, at: START, provider: 'other', sid: 'sid-a' });
      const logout = logoutOf({ subject, sid });
      const ended = await store.sessions.endAtProvider(logout);
      assert.deepEqual(ended?.map(({ id }) => ids.get(id)).toSorted(), ends);
      assert.equal(await store.sessions.endAtProvider(logout), null);
      const former = logoutOf({ subject, sid, providerGeneration: 'gen0' });
      assert.deepEqual(await store.sessions.endAtProvider(former), []);
    }
  });

  test('sessions.endAtProvider() uses a message up once when it comes many times at once', async () => {
    await using bench = await benchOf(open);
    const id = await addSession(bench.store, { share: await addShare(bench.store), at: START });
    const logout = logoutOf({ subject: 'subject-1', sid: null });
    const twice = await Promise.all([1, 2, 3].map(() => bench.store.sessions.endAtProvider(logout)));
    assert.deepEqual(
      twice.filter((ended) => ended !== null).map((ended) => ended.map((row) => row.id)),
      [[id]],
    );
    await bench.store.sweep(START + 2 * HOUR_MS);
    assert.notEqual(await bench.store.sessions.endAtProvider(logout), null);
  });
}

function logoutOf(over: Partial<ProviderLogout>): ProviderLogout {
  return {
    providerName: 'corp',
    providerGeneration: 'gen1',
    subject: null,
    sid: null,
    message: { id: newId('att'), expiresAt: START + HOUR_MS },
    reason: 'backchannel_logout',
    at: START + 1,
    eventOf: ({ accountId, id }) => auditEventOf('session.ended', { accountId, sessionId: id }),
    ...over,
  };
}

async function three(
  store: Store,
  accountId: ShareRow['accountId'],
): Promise<readonly [ShareRow, ShareRow, ShareRow]> {
  return [
    await addShare(store, { accountId }),
    await addShare(store, { accountId }),
    await addShare(store, { accountId }),
  ];
}

async function timeOf({ store }: Bench, id: string): Promise<number> {
  return (await store.sessions.find(id as never))?.createdAt ?? 0;
}
