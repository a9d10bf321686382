// What a restored store refuses of the time that it lost, and the numbers that it gives from then on: on each
// engine.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, after, before, test } from 'node:test';
import { type TestPostgres, startPostgres } from '../../../test/support/postgres.ts';
import { type AccountCaId, type AccountId, newId } from '../../domain/id.ts';
import { type MasterKeys, newMasterKeyText, parseMasterKeys } from '../sealing/master-key.ts';
import { type StoreEngine, openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { HOUR_MS, addShare } from '../suite/bench.test-support.ts';
import { addCa, certificateOf, tokenOf } from '../suite/certificates.test-support.ts';
import { backUpStore, restoreStore } from './stores.ts';

let server: TestPostgres;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`restoreStore() onto ${kind}: an attempt of before the restore is used up, whatever the backup says (contract 3)`, async (t) => {
    const rig = await rigOf(t, kind);
    const store = await rig.open();
    const [used, unused] = [newId('att'), newId('att')];
    const madeAt = rig.clock.time;
    await rig.backUp();
    assert.equal(await store.attempts.claim(used, madeAt + HOUR_MS, madeAt), true);
    rig.clock.time += 60_000;
    const restored = await rig.restore();
    for (const id of [used, unused])
      assert.equal(await restored.attempts.claim(id, madeAt + HOUR_MS, madeAt), false);
    // What is passed on in one redirect is a minute old at most.
    rig.clock.time += 1;
    const now = rig.clock.time;
    assert.equal(await restored.attempts.claim(newId('att'), now + 59_000), false);
    assert.equal(await restored.attempts.claim(newId('att'), now + 60_000), true);
    assert.equal(await restored.attempts.claim(unused, now + HOUR_MS, now), true);
  });

  test(`restoreStore() onto ${kind}: whoever followed the store hears that it is another, also when one backup is restored twice`, async (t) => {
    const rig = await rigOf(t, kind);
    const store = await rig.open();
    await addShare(store);
    await rig.backUp();
    await addShare(store);
    let former = await store.changes.latest();
    for (let times = 0; times < 2; times++) {
      rig.clock.time += 60_000;
      const restored = await rig.restore();
      assert.equal((await restored.changes.since(former)).gap, true);
      // A gateway that was away meanwhile must not find its number reached again.
      for (let changes = 0; changes < 3 + 3 * times; changes++) await addShare(restored);
      assert.equal((await restored.changes.since(former)).gap, true);
      former = await restored.changes.latest();
      assert.equal((await restored.changes.since(former)).gap, false);
    }
  });

  test(`restoreStore() onto ${kind}: no revocation list has a number of before, though a gateway's clock was ahead (RFC 5280 5.2.3)`, async (t) => {
    const rig = await rigOf(t, kind);
    const store = await rig.open();
    const { caId } = await addCa(store);
    const ahead = rig.clock.time + 30 * 24 * HOUR_MS;
    await rig.backUp();
    let former = 0;
    for (let lists = 0; lists < 5; lists++) former = await store.revocationLists.nextNumber(caId, ahead);
    for (let times = 0; times < 2; times++) {
      rig.clock.time += 60_000;
      const restored = await rig.restore();
      const next = await restored.revocationLists.nextNumber(caId, rig.clock.time);
      assert.ok(next > former, `${next} comes after ${former}`);
      former = await restored.revocationLists.nextNumber(caId, rig.clock.time);
    }
  });

  test(`restoreStore() onto ${kind}: no If-Match of before holds`, async (t) => {
    const rig = await rigOf(t, kind);
    const store = await rig.open();
    const { accountId, id } = await addShare(store);
    await rig.backUp();
    const modify = (at: Store) =>
      at.shares.modify({ accountId, id, settings: () => ({ enabled: false }), at: rig.clock.time });
    const former = await modify(store);
    rig.clock.time += 60_000;
    const restored = await rig.restore();
    const again = await modify(restored);
    assert.ok(former !== null && again !== null && again.version > former.version);
  });

  test(`restoreStore() onto ${kind}: the gates are told of the lost time, and which certificates of it are known`, async (t) => {
    const rig = await rigOf(t, kind);
    const store = await rig.open();
    const { accountId, caId } = await addCa(store);
    const issue = (at: Store) => issued(at, { accountId, caId, at: rig.clock.time });
    const old = await issued(store, { accountId, caId, at: rig.clock.time - 48 * HOUR_MS });
    const known = await issue(store);
    rig.clock.time += 1_000;
    const backedUpAt = rig.clock.time;
    await rig.backUp();
    await issue(store);
    rig.clock.time += HOUR_MS;
    const restored = await rig.restore();
    const { certificates } = restored;
    const gaps = await certificates.gaps(rig.clock.time);
    const told = await certificates.knownInGaps({ now: rig.clock.time, after: null, limit: 10 });
    assert.deepEqual(
      told.map(({ serial }) => serial),
      [known.serial],
      'not that of days before, which counts without',
    );
    const [gap] = gaps;
    assert.ok(gap !== undefined && gaps.length === 1);
    assert.ok(old.notBefore < gap.from && gap.from <= backedUpAt - HOUR_MS, 'clocks differ');
    assert.ok(gap.until >= rig.clock.time);
    // What is issued now is backdated into it: the gates hear of it, as long as that is so.
    const upTo = await restored.changes.latest();
    const fresh = await issue(restored);
    const { changes } = await restored.changes.since(upTo);
    assert.deepEqual(changes, [{ kind: 'certificate', id: fresh.id }]);
    assert.deepEqual(await certificates.knownAmong([fresh.id, old.id], rig.clock.time), [
      { id: fresh.id, authorityId: caId, serial: fresh.serial },
    ]);
    rig.clock.time += 2 * HOUR_MS;
    const later = await restored.changes.latest();
    await issue(restored);
    assert.equal(await restored.changes.latest(), later);
    // When the last certificate of then is over, nothing of it is kept.
    rig.clock.time += 400 * 24 * HOUR_MS;
    assert.deepEqual(await restored.certificates.gaps(rig.clock.time), []);
  });
}

type Issuing = { readonly accountId: AccountId; readonly caId: AccountCaId; readonly at: number };

/** Backdated by five minutes, as all are. */
async function issued(store: Store, { accountId, caId, at }: Issuing) {
  const times = { createdAt: at, notBefore: at - 5 * 60_000, notAfter: at + 300 * 24 * HOUR_MS };
  const certificate = certificateOf(accountId, caId, times);
  const token = { ...(await tokenOf(store, accountId)), createdAt: at, expiresAt: at + HOUR_MS };
  await store.certificateRequestTokens.create(token, token.id);
  assert.ok(await store.certificateRequestTokens.redeem(token.id, certificate));
  return certificate;
}

/** A store of that kind, its backup, and copies of it that were restored from it. */
async function rigOf(t: TestContext, kind: StoreEngine['kind']) {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-restored-'));
  t.after(() => rm(folder, { recursive: true }));
  const masterKeys: MasterKeys = parseMasterKeys(newMasterKeyText()) ?? assert.fail();
  const clock = { time: Date.now() };
  const now = () => clock.time;
  const file = join(folder, 'backup');
  let count = 0;
  const place = async (): Promise<StoreEngine> =>
    kind === 'postgres'
      ? { kind, url: await server.place() }
      : { kind, file: join(folder, `store-${++count}`, 'doorward.db') };
  const opened = async (engine: StoreEngine): Promise<Store> => {
    const store = await openStore({ engine, now, exclusive: false, masterKey: masterKeys.key });
    t.after(() => store.close());
    return store;
  };
  const source = await place();
  return {
    clock,
    open: () => opened(source),
    backUp: () => backUpStore(source, { to: file, force: false, now, progress: () => undefined }),
    restore: async () => {
      const target = await place();
      const options = { file, masterKeys, keepSessions: false, revokeKeys: false, now };
      await restoreStore(target, { ...options, progress: () => undefined });
      return opened(target);
    },
  };
}
