// The suite's part on logins by device (RFC 8628).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../../domain/id.ts';
import { newId } from '../../domain/id.ts';
import type { DeviceDecision, NewDeviceLogin } from '../people/device-login.ts';
import { HOUR_MS, START, type OpenBench, addAccount, benchOf } from './bench.test-support.ts';
import { addMember } from './people.test-support.ts';

export function deviceLoginsSuite(open: OpenBench): void {
  test('deviceLogins: one is found by either code, decided once, and taken once (RFC 8628)', async () => {
    await using bench = await benchOf(open);
    const { deviceLogins } = bench.store;
    const decision = await decisionOf(bench.store);
    const login = loginOf();
    assert.equal(await deviceLogins.begin(login, MOST), 'begun');
    const { deviceHash, userHash, ...kept } = login;
    assert.deepEqual(await deviceLogins.find(deviceHash), { ...kept, decision: null });
    assert.deepEqual(await deviceLogins.findWaiting(userHash, START), { ...kept, decision: null });
    assert.equal(await deviceLogins.find(userHash), null);
    assert.equal(await deviceLogins.findWaiting(deviceHash, START), null);
    assert.equal(await deviceLogins.take(deviceHash, START), null, 'nobody allowed it');
    assert.deepEqual(await deviceLogins.decide(userHash, decision, START), { ...kept, decision });
    const denied = { ...decision, kind: 'denied' } as const;
    assert.equal(await deviceLogins.decide(userHash, denied, START), null);
    assert.equal(await deviceLogins.findWaiting(userHash, START), null);
    assert.deepEqual(await deviceLogins.take(deviceHash, START), { ...kept, decision });
    assert.equal(await deviceLogins.take(deviceHash, START), null);
    assert.equal(await deviceLogins.find(deviceHash), null);
  });

  test('deviceLogins: of many that decide or take at once, in several processes, one does (RFC 8628)', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const decision = await decisionOf(bench.store);
    const login = loginOf();
    await bench.store.deviceLogins.begin(login, MOST);
    const stores = [bench.store, other, bench.store, other, bench.store, other];
    const decided = await Promise.all(
      stores.map(({ deviceLogins }, index) =>
        deviceLogins.decide(login.userHash, { ...decision, kind: index % 2 ? 'denied' : 'allowed' }, START),
      ),
    );
    assert.equal(decided.filter((each) => each !== null).length, 1);
    const again = loginOf();
    await bench.store.deviceLogins.begin(again, MOST);
    await bench.store.deviceLogins.decide(again.userHash, decision, START);
    const taken = await Promise.all(
      stores.map(({ deviceLogins }) => deviceLogins.take(again.deviceHash, START)),
    );
    assert.equal(taken.filter((each) => each !== null).length, 1);
  });

  test('deviceLogins.take() takes none that was allowed by a session that is over (RFC 8628)', async () => {
    await using bench = await benchOf(open);
    const { deviceLogins, consoleSessions } = bench.store;
    const [taken, out, unknown, late] = [
      loginOf(),
      loginOf(),
      loginOf(),
      loginOf({ expiresAt: START + 3 * HOUR_MS }),
    ];
    const decision = await decisionOf(bench.store);
    for (const login of [taken, out, late]) {
      await deviceLogins.begin(login, MOST);
      await deviceLogins.decide(login.userHash, decision, START);
    }
    await deviceLogins.begin(unknown, MOST);
    await deviceLogins.decide(unknown.userHash, { ...decision, sessionHash: '' }, START);
    assert.equal(await deviceLogins.take(unknown.deviceHash, START), null);
    assert.equal((await deviceLogins.take(taken.deviceHash, START))?.id, taken.id);
    assert.equal(await deviceLogins.take(late.deviceHash, START + 2 * HOUR_MS), null, 'the session expired');
    await consoleSessions.end(decision.sessionHash);
    assert.equal(await deviceLogins.take(out.deviceHash, START), null);
  });

  test("deviceLogins: one that is denied or over is nobody's (RFC 8628)", async () => {
    await using bench = await benchOf(open);
    const { deviceLogins } = bench.store;
    const decision = await decisionOf(bench.store);
    const [denied, late, never] = [loginOf(), loginOf(), loginOf()];
    for (const login of [denied, late, never]) await deviceLogins.begin(login, MOST);
    await deviceLogins.decide(denied.userHash, { ...decision, kind: 'denied' }, START);
    assert.equal(await deviceLogins.take(denied.deviceHash, START), null);
    await deviceLogins.decide(late.userHash, decision, START);
    assert.equal(await deviceLogins.take(late.deviceHash, late.expiresAt), null);
    assert.equal(await deviceLogins.findWaiting(never.userHash, never.expiresAt), null);
    assert.equal(await deviceLogins.decide(never.userHash, decision, never.expiresAt), null);
    await bench.store.sweep(START + HOUR_MS + 1);
    for (const { deviceHash } of [denied, late, never])
      assert.equal(await deviceLogins.find(deviceHash), null);
  });

  test('deviceLogins.begin() keeps no more than fit, of one network and of all; what is over makes room (RFC 8628 section 5.1)', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const stores = [bench.store, other];
    const begun = await Promise.all(
      Array.from({ length: 12 }, (_, index) => stores[index % 2]!.deviceLogins.begin(loginOf(), MOST)),
    );
    assert.equal(begun.filter((each) => each === 'begun').length, MOST.network);
    assert.equal(begun.filter((each) => each === 'full').length, 12 - MOST.network);
    const { deviceLogins } = bench.store;
    const elsewhere = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        deviceLogins.begin(loginOf({ network: `192.0.2.${index}` }), MOST),
      ),
    );
    assert.equal(elsewhere.filter((each) => each === 'begun').length, MOST.all - MOST.network);
    const createdAt = START + HOUR_MS;
    const later = loginOf({ createdAt, expiresAt: createdAt + HOUR_MS });
    assert.equal(await deviceLogins.begin(later, MOST), 'begun');
    const sameCode = loginOf({ createdAt, expiresAt: createdAt + HOUR_MS, userHash: later.userHash });
    assert.equal(await deviceLogins.begin(sameCode, MOST), 'taken');
  });
}

function loginOf(over: Partial<NewDeviceLogin> = {}): NewDeviceLogin {
  return {
    id: newId('dvl'),
    deviceHash: newId('dvl'),
    userHash: newId('dvl'),
    name: 'laptop',
    scope: 'full',
    ip: '203.0.113.7',
    network: '203.0.113.7',
    createdAt: START,
    expiresAt: START + HOUR_MS,
    ...over,
  };
}

async function decisionOf(store: Parameters<typeof addMember>[0]): Promise<DeviceDecision> {
  const accountId: AccountId = await addAccount(store);
  const email = `${newId('mem')}@example.com`;
  const { id } = await addMember(store, { accountId, email });
  const sessionHash = newId('dvl');
  const person = { provider: 'corp', generation: 'first', subject: email, email, emailVerified: true };
  const entry = await store.consoleSessions.begin({
    person,
    vouched: true,
    within: accountId,
    accountName: null,
    invitation: null,
    hash: sessionHash,
    createdAt: START,
    expiresAt: START + 2 * HOUR_MS,
    ip: null,
    replaces: null,
  });
  assert.equal(entry.kind, 'member');
  return { kind: 'allowed', accountId, memberId: id, sessionHash };
}

const MOST = { network: 5, all: 8 };
