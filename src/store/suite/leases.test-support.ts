// The suite's part on leases: one check per session, however many ask (DESIGN "Check interval").

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/id.ts';
import type { SessionFacts } from '../../domain/session-facts.ts';
import {
  HOUR_MS,
  START,
  type Bench,
  type OpenBench,
  addSession,
  addShare,
  benchOf,
  revealed,
  tokensOf,
} from './bench.test-support.ts';

export function leasesSuite(open: OpenBench): void {
  test('sessions.lease() is given to one of 50 that ask at once', async () => {
    await using bench = await benchOf(open);
    const id = await sessionIn(bench);
    const other = await bench.again();
    const asked = Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? bench.store : other).sessions.lease(id, LEASE_MS),
    );
    const given = (await Promise.all(asked)).filter((lease) => lease !== null);
    assert.equal(given.length, 1);
    assert.equal(given[0]?.row.id, id);
    assert.equal(given[0]?.fence, 1);
    assert.deepEqual(given[0] && revealed(given[0].tokens), revealed(tokensOf('first')));
  });

  test('sessions.lease() is free again when its time is up on the store’s clock', async () => {
    await using bench = await benchOf(open);
    const { clock, store } = bench;
    const id = await sessionIn(bench);
    await store.sessions.lease(id, LEASE_MS);
    clock.time = START + LEASE_MS - 1;
    assert.equal(await store.sessions.lease(id, LEASE_MS), null);
    clock.time = START + LEASE_MS;
    assert.equal((await store.sessions.lease(id, LEASE_MS))?.fence, 2);
  });

  test('sessions.lease() is not given for an ended, expired or unknown session', async () => {
    await using bench = await benchOf(open);
    const { clock, store } = bench;
    const [ended, expired] = [await sessionIn(bench), await sessionIn(bench)];
    await store.sessions.end([ended], { reason: 'logout', at: START });
    clock.time = START + HOUR_MS;
    assert.equal(await store.sessions.lease(ended, LEASE_MS), null);
    assert.equal(await store.sessions.lease(expired, LEASE_MS), null);
    assert.equal(await store.sessions.lease(newId('ses'), LEASE_MS), null);
  });

  test('sessions.storeTokens() keeps new tokens under the lease and refuses an old fence', async () => {
    await using bench = await benchOf(open);
    const { clock, store } = bench;
    const id = await sessionIn(bench);
    const late = await store.sessions.lease(id, LEASE_MS);
    clock.time = START + LEASE_MS;
    const holder = await store.sessions.lease(id, LEASE_MS);
    if (late === null || holder === null) throw new Error('both leases were to be had');
    assert.equal(await store.sessions.storeTokens(late, tokensOf('late')), false);
    assert.equal(await store.sessions.storeTokens(holder, tokensOf('second')), true);
    assert.equal(await store.sessions.checked(late), null);
    await store.sessions.release(late);
    assert.equal(await store.sessions.lease(id, LEASE_MS), null, 'a late release leaves the lease alone');
    await store.sessions.release(holder);
    const next = await store.sessions.lease(id, LEASE_MS);
    assert.deepEqual(next && revealed(next.tokens), revealed(tokensOf('second')));
  });

  test('sessions.storeTokens() stores after the lease ran out when nobody else took it', async () => {
    await using bench = await benchOf(open);
    const { clock, store } = bench;
    const lease = await store.sessions.lease(await sessionIn(bench), LEASE_MS);
    if (lease === null) throw new Error('the lease was to be had');
    clock.time = START + 2 * LEASE_MS;
    assert.equal(await store.sessions.storeTokens(lease, tokensOf('rotated')), true);
  });

  test('sessions.checked() sets the time of the store’s clock, frees the lease, tells the gateways', async () => {
    await using bench = await benchOf(open);
    const { clock, store } = bench;
    const id = await sessionIn(bench);
    const lease = await store.sessions.lease(id, LEASE_MS);
    if (lease === null) throw new Error('the lease was to be had');
    const before = await store.changes.latest();
    clock.time = START + 5_000;
    await store.sessions.storeTokens(lease, tokensOf('second', false));
    const state = await store.sessions.checked(lease);
    assert.deepEqual(state, {
      id,
      subject: 'subject-1',
      checkedAt: START + 5_000,
      refreshable: false,
      confirmed: true,
      ended: false,
      emailVerified: true,
    });
    assert.deepEqual(await store.sessions.state(id), state);
    const { changes } = await store.changes.since(before);
    assert.deepEqual(changes.at(-1), { kind: 'session', id });
    assert.equal(
      await store.sessions.storeTokens(lease, tokensOf('third')),
      false,
      'the lease was given back',
    );
    assert.equal((await store.sessions.lease(id, LEASE_MS))?.fence, 2);
  });

  test('sessions.checked() keeps what the provider says of the person now; begin() what it said at the login (Groups and claims)', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const share = await addShare(bench.store);
    const id = await addSession(bench.store, { share, at: START, facts: FACTS });
    assert.deepEqual((await sessions.state(id))?.facts, FACTS);
    assert.deepEqual((await sessions.states([id]))[0]?.facts, FACTS);
    const lease = await sessions.lease(id, LEASE_MS);
    if (lease === null) throw new Error('the lease was to be had');
    assert.deepEqual(lease.facts, FACTS);
    const fewer = { ...FACTS, groups: ['ops'], claims: {} };
    assert.deepEqual((await sessions.checked(lease, { facts: fewer }))?.facts, fewer);
    assert.deepEqual((await sessions.state(id))?.facts, fewer);
    const again = await sessions.lease(id, LEASE_MS);
    if (again === null) throw new Error('the lease was to be had');
    assert.deepEqual((await sessions.checked(again))?.facts, fewer, 'left as they are');
  });

  test('sessions.state() says nothing of the facts of a session from before there were any (Groups and claims)', async () => {
    await using bench = await benchOf(open);
    const state = await bench.store.sessions.state(await sessionIn(bench));
    assert.equal(state !== null && 'facts' in state, false);
  });

  test('sessions.checked() and storeTokens() leave a session that ended meanwhile ended', async () => {
    await using bench = await benchOf(open);
    const { sessions } = bench.store;
    const id = await sessionIn(bench);
    const lease = await sessions.lease(id, LEASE_MS);
    if (lease === null) throw new Error('the lease was to be had');
    await sessions.end([id], { reason: 'logout', at: START });
    assert.equal(await sessions.storeTokens(lease, tokensOf('late')), false);
    assert.equal(await sessions.checked(lease), null);
    assert.equal((await sessions.state(id))?.ended, true);
  });
}

async function sessionIn({ store }: Bench) {
  return addSession(store, { share: await addShare(store), at: START });
}

const FACTS: SessionFacts = {
  groups: ['eng,\nsouth', 'ops', 'größe'],
  claims: { department: ['R&D'], ['__proto__']: ['own'] },
  acr: 'gold',
  amr: ['pwd', 'otp'],
  authTime: START - 1_000,
  name: 'Ann “A” Example',
};
/** As the recheck takes it. */
const LEASE_MS = 15_000;
