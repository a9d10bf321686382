// The suite's part on logins by device (RFC 8628).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressSite } from '../../domain/address-site.ts';
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
    const login = deviceLoginOf();
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
    const login = deviceLoginOf();
    await bench.store.deviceLogins.begin(login, MOST);
    const stores = [bench.store, other, bench.store, other, bench.store, other];
    const decided = await Promise.all(
      stores.map(({ deviceLogins }, index) =>
        deviceLogins.decide(login.userHash, { ...decision, kind: index % 2 ? 'denied' : 'allowed' }, START),
      ),
    );
    assert.equal(decided.filter((each) => each !== null).length, 1);
    const again = deviceLoginOf();
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
      deviceLoginOf(),
      deviceLoginOf(),
      deviceLoginOf(),
      deviceLoginOf({ expiresAt: START + 3 * HOUR_MS }),
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
    const [denied, late, never] = [deviceLoginOf(), deviceLoginOf(), deviceLoginOf()];
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

  test('deviceLogins.begin() keeps no more than fit of one network; what is over makes room (RFC 8628 section 5.1)', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const stores = [bench.store, other];
    const begun = await Promise.all(
      Array.from({ length: 12 }, (_, index) => stores[index % 2]!.deviceLogins.begin(deviceLoginOf(), MOST)),
    );
    assert.equal(begun.filter((each) => each === 'begun').length, MOST.network);
    assert.equal(begun.filter((each) => each === 'full').length, 12 - MOST.network);
    const { deviceLogins } = bench.store;
    const createdAt = START + HOUR_MS;
    const later = deviceLoginOf({ createdAt, expiresAt: createdAt + HOUR_MS });
    assert.equal(await deviceLogins.begin(later, MOST), 'begun');
    const sameCode = deviceLoginOf({ createdAt, expiresAt: createdAt + HOUR_MS, userHash: later.userHash });
    assert.equal(await deviceLogins.begin(sameCode, MOST), 'taken');
  });

  test('deviceLogins.begin() counts neighbouring networks of IPv6 together, and what is decided no more (RFC 8628 section 5.1)', async () => {
    await using bench = await benchOf(open);
    const { deviceLogins } = bench.store;
    const decision = await decisionOf(bench.store);
    const logins = Array.from({ length: 9 }, (_, index) => from(`2001:db8:1:${index}::1`));
    const begun: string[] = [];
    for (const login of logins) begun.push(await deviceLogins.begin(login, MOST));
    assert.deepEqual(begun, [...Array.from({ length: MOST.block }, () => 'begun'), 'full', 'full', 'full']);
    for (const [index, kind] of (['denied', 'allowed'] as const).entries())
      await deviceLogins.decide(logins[index]!.userHash, { ...decision, kind }, START);
    const more: string[] = [];
    for (const index of [10, 11, 12])
      more.push(await deviceLogins.begin(from(`2001:db8:1:${index}::1`), MOST));
    assert.deepEqual(more, ['begun', 'begun', 'full']);
    assert.equal((await deviceLogins.take(logins[1]!.deviceHash, START))?.id, logins[1]!.id);
  });

  test('deviceLogins.begin() takes the place of the newest of the network with the most where all are taken, also of several processes at once (RFC 8628 section 5.1)', async () => {
    await using bench = await benchOf(open);
    const stores = [bench.store, await bench.again()];
    const { deviceLogins } = bench.store;
    const flood = Array.from({ length: MOST.block }, (_, index) =>
      from(`2001:db8:1:${index}::1`, START + index),
    );
    for (const login of flood) assert.equal(await deviceLogins.begin(login, MOST), 'begun');
    const others = Array.from({ length: 12 }, (_, index) => from(`192.0.2.${index}`, START + 100 + index));
    const begun = await Promise.all(
      others.map((login, index) => stores[index % 2]!.deviceLogins.begin(login, MOST)),
    );
    const waiting = async (all: readonly NewDeviceLogin[]) =>
      (await Promise.all(all.map(({ userHash }) => deviceLogins.findWaiting(userHash, START)))).map(
        (found) => found !== null,
      );
    assert.equal(begun.filter((each) => each === 'begun').length, MOST.all - 1);
    assert.deepEqual(await waiting(flood), [true, ...flood.slice(1).map(() => false)], 'the newest went');
    assert.deepEqual(
      await waiting(others),
      begun.map((each) => each === 'begun'),
    );
  });
}

function from(ip: string, createdAt = START): NewDeviceLogin {
  return deviceLoginOf({ ip, network: addressSite(ip), createdAt });
}

export function deviceLoginOf(over: Partial<NewDeviceLogin> = {}): NewDeviceLogin {
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
    ageMs: 0,
    expiresAt: START + 2 * HOUR_MS,
    ip: null,
    replaces: null,
  });
  assert.equal(entry.kind, 'member');
  return { kind: 'allowed', accountId, memberId: id, sessionHash };
}

const MOST = { network: 5, block: 6, all: 8 };
