// The suite's part on the lists of an account's request tokens, API keys, members, host names and webhooks:
// each order, both ways, page after page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/id.ts';
import {
  API_KEY_ORDERS,
  HOST_ORDERS,
  MEMBER_ORDERS,
  type Orders,
  REQUEST_TOKEN_ORDERS,
  type Sort,
  sortNamed,
  sortNames,
  WEBHOOK_ORDERS,
} from '../../domain/list-orders.ts';
import { Secret } from '../../domain/secret.ts';
import type { PageIn, Place, RowsInOrder } from '../sorting.ts';
import { keyOf } from './api-keys.test-support.ts';
import { addAccount, addShare, benchOf, HOUR_MS, type OpenBench, START } from './bench.test-support.ts';
import { addCa, certificateOf, issue, tokenOf } from './certificates.test-support.ts';
import { assertOrdered, everyRow, idsOf } from './list-orders.test-support.ts';
import { webhookOf } from './webhooks.test-support.ts';

export function sortedListsSuite(open: OpenBench): void {
  test('apiKeys.list() pages in each order, both ways, and loses none that are alike or were never used', async () => {
    await using bench = await benchOf(open);
    const { apiKeys } = bench.store;
    const accountId = await addAccount(bench.store);
    for (let n = 0; n < 7; n++) {
      const id = newId('key');
      await apiKeys.create(
        keyOf(accountId, {
          id,
          hash: id,
          name: `k${(n * 3) % 7}`,
          createdAt: START + (n >> 1),
          expiresAt: n % 3 === 0 ? null : START + HOUR_MS * (n % 4),
        }),
        null,
      );
      if (n % 3 !== 1) await apiKeys.touch(id, START + (n % 3) * HOUR_MS);
    }
    await addAccount(bench.store);
    await expectOrders(API_KEY_ORDERS, 8, {
      list: (page) => apiKeys.list(accountId, page),
      placeOf: (row, by) => {
        if (by === 'name') return [row.name];
        const { createdAt, lastUsedAt, expiresAt } = row;
        const time = { created: createdAt, last_used: lastUsedAt ?? 0, expires: expiresAt ?? LATER }[by];
        return [time, row.id];
      },
    });
    await expectCounts(8, (most) => apiKeys.count(accountId, most));
  });

  test('members.list() pages in each order, both ways, whatever the case of an address', async () => {
    await using bench = await benchOf(open);
    const { members } = bench.store;
    const accountId = await addAccount(bench.store);
    for (let n = 0; n < 6; n++) {
      const [id, createdAt] = [newId('mem'), START + (n >> 1)];
      const email = `${'CbAdEf'[n]}@corp.example`;
      await members.invite(
        { id, accountId, email, role: 'member', createdAt, by: 'operator' },
        { id: newId('inv'), hash: id, createdAt, expiresAt: START + HOUR_MS },
      );
      if (n % 2 === 0)
        await bench.raw(`UPDATE members SET last_login_at = ${START + (n % 4)} WHERE id = '${id}'`);
    }
    await addAccount(bench.store);
    await expectOrders(MEMBER_ORDERS, 7, {
      list: (page) => members.list(accountId, page),
      placeOf: ({ id, email, createdAt, lastLoginAt }, by) => {
        const place = { email: email.toLowerCase(), created: createdAt, last_login: lastLoginAt ?? 0 }[by];
        return [place, id];
      },
    });
    await expectCounts(7, (most) => members.count(accountId, most));
  });

  test('hosts.list() pages in each order, both ways, of all shares and of one', async () => {
    await using bench = await benchOf(open);
    const { hosts } = bench.store;
    const share = await addShare(bench.store);
    const { accountId } = share;
    const second = await addShare(bench.store, { accountId });
    for (let n = 0; n < 7; n++)
      await hosts.claim({
        id: newId('hst'),
        accountId,
        shareId: n < 5 ? share.id : second.id,
        host: `h${(n * 3) % 7}.example.com`,
        createdAt: START + (n >> 1),
        most: 9,
      });
    for (const [shareId, count] of [
      [null, 7],
      [share.id, 5],
    ] as const) {
      await expectOrders(HOST_ORDERS, count, {
        list: (page) => hosts.list(accountId, { ...page, shareId }),
        placeOf: ({ id, host, createdAt }, by) => (by === 'name' ? [host] : [createdAt, id]),
      });
      await expectCounts(count, (most) => hosts.count(accountId, shareId, most));
    }
  });

  test('webhooks.list() pages in each order, both ways; one without a name goes by its address', async () => {
    await using bench = await benchOf(open);
    const { webhooks } = bench.store;
    const accountId = await addAccount(bench.store);
    const made = [
      ['Zulip', 'https://a.example/'],
      [null, 'https://m.example/'],
      ['alerts', 'https://z.example/'],
      [null, 'http://b.example/'],
      ['alerts', 'https://q.example/'],
    ] as const;
    for (const [n, [name, url]] of made.entries()) {
      const webhook = webhookOf(accountId, { name, url, createdAt: START + (n >> 1) });
      await webhooks.create({ webhook, secret: new Secret('whs_one'), most: 9 });
      if (n % 2 === 0)
        await bench.raw(`UPDATE webhooks SET last_delivered_at = ${START - n} WHERE id = '${webhook.id}'`);
    }
    await expectOrders(WEBHOOK_ORDERS, 5, {
      list: (page) => webhooks.list(accountId, page),
      placeOf: ({ id, name, url, createdAt, lastDeliveredAt }, by) => {
        const title = (name ?? url.replace(/^https?:\/\//, '')).toLowerCase();
        return [{ name: title, created: createdAt, last_delivered: lastDeliveredAt ?? 0 }[by], id];
      },
    });
    await expectCounts(5, (most) => webhooks.count(accountId, most));
    // What a cursor has no room for does not count.
    const url = `https://a.example/${'x'.repeat(1_900)}`;
    const webhook = webhookOf(accountId, { url });
    await webhooks.create({ webhook, secret: new Secret('whs_one'), most: 9 });
    const { next } = await webhooks.list(accountId, { after: null, limit: 1, sort: sortNamed('name') });
    assert.deepEqual(next, [url.slice(8, 108), webhook.id]);
  });

  test('certificateRequestTokens.list() pages in each order, both ways, in each state, and counts them', async () => {
    await using bench = await benchOf(open);
    const { certificateRequestTokens: tokens } = bench.store;
    const { accountId, caId } = await addCa(bench.store);
    const token = await tokenOf(bench.store, accountId);
    for (let n = 0; n < 7; n++) {
      const [createdAt, expiresAt] = [START + (n >> 1), START + HOUR_MS * (1 + (n % 3))];
      await tokens.create({ ...token, id: newId('crq'), createdAt, expiresAt }, newId('crq'));
    }
    for (let n = 0; n < 3; n++)
      await issue(bench.store, certificateOf(accountId, caId, { createdAt: START + (n >> 1) }));
    const now = START + 2 * HOUR_MS;
    const states = [
      [null, 10],
      [{ is: 'used', now }, 3],
      [{ is: 'open', now }, 2],
      [{ is: 'expired', now }, 5],
    ] as const;
    for (const [state, count] of states) {
      await expectOrders(REQUEST_TOKEN_ORDERS, count, {
        list: (page) => tokens.list(accountId, { ...page, state }),
        placeOf: ({ id, createdAt, expiresAt, usedAt }, by) => [
          { created: createdAt, expires: expiresAt, used: usedAt ?? 0 }[by],
          id,
        ],
      });
      assert.equal(await tokens.countFound(accountId, state, 99), count);
    }
    assert.equal(await tokens.countFound(accountId, null, 4), 4);
    await bench.raw(`INSERT INTO certificate_request_tokens (id, hash, created_at, expires_at, ${SAME})
      WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 2100)
      SELECT 'crq_m' || i, 'm' || i, ${START} + i % 9, ${START} + i % 500, ${SAME}
      FROM numbers, (SELECT * FROM certificate_request_tokens WHERE used_at IS NULL LIMIT 1) AS one`);
    // No page looks at all of them, and nobody counts what takes looking at each.
    const search = {
      after: null,
      limit: 100,
      state: { is: 'used', now },
      sort: sortNamed('created'),
    } as const;
    const first = await tokens.list(accountId, search);
    assert.ok(first.rows.length < 100 && first.next !== null, `${first.rows.length} of a page`);
    const all = await everyRow((after) => tokens.list(accountId, { ...search, after }));
    assert.equal(all.length, 3);
    assert.equal(await tokens.countFound(accountId, search.state, 1_001), null);
    assert.equal(await tokens.countFound(accountId, null, 1_001), 1_001);
  });
}

type Listed<Key extends string, Row> = {
  readonly list: (page: PageIn<Key>) => Promise<RowsInOrder<Row>>;
  readonly placeOf: (row: Row, by: Key) => Place;
};

async function expectOrders<Key extends string, Row extends { readonly id: string }>(
  orders: Orders<Key>,
  count: number,
  { list, placeOf }: Listed<Key, Row>,
): Promise<void> {
  for (const name of ['unsaid', ...sortNames(orders)] as const) {
    const sort: Sort<Key> = sortNamed(name === 'unsaid' ? orders.unsaid : name);
    const asked = name === 'unsaid' ? {} : { sort };
    const rows = await everyRow((after) => list({ ...asked, after, limit: 2 }));
    assert.equal(new Set(idsOf(rows)).size, count, name);
    assert.equal(rows.length, count, name);
    assertOrdered(
      rows.map((row) => placeOf(row, sort.by)),
      sort.descending,
    );
  }
}

/** All of them, and no more than is asked for. */
async function expectCounts(count: number, countOf: (most: number) => Promise<number>): Promise<void> {
  assert.deepEqual([await countOf(1_001), await countOf(count - 1)], [count, count - 1]);
}

const LATER = Number.MAX_SAFE_INTEGER;
const SAME = 'account_id, name, subject, validity_ms, created_by';
