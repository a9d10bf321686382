// The suite's part on tokens that are owed to the provider: those of sessions that are over, but for logouts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, type SessionId } from '../../domain/id.ts';
import type { ShareChange } from '../shares/share.ts';
import type { OwedRevocation, RevocationClaim, RevocationOutcome } from '../sessions/owed-revocation.ts';
import {
  addAccount,
  addSession,
  addShare,
  benchOf,
  CLAIM,
  claimAll,
  HOUR_MS,
  type OpenBench,
  revealed,
  START,
  startOf,
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
    const claims = await Promise.all([store, other, store].map((each) => claimAll(each)));
    const claimed = claims.flat();
    assert.deepEqual(claimed.map(({ row }) => row.id).toSorted(), ids.slice(0, 3).toSorted());
    for (const { tokens } of claimed)
      assert.deepEqual(tokens && revealed(tokens), revealed(tokensOf('first')));
    await store.sessions.settleRevocations({ owed: settled(claimed, 'over'), giveUpMs: HOUR_MS });
    clock.time += CLAIM.holdMs;
    assert.deepEqual(await claimAll(store), []);
    // Resumed, what was ended stays ended.
    await store.accounts.suspend(suspended.accountId, false);
    assert.equal((await store.sessions.state(ids[2] ?? newId('ses')))?.ended, true);
  });

  test('shares.modify() ends the sessions of providers that no rule names any more (DESIGN "Rules")', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const rules = [{ allow: { providers: ['corp', 'other'] } }];
    const share = await addShare(store, { oauthProvider: null, rules });
    const kept = await addSession(store, { share, at: START, ...somebody() });
    const over = await addSession(store, { share, at: START, provider: 'other', ...somebody() });
    const change = { rules: [{ allow: { providers: ['corp'] } }] };
    await store.shares.modify({ ...share, settings: () => change, at: clock.time });
    const reasons = await Promise.all(
      [kept, over].map(async (id) => (await store.sessions.find(id))?.endReason),
    );
    assert.deepEqual(reasons, [null, 'provider_changed']);
  });

  test('shares.modify() ends the sessions of providers that left the login, and no others (DESIGN "Rules")', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const share = await addShare(store, { oauthProvider: 'corp' });
    const at = async (provider: string) => addSession(store, { share, at: START, provider, ...somebody() });
    const change = (settings: Partial<ShareChange>) =>
      store.shares.modify({ ...share, settings: () => settings, at: clock.time });
    const first = await at('corp');
    await change({ oauthProvider: ['other', 'corp', 'third'] });
    const [second, third] = [await at('other'), await at('third')];
    const reasons = () =>
      Promise.all([first, second, third].map(async (id) => (await store.sessions.find(id))?.endReason));
    await change({ oauthProvider: ['third', 'corp', 'other'] });
    assert.deepEqual(await reasons(), [null, null, null]);
    await change({ oauthProvider: ['corp', 'third'] });
    assert.deepEqual(await reasons(), [null, 'provider_changed', null]);
    await change({ oauthProvider: 'corp', rules: [{ allow: { providers: ['third'] } }] });
    assert.deepEqual(await reasons(), [null, 'provider_changed', null]);
    await change({ oauthProvider: null });
    assert.deepEqual(await reasons(), ['provider_changed', 'provider_changed', null]);
  });

  test('sessions.claimRevocations() has what ran out, and nothing that a logout saw to', async () => {
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
    assert.deepEqual(idsOf(await claimAll(store)), [runsOut]);
    assert.equal(await store.sessions.storeTokens(lease, tokensOf('second')), true);
    clock.time += 5_000;
    const late = await claimAll(store);
    assert.deepEqual(idsOf(late), [checked]);
    assert.deepEqual(late[0]?.tokens && revealed(late[0].tokens), revealed(tokensOf('second')));
    assert.equal(await store.sessions.storeTokens(lease, tokensOf('third')), false);
  });

  test('sessions.claimRevocations() says whether the person has another session at the provider; what is to wait is due later', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const person = somebody();
    const [gone, kept] = [await addShare(store), await addShare(store)];
    const ended = await addSession(store, { share: gone, at: START, ...person, browser: 'one' });
    const living = await addSession(store, { share: kept, at: START, ...person, browser: 'two' });
    await store.shares.remove(gone.accountId, gone.id);
    clock.time += 1;
    const before = await claimAll(store);
    assert.deepEqual(
      before.map(({ row, hasOthers }) => [row.id, hasOthers]),
      [[ended, true]],
    );
    await store.sessions.settleRevocations({ owed: settled(before, 'wait'), giveUpMs: 0 });
    await store.sessions.end([living], { reason: 'logout', at: clock.time });
    assert.equal(await store.sessions.claimRevocations(CLAIM), null);
    clock.time += 60_000;
    assert.deepEqual(
      (await claimAll(store)).map(({ row, hasOthers }) => [row.id, hasOthers]),
      [[ended, false]],
    );
  });

  test('sessions.claimRevocations() has the tokens of what was replaced, or ended by word, however many (4.2)', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const share = await addShare(store);
    const person = somebody();
    const replaced = await addSession(store, { share, at: START, ...person });
    const led = startOf({ share, at: START + 1, ...person, confirmWithinMs: 60_000 });
    await store.sessions.begin({ ...led, loopUntil: START });
    const { id, shareId, bindingHash } = led.session;
    const confirmation = {
      id,
      shareId,
      bindingHash: bindingHash ?? '',
      setOutAt: START,
      former: [],
      at: START,
    };
    await store.sessions.confirm(confirmation);
    await store.sessions.confirm(confirmation);
    const chosen = [];
    for (let count = 0; count < 12; count++)
      chosen.push(await addSession(store, { share, at: START, ...somebody(), email: 'bob@corp.com' }));
    clock.time += 1;
    assert.equal((await store.sessions.find(replaced))?.endReason, 'replaced');
    const choice = { by: 'email', email: 'bob@corp.com' } as const;
    await store.sessions.endChosen({ accountId: share.accountId, choice, reason: 'admin', at: clock.time });
    const claimed = await claimAll(store);
    assert.deepEqual(idsOf(claimed).toSorted(), [replaced, ...chosen].toSorted());
    assert.ok(claimed.every(({ tokens }) => tokens !== null));
  });

  test('sessions.claimRevocations() is of one provider at a time, and passes over what is left out, however much that is', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const [hangs, another] = [await addShare(store), await addShare(store)];
    for (let count = 0; count < 70; count++)
      await addSession(store, { share: hangs, at: START, ...somebody(), provider: 'hangs' });
    const last = await addSession(store, { share: another, at: START, ...somebody(), provider: 'works' });
    await store.shares.remove(hangs.accountId, hangs.id);
    bench.clock.time += 1;
    await store.shares.remove(another.accountId, another.id);
    const claim = (butOf: RevocationClaim['butOf']) => store.sessions.claimRevocations({ ...CLAIM, butOf });
    const first = await claim(CLAIM.butOf);
    assert.deepEqual(new Set(first?.map(({ row }) => row.providerName)), new Set(['hangs']));
    const ways = [
      { providers: ['hangs'], accounts: [] },
      { providers: [], accounts: [hangs.accountId] },
    ];
    for (const butOf of ways) {
      const claimed = (await claim(butOf)) ?? [];
      assert.deepEqual(idsOf(claimed), [last]);
      bench.clock.time += CLAIM.holdMs;
    }
    assert.equal(await claim({ providers: ['hangs', 'works'], accounts: [] }), null);
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
      const claimed = await claimAll(store);
      if (claimed.length === 0) break;
      tries.push(...idsOf(claimed));
      // Nobody has them meanwhile, and a claim from before counts for nothing.
      assert.deepEqual(await claimAll(store), []);
      const stale = settled(claimed, 'over').map(({ id: of, fence, outcome }) => ({
        id: of,
        fence: fence - 1,
        outcome,
      }));
      await store.sessions.settleRevocations({ owed: stale, giveUpMs: 0 });
      await store.sessions.settleRevocations({
        owed: settled(claimed, 'failed'),
        giveUpMs: 2 * CLAIM.holdMs,
      });
    }
    assert.deepEqual(tries, [id, id, id]);
  });
}

function settled(claimed: readonly OwedRevocation[], outcome: RevocationOutcome) {
  return claimed.map(({ row, fence }) => ({ id: row.id, fence, outcome }));
}

function idsOf(claimed: readonly OwedRevocation[]): readonly SessionId[] {
  return claimed.map(({ row }) => row.id);
}

/** With a browser of their own. */
function somebody() {
  return { subject: newId('att'), browser: newId('att') };
}
