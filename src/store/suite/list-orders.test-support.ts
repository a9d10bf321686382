// The suite's part on lists in an order that somebody chose: each order, both ways, page after page, whether
// rows are few or many; and what a list of shares shows beside them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountId, newId } from '../../domain/id.ts';
import {
  CERTIFICATE_ORDERS,
  SESSION_ORDERS,
  SHARE_ORDERS,
  sortNamed,
  sortNames,
} from '../../domain/list-orders.ts';
import type { CertificateQuery } from '../certificates/certificate.ts';
import type { SessionQuery } from '../sessions/choice.ts';
import type { Place } from '../sorting.ts';
import {
  addAccount,
  addSession,
  addShare,
  ANY_SESSION,
  type Bench,
  benchOf,
  HOUR_MS,
  type OpenBench,
  START,
} from './bench.test-support.ts';
import { addCa, certificateOf, issue, queryOf } from './certificates.test-support.ts';

export function listOrdersSuite(open: OpenBench): void {
  test('shares.list() pages in each order, both ways, and loses none that are alike', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const accountId = await addAccount(bench.store);
    for (let n = 0; n < 7; n++)
      await addShare(bench.store, {
        accountId,
        name: `s${(n * 3) % 7}`,
        createdAt: START + Math.floor(n / 3),
        updatedAt: START - Math.floor(n / 2),
      });
    await addShare(bench.store);
    const keyOf = { name: 'name', created: 'createdAt', changed: 'updatedAt' } as const;
    for (const name of sortNames(SHARE_ORDERS)) {
      const sort = sortNamed(name);
      const rows = await everyRow(async (after) => {
        const page = await shares.list(accountId, { sort, after, limit: 2 });
        return { rows: page.shares, next: page.next };
      });
      assert.equal(new Set(rows.map(({ id }) => id)).size, 7, name);
      assertOrdered(
        rows.map((row) => [row[keyOf[sort.by]], row.id]),
        sort.descending,
      );
    }
    const counted = (text: string | null, most: number) =>
      shares.countFound(accountId, { text, provider: null, state: null, now: START }, most);
    assert.deepEqual([await counted(null, 5), await counted(null, 9), await counted('s3', 9)], [5, 7, 1]);
  });

  test('sessions.list() pages in each order, both ways, of few and of many, and counts them', async () => {
    await using bench = await benchOf(open);
    const accountId = await addAccount(bench.store);
    const [few, many] = [
      await addShare(bench.store, { accountId }),
      await addShare(bench.store, { accountId }),
    ];
    for (let n = 0; n < 9; n++) {
      const at = START + Math.floor(n / 4);
      const email = `${'CbAbAcAbc'[n]}@corp.example`;
      const id = await addSession(bench.store, { share: few, at, email, browser: newId('ses') });
      if (n % 3 === 0) await bench.store.sessions.seen([{ id, at: START + 50 - n }]);
    }
    const ofFew = { accountId, shareId: few.id, state: 'active' } as const;
    const ended = await addSession(bench.store, { share: few, at: START, browser: newId('ses') });
    await bench.store.sessions.end([ended], { reason: 'logout', at: START });
    await expectOrders(bench, ofFew, 9);
    await expectOrders(bench, { accountId }, 10);
    await addManySessions(bench, { accountId, shareId: many.id });
    await expectOrders(bench, ofFew, 9);
    await expectOrders(bench, { accountId, shareId: many.id, state: 'active' }, MANY);
    await expectOrders(bench, { accountId, state: 'active' }, MANY + 9);
    const { sessions } = bench.store;
    const counted = (query: Partial<SessionQuery>) =>
      sessions.countFound({ ...ANY_SESSION, accountId, ...query }, 1_001);
    assert.equal(await counted(ofFew), 9);
    assert.equal(await counted({ shareId: few.id, state: 'ended' }), 1);
    for (const query of [{}, { state: 'active' }, { shareId: many.id }] as const)
      assert.equal(await counted(query), 1_001);
    // Whatever takes looking at each is not counted.
    assert.equal(await counted({ state: 'ended' }), null);
    assert.equal(await counted({ state: 'active', shareId: many.id }), null);
  });

  test('certificates.list() pages in each order, both ways, of few and of many, and loses none that are alike', async () => {
    await using bench = await benchOf(open);
    const { accountId, caId } = await addCa(bench.store);
    const { certificates } = bench.store;
    const tokenId = newId('crq');
    for (let n = 0; n < 9; n++) {
      const [createdAt, notAfter] = [START + Math.floor(n / 3), START + (((n * 4) % 9) >> 1) * HOUR_MS];
      const subject = { commonName: 'x', organization: null, organizationalUnit: null };
      const emailAddress = n > 5 ? null : 'ann@corp.com';
      const one = certificateOf(accountId, caId, {
        createdAt,
        notAfter,
        tokenId: n > 5 ? null : tokenId,
        subject: { ...subject, emailAddress },
      });
      await issue(bench.store, one);
      if (n % 4 === 0) await certificates.revoke({ ...REVOKED, accountId, chosen: { id: one.id } });
    }
    const other = await addCa(bench.store);
    await issue(bench.store, certificateOf(other.accountId, other.caId));
    const every = (query: CertificateQuery) =>
      everyRow(async (after) => {
        const page = await certificates.list({ ...query, after });
        return { rows: page.certificates, next: page.next };
      });
    const expectEach = async (query: Partial<CertificateQuery>, limit = 2) => {
      const plain = await every({ ...queryOf(accountId), ...query, limit });
      for (const sort of sortNames(CERTIFICATE_ORDERS).map(sortNamed)) {
        const rows = await every({ ...queryOf(accountId), ...query, sort, limit });
        assertOrdered(
          rows.map((row) => [sort.by === 'created' ? row.createdAt : row.notAfter, row.id]),
          sort.descending,
        );
        assert.deepEqual(idsOf(rows), idsOf(plain));
      }
      return plain.length;
    };
    assert.equal(await expectEach({}), 9);
    assert.equal(await expectEach({ emailAddress: 'Ann@corp.com' }), 6);
    assert.equal(await expectEach({ tokenId }), 6);
    assert.equal(await expectEach({ state: 'living' }), 5);
    assert.equal(await expectEach({ state: 'revoked' }), 2);
    assert.equal(await expectEach({ state: 'expired' }), 2);
    assert.equal(await expectEach({ state: 'living', endsBefore: START + 3 * HOUR_MS }), 3);
    const counted = (query: Partial<CertificateQuery>) =>
      certificates.countFound({ ...queryOf(accountId), now: START + 1, ...query }, 1_001);
    const counts = async () => ({
      all: await counted({}),
      person: await counted({ emailAddress: 'Ann@corp.com' }),
      living: await counted({ state: 'living' }),
      revoked: await counted({ state: 'revoked' }),
      expired: await counted({ state: 'expired', now: START + 500 }),
      soon: await counted({ state: 'living', endsBefore: START + 3 * HOUR_MS }),
      revokedOfPerson: await counted({ emailAddress: 'ann@corp.com', state: 'revoked' }),
      token: await counted({ tokenId }),
      text: await counted({ text: 'corp.com' }),
    });
    const few = {
      all: 9,
      person: 6,
      living: 5,
      revoked: 2,
      expired: 2,
      soon: 3,
      revokedOfPerson: 1,
      token: 6,
      text: 6,
    };
    assert.deepEqual(await counts(), few);
    // More than one page looks at, all of one person and one token.
    await addManyCertificates(bench, accountId);
    assert.equal(await expectEach({}, 700), 9 + MANY);
    assert.equal(await expectEach({ emailAddress: 'ann@corp.com' }, 700), 6 + MANY);
    assert.equal(await expectEach({ emailAddress: 'ann@corp.com', state: 'revoked' }, 700), 1);
    assert.equal(await expectEach({ tokenId }, 700), 6 + MANY);
    const page = await certificates.list({ ...queryOf(accountId), tokenId, limit: 5_000 });
    assert.ok(page.certificates.length <= 2_000, `a page looked at ${page.certificates.length}`);
    const [many, unknown] = [1_001, null];
    // Whatever takes looking at each is not counted.
    assert.deepEqual(await counts(), {
      ...few,
      all: many,
      person: many,
      token: many,
      living: many,
      expired: many,
      soon: many,
      revokedOfPerson: unknown,
      text: unknown,
    });
  });

  test('shares.figures() tells requests of a day, active sessions and the last request, of one account', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const busy = await addShare(store);
    const { accountId } = busy;
    const [quiet, other] = [await addShare(store, { accountId }), await addShare(store)];
    const counted = (share: typeof busy, at: number, requests: number) =>
      store.activity.add(at, [
        {
          shareId: share.id,
          accountId: share.accountId,
          requests,
          answered: requests,
          refused: 0,
          faulted: 0,
          statuses: new Float64Array(6),
          durations: new Float64Array(18),
          durationsMs: requests,
        },
      ]);
    const [hour, minute] = [TOP - 3 * HOUR_MS, TOP + 7 * 60_000];
    await counted(busy, TOP - 24 * HOUR_MS, 1_000);
    await counted(busy, hour, 20);
    await counted(busy, minute, 3);
    await counted(quiet, TOP - 30 * HOUR_MS, 5);
    await counted(other, minute, 9);
    clock.time = TOP + 10 * 60_000;
    const at = clock.time - 1_000;
    for (const email of ['ann@corp.example', 'bob@corp.example'])
      await addSession(store, { share: busy, at, email, browser: newId('ses') });
    const ended = await addSession(store, { share: busy, at, browser: newId('ses') });
    await store.sessions.end([ended], { reason: 'logout', at });
    await addSession(store, { share: busy, at, lifetimeMs: 10, browser: newId('ses') });
    const figures = await store.shares.figures(accountId, [busy.id, quiet.id, other.id], clock.time);
    assert.deepEqual(Object.fromEntries(figures), {
      [busy.id]: { requests: 23, sessions: 2, lastRequestAt: minute },
      [quiet.id]: { requests: 0, sessions: 0, lastRequestAt: TOP - 30 * HOUR_MS },
    });
  });
}

/** In each order, page by page: so many, each once. */
async function expectOrders({ store }: Bench, query: Partial<SessionQuery>, count: number): Promise<void> {
  for (const name of sortNames(SESSION_ORDERS)) {
    const sort = sortNamed(name);
    const limit = count > 100 ? 700 : 2;
    const rows = await everyRow(async (after) => {
      const page = await store.sessions.list({
        ...ANY_SESSION,
        accountId: NOBODY,
        ...query,
        sort,
        after,
        limit,
      });
      return { rows: page.sessions.map(({ row }) => row), next: page.next };
    });
    assert.equal(new Set(rows.map(({ id }) => id)).size, count, name);
    const keys = rows.map(({ id, createdAt, lastSeenAt, email }) => {
      if (sort.by === 'email') return [email.toLowerCase(), createdAt, id];
      return [sort.by === 'created' ? createdAt : lastSeenAt, id];
    });
    assertOrdered(keys, sort.descending);
  }
}

export async function everyRow<Row>(
  read: (after: Place | null) => Promise<{ readonly rows: readonly Row[]; readonly next: Place | null }>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let after: Place | null = null; ;) {
    const { rows, next }: Awaited<ReturnType<typeof read>> = await read(after);
    all.push(...rows);
    if (next === null) return all;
    after = next;
  }
}

export function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id).toSorted();
}

export function assertOrdered(keys: readonly Place[], descending: boolean): void {
  const sorted = keys.toSorted((a, b) => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at === -1 ? 0 : a[at]! < b[at]! ? -1 : 1;
  });
  assert.deepEqual(keys, descending ? sorted.toReversed() : sorted);
}

/** More than one page looks at, as one of the account is. */
async function addManySessions(
  { raw }: Bench,
  { accountId, shareId }: { readonly accountId: AccountId; readonly shareId: string },
): Promise<void> {
  const same = `account_id, provider_name, provider_generation, subject, browser_hash, expires_at, checked_at,
    refreshable, fence`;
  await raw(`INSERT INTO sessions (id, share_id, email, created_at, last_seen_at, ${same})
    WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${MANY})
    SELECT 'ses_m' || i, '${shareId}', 'p' || (i % 40) || '@many.example', ${START} + i % 9, ${START} + i % 500, ${same}
    FROM numbers, (SELECT * FROM sessions WHERE account_id = '${accountId}' AND ended_at IS NULL LIMIT 1) AS one`);
}

/** As many, all of one person. */
async function addManyCertificates({ raw }: Bench, accountId: AccountId): Promise<void> {
  const same = `account_id, ca_id, subject, email_address, key_hash, certificate, not_before, allowed_by, name,
    validity_ms, token_id`;
  await raw(`INSERT INTO client_certificates (id, serial, fingerprint, created_at, not_after, ${same})
    WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${MANY})
    SELECT 'crt_m' || i, 'M' || i, 'm' || i, ${START} + i % 9, ${START} + i % 500, ${same}
    FROM numbers, (SELECT * FROM client_certificates
      WHERE account_id = '${accountId}' AND email_address IS NOT NULL AND revoked_at IS NULL LIMIT 1) AS one`);
}

const REVOKED = { reason: 'unspecified', at: START, by: 'member:mem_1' } as const;
const MANY = 2_100;
/** The beginning of an hour. */
const TOP = START - (START % HOUR_MS) + 10 * 24 * HOUR_MS;
const NOBODY: AccountId = 'acc_nobody';
