// The suite's part on certificates that are revoked though the store does not know them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountCaId, AccountId } from '../../domain/id.ts';
import { HOUR_MS, type OpenBench, START, benchOf } from './bench.test-support.ts';
import { addCa, certificateOf, issue } from './certificates.test-support.ts';

export function revokedSerialsSuite(open: OpenBench): void {
  test('revokedSerials.add() revokes once, for the lists and the gates, of one authority alone', async () => {
    await using bench = await benchOf(open);
    const { certificates, changes, revokedSerials } = bench.store;
    const [ours, theirs] = [await addCa(bench.store), await addCa(bench.store)];
    const kept = await issue(bench.store, certificateOf(ours.accountId, ours.caId));
    const before = await changes.latest();
    const none = await certificates.revocationState(ours.caId);
    const of = inputOf(ours, ['01AB', '02CD']);
    assert.deepEqual(await revokedSerials.add(of), of.serials);
    assert.deepEqual(await revokedSerials.add(of), [], 'once more changes nothing');
    const told = (await changes.since(before)).changes.filter(({ kind }) => kind === 'certificate');
    assert.equal(told.length, 2);
    const ids = told.flatMap((change) => (change.kind === 'certificate' ? [change.id] : []));
    const among = await certificates.revokedAmong([...ids, kept.id]);
    assert.deepEqual(serials(among), ['01AB', '02CD']);
    assert.notEqual(await certificates.revocationState(ours.caId), none);
    const at = {
      accountId: ours.accountId,
      reason: 'superseded',
      by: 'member:mem_1',
      at: START + 1,
    } as const;
    await certificates.revoke({ ...at, chosen: { id: kept.id } });
    // In pages of one: the certificates first, then these.
    for (const read of [
      certificates.allRevoked,
      (page: Parameters<typeof certificates.allRevoked>[0]) => certificates.revokedBy(ours.caId, page),
    ]) {
      const found: string[] = [];
      for (let after: string | null = null; ;) {
        const page: readonly RevokedSerial[] = await read({ now: START, after, limit: 1 });
        found.push(...page.map(({ serial }) => serial));
        if (page.length === 0) break;
        after = page[0]?.id ?? null;
      }
      assert.deepEqual([found[0], ...found.slice(1).toSorted()], [kept.serial, '01AB', '02CD']);
    }
    const page = { now: START, after: null, limit: 10 };
    assert.deepEqual(await certificates.revokedBy(theirs.caId, page), []);
    const [listed] = await certificates.revokedBy(ours.caId, { ...page, after: kept.id });
    assert.deepEqual([listed?.reason, listed?.revokedAt], ['cessation_of_operation', START]);
    assert.deepEqual(await certificates.allRevoked({ ...page, now: START + 1000 * HOUR_MS }), []);
  });

  test('revokedSerials.add() takes as many as the account may have, whoever adds at the same time', async () => {
    await using bench = await benchOf(open);
    const { certificates } = bench.store;
    const ours = await addCa(bench.store);
    const others = [bench.store, await bench.again()];
    const added = await Promise.allSettled(
      ['01', '02', '03', '04', '05', '06'].map((serial, index) =>
        others[index % 2]?.revokedSerials.add({ ...inputOf(ours, [serial]), most: 3 }),
      ),
    );
    const refused = added.filter((each) => each.status === 'rejected');
    assert.equal(refused.length, 3);
    for (const { reason } of refused) assert.equal((reason as { code?: string }).code, 'limit_reached');
    const page = { now: START, after: null, limit: 10 };
    const revoked = serials(await certificates.revokedBy(ours.caId, page));
    assert.equal(revoked.length, 3);
    // Nothing is refused to whoever says again what is revoked.
    assert.deepEqual(await others[0]?.revokedSerials.add({ ...inputOf(ours, revoked), most: 3 }), []);
  });

  test('revokedSerials keep the list of a retired authority up, and go when the certificate is over and was listed as such', async () => {
    await using bench = await benchOf(open);
    const { cas, certificates, revokedSerials, sweep } = bench.store;
    const ours = await addCa(bench.store);
    await revokedSerials.add(inputOf(ours, ['01AB']));
    await bench.raw(`UPDATE account_cas SET retired_at = ${START} WHERE id = '${ours.caId}'`);
    const isListed = async (at: number) =>
      (await cas.list(ours.accountId, at)).some(({ id }) => id === ours.caId);
    assert.equal(await isListed(END - 1), true);
    assert.equal(await isListed(END), false);
    assert.equal((await cas.all(END - 1)).length, 0, 'a gate needs it for nothing');
    const page = { now: START, after: null, limit: 10 };
    await sweep(END + 48 * HOUR_MS);
    assert.equal((await certificates.allRevoked(page)).length, 1);
    await sweep(END + 48 * HOUR_MS + 1);
    assert.equal((await certificates.allRevoked(page)).length, 0);
  });

  test('certificates.revoke() by a key takes every certificate of it, and refuses the key when it is compromised', async () => {
    await using bench = await benchOf(open);
    const { certificates } = bench.store;
    const { accountId, caId } = await addCa(bench.store);
    const [one, other] = [
      await issue(bench.store, certificateOf(accountId, caId, { keyHash: 'lost' })),
      await issue(bench.store, certificateOf(accountId, caId, { keyHash: 'another' })),
    ];
    const of = { accountId, reason: 'key_compromise', by: 'member:mem_1', at: START + 1 } as const;
    const revoked = await certificates.revoke({ ...of, chosen: { keyHash: 'lost' } });
    assert.deepEqual(serials(revoked), [one.serial]);
    assert.equal((await certificates.find(accountId, other.id))?.revokedAt, null);
    const again = issue(bench.store, certificateOf(accountId, caId, { keyHash: 'lost' }));
    await assert.rejects(again, { code: 'csr_refused' });
    // One that no certificate here has is marked all the same.
    assert.deepEqual(await certificates.revoke({ ...of, chosen: { keyHash: 'unseen' } }), []);
    const unseen = issue(bench.store, certificateOf(accountId, caId, { keyHash: 'unseen' }));
    await assert.rejects(unseen, { code: 'csr_refused' });
  });
}

function inputOf(
  { accountId, caId }: { readonly accountId: AccountId; readonly caId: AccountCaId },
  of: readonly string[],
) {
  return {
    accountId,
    serials: of.map((serial) => ({ caId, serial, notAfter: END })),
    reason: 'cessation_of_operation',
    by: 'member:mem_1',
    at: START,
    most: 10,
  } as const;
}

function serials(rows: readonly { readonly serial: string }[]): readonly string[] {
  return rows.map(({ serial }) => serial).toSorted();
}

type RevokedSerial = { readonly id: string; readonly serial: string };

const END = START + 100 * HOUR_MS;
