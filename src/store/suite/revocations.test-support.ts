// The suite's part on tokens that are owed to the provider: those of sessions that ran out, or that their share, provider or account
// ended.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, type SessionId } from '../../domain/id.ts';
import type { OwedRevocation, Store } from '../store.ts';
import {
  addAccount,
  addSession,
  addShare,
  benchOf,
  HOUR_MS,
  type OpenBench,
  revealed,
  START,
  tokensOf,
} from './bench.test-support.ts';

export function revocationsSuite(open: OpenBench): void {
  test('sessions.claimRevocations() has the tokens of what a share, provider or account ended, once', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const [deleted, moved, suspended] = [await addShare(store), await addShare(store), await addShare(store)];
    const ids: SessionId[] = [];
    for (const share of [deleted, moved, suspended, await addShare(store)])
      ids.push(await addSession(store, { share, at: START, ...somebody() }));
    assert.equal(await store.sessions.claimRevocations(CLAIM), null);
    clock.time += 1;
    await store.shares.remove(deleted.accountId, deleted.id);
    await store.shares.modify({ ...moved, settings: () => ({ oauthProvider: 'other' }), at: clock.time });
    await store.accounts.suspend(suspended.accountId, true);
    const reasons = await Promise.all(ids.map(async (id) => (await store.sessions.find(id))?.endReason));
    assert.deepEqual(reasons, ['share_deleted', 'provider_changed', 'account_suspended', null]);
    const other = await bench.again();
    const claims = await Promise.all([store, other, store].map((each) => all(each)));
    const claimed = claims.flat();
    assert.deepEqual(claimed.map(({ row }) => row.id).toSorted(), ids.slice(0, 3).toSorted());
    for (const { tokens } of claimed)
      assert.deepEqual(tokens && revealed(tokens), revealed(tokensOf('first')));
    await store.sessions.settleRevocations({ owed: settled(claimed, true), giveUpMs: HOUR_MS });
    clock.time += CLAIM.holdMs;
    assert.deepEqual(await all(store), []);
    // Resumed, what was ended stays ended.
    await store.accounts.suspend(suspended.accountId, false);
    assert.equal((await store.sessions.state(ids[2] ?? newId('ses')))?.ended, true);
  });

  test('sessions.claimRevocations() has what ran out, and nothing that its ender saw to', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const share = await addShare(store);
    const [runsOut, loggedOut, checked] = [
      await addSession(store, { share, at: START, ...somebody() }),
      await addSession(store, { share, at: START, ...somebody() }),
      await addSession(store, { share, at: START, ...somebody() }),
    ];
    await store.sessions.end([loggedOut], { reason: 'logout', at: START });
    clock.time = START + HOUR_MS - 1_000;
    // A check that runs may bring other tokens yet; once its time is up it stores none.
    const lease = await store.sessions.lease(checked, 5_000);
    assert.ok(lease);
    clock.time = START + HOUR_MS;
    assert.deepEqual(idsOf(await all(store)), [runsOut]);
    assert.equal(await store.sessions.storeTokens(lease, tokensOf('second')), true);
    clock.time += 5_000;
    const late = await all(store);
    assert.deepEqual(idsOf(late), [checked]);
    assert.deepEqual(late[0]?.tokens && revealed(late[0].tokens), revealed(tokensOf('second')));
    assert.equal(await store.sessions.storeTokens(lease, tokensOf('third')), false);
  });

  test('sessions.claimRevocations() waits while the person has another session at the provider', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const person = somebody();
    const [gone, kept] = [await addShare(store), await addShare(store)];
    const ended = await addSession(store, { share: gone, at: START, ...person, browser: 'one' });
    const living = await addSession(store, { share: kept, at: START, ...person, browser: 'two' });
    await store.shares.remove(gone.accountId, gone.id);
    clock.time += 1;
    assert.deepEqual(await all(store), []);
    await store.sessions.end([living], { reason: 'logout', at: clock.time });
    assert.equal(await store.sessions.claimRevocations(CLAIM), null);
    clock.time += 60_000;
    assert.deepEqual(idsOf(await all(store)), [ended]);
  });

  test('sessions.settleRevocations() leaves what was not taken for another try, and gives up in time', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const accountId = await addAccount(store);
    const share = await addShare(store, { accountId });
    const id = await addSession(store, { share, at: START, ...somebody() });
    await store.shares.remove(accountId, share.id);
    const tries = [];
    for (; tries.length < 9; clock.time += CLAIM.holdMs) {
      const claimed = await all(store);
      if (claimed.length === 0) break;
      tries.push(...idsOf(claimed));
      // Nobody has them meanwhile, and a claim from before counts for nothing.
      assert.deepEqual(await all(store), []);
      const stale = settled(claimed, true).map(({ id: of, fence }) => ({
        id: of,
        fence: fence - 1,
        isTaken: true,
      }));
      await store.sessions.settleRevocations({ owed: stale, giveUpMs: 0 });
      await store.sessions.settleRevocations({ owed: settled(claimed, false), giveUpMs: 2 * CLAIM.holdMs });
    }
    assert.deepEqual(tries, [id, id, id]);
  });
}

async function all({ sessions }: Store): Promise<readonly OwedRevocation[]> {
  const claimed: OwedRevocation[] = [];
  for (;;) {
    const more = await sessions.claimRevocations(CLAIM);
    if (more === null) return claimed;
    claimed.push(...more);
  }
}

function settled(claimed: readonly OwedRevocation[], isTaken: boolean) {
  return claimed.map(({ row, fence }) => ({ id: row.id, fence, isTaken }));
}

function idsOf(claimed: readonly OwedRevocation[]): readonly SessionId[] {
  return claimed.map(({ row }) => row.id);
}

/** With a browser of their own. */
function somebody() {
  return { subject: newId('att'), browser: newId('att') };
}

const CLAIM = { most: 2, holdMs: 60_000 };
