// The suite's part on how certificates are found by a text: through the index, and past it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Certificate } from '../../domain/certificate.ts';
import type { AccountCaId, AccountId } from '../../domain/id.ts';
import type { Store } from '../store.ts';
import { type Bench, type OpenBench, benchOf } from './bench.test-support.ts';
import { addCa, certificateOf, issue, queryOf } from './certificates.test-support.ts';

export function certificateSearchSuite(open: OpenBench): void {
  test('certificates.list() finds by any part of a word, of long ones too, with the index and without', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const of = await addCa(store);
    const names = [
      'Zoë’s laptop',
      'the 100%_sure phone',
      '550e8400-e29b-41d4-a716-446655440000',
      `${'long'.repeat(40)}-end`,
      'Ärztin Ömer',
    ];
    for (const name of names) await named(store, of, name);
    await named(store, await addCa(store), names[0] ?? '');
    for (const isIndexed of [true, false]) {
      if (isIndexed) while (await store.certificates.index());
      // More than a search adds by itself.
      else for (let n = 0; n < 210; n++) await named(store, of, `filler ${n}`);
      const found = async (text: string) =>
        (await namesWith(store, of, text)).map((name) => names.indexOf(name));
      assert.deepEqual(await found('oë’S LAP'), [0]);
      assert.deepEqual(await found('ë'), [0]);
      assert.deepEqual(await found('Ärztin'), [4]);
      assert.deepEqual(await found('TIN Öm'), [4]);
      assert.deepEqual(await found('lap top'), []);
      assert.deepEqual(await found('phone laptop'), []);
      assert.deepEqual(await found('0%_s'), [1]);
      assert.deepEqual(await found('a716-4466'), [2]);
      assert.deepEqual(await found('446655440000'), [2]);
      assert.deepEqual(await found('longlong-end'), [3]);
      assert.deepEqual(await found('long'.repeat(30)), [3]);
      assert.deepEqual(await found('long'.repeat(41)), []);
    }
  });

  test('certificates.list() finds a number by its first digits, and by sixteen of its others', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const of = await addCa(store);
    const one = certificateOf(of.accountId, of.caId, {
      name: 'one',
      serial: '1A2B3C4D5E6F708192A3B4C5D6E7F809',
      fingerprint: 'fedc3c4d5e6f708192a3b4c5d6e7f809'.repeat(2),
    });
    await issue(store, one);
    await named(store, of, 'robot 3c4d5e6f');
    while (await store.certificates.index());
    const found = (text: string) => namesWith(store, of, text);
    for (const text of [
      '1a2b',
      '1A:2b:3C',
      'FEDC',
      'fe:dc:3c',
      '3c4d5e6f708192a3b4',
      '3c:4d:5e:6f:70:81:92:a3:b4',
    ])
      assert.deepEqual(await found(text), ['one'], text);
    assert.deepEqual(await found('3C4D5E6F'), ['robot 3c4d5e6f']);
    // With three, too many numbers begin.
    assert.deepEqual(await found('1a2'), []);
    assert.deepEqual(await found('a2b3c'), []);
  });

  test('certificates.list() asks the index, and keeps to whatever else was asked for', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const of = await addCa(store);
    const made: Certificate[] = [];
    for (let n = 0; n < 9; n++) made.push(await named(store, of, `laptop ${n}`));
    const [first] = made;
    assert.ok(first);
    await store.certificates.revoke({ ...REVOKED, accountId: of.accountId, chosen: { id: first.id } });
    while (await store.certificates.index());
    const query = { ...queryOf(of.accountId), text: 'laptop', limit: 3 };
    const revoked = await store.certificates.list({ ...query, state: 'revoked' });
    assert.deepEqual(
      revoked.certificates.map(({ id }) => id),
      [first.id],
    );
    const sort = { by: 'created', descending: true } as const;
    const seen = new Set<string>();
    for (
      let after: Awaited<ReturnType<typeof store.certificates.list>>['next'] = null, page = 0;
      page < 3;
      page++
    ) {
      const { certificates, next } = await store.certificates.list({ ...query, sort, after });
      for (const { id } of certificates) seen.add(id);
      after = next;
    }
    assert.equal(seen.size, 9);
    assert.equal((await namesWith(store, of, 'laptop')).length, 9);
    assert.equal(await store.certificates.countFound(query, 1_000), 9);
    assert.equal(await store.certificates.countFound({ ...query, text: 'none' }, 1_000), 0);
    await bench.raw('DELETE FROM certificate_words');
    assert.deepEqual(await namesWith(store, of, 'laptop'), []);
  });

  test('certificates.index() of several processes at once adds each certificate once', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const of = await addCa(store);
    for (let n = 0; n < 120; n++) await named(store, of, `laptop-${n}`);
    await indexAll([store, await bench.again(), await bench.again()]);
    assert.deepEqual(await bench.rows('SELECT 1 FROM certificates_unsearched'), []);
    assert.deepEqual(await namesWith(store, of, 'top-77'), ['laptop-77']);
    assert.equal((await namesWith(store, of, 'laptop-1')).length, 31);
  });

  test('certificates.index() goes on past a certificate that is not there any more', async () => {
    await using bench = await benchOf(open);
    await bench.raw("INSERT INTO certificates_unsearched (certificate_id) VALUES ('cer_gone')");
    while (await bench.store.certificates.index());
    assert.deepEqual(await bench.rows('SELECT 1 FROM certificates_unsearched'), []);
  });
}

type Of = { readonly accountId: AccountId; readonly caId: AccountCaId };

function named(store: Store, { accountId, caId }: Of, name: string): Promise<Certificate> {
  const subject = { commonName: 'ann', organization: null, organizationalUnit: null, emailAddress: null };
  return issue(store, certificateOf(accountId, caId, { name, subject }));
}

async function namesWith(store: Bench['store'], { accountId }: Of, text: string): Promise<readonly string[]> {
  const { certificates } = await store.certificates.list({ ...queryOf(accountId), text });
  return certificates.map(({ name }) => name);
}

async function indexAll(stores: readonly Store[]): Promise<void> {
  await Promise.all(
    stores.map(async ({ certificates }) => {
      while (await certificates.index());
    }),
  );
}

const REVOKED = { reason: 'unspecified', by: 'operator', at: 1_700_000_000_000 } as const;
