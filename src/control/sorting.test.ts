// Lists of request tokens, API keys, members, host names and webhooks come in the order that was asked for,
// page after page, and take no cursor of another order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControl, type TestControl } from '../../test/support/control.ts';
import { newId } from '../domain/id.ts';
import { Secret } from '../domain/secret.ts';
import { addShare } from '../store/suite/bench.test-support.ts';
import { keyOf } from '../store/suite/api-keys.test-support.ts';
import { tokenOf } from '../store/suite/certificates.test-support.ts';
import { webhookOf } from '../store/suite/webhooks.test-support.ts';

test('GET /v1/api-keys, /v1/members, /v1/hosts, /v1/webhooks and /v1/certificate-request-tokens sort as they are asked', async () => {
  await using control = await startControl();
  await fill(control);
  for (const [path, { nameOf, unsaid, orders }] of Object.entries(LISTS)) {
    for (const [sort, names] of Object.entries(orders)) {
      for (const [said, expected] of [
        [sort, names],
        [`-${sort}`, names.toReversed()],
      ] as const) {
        const first = pageOf(await control.call({ path: `${path}?sort=${said}&limit=3` }));
        assert.ok(first.nextCursor !== null, path);
        const cursor = encodeURIComponent(first.nextCursor);
        const rest = pageOf(await control.call({ path: `${path}?sort=${said}&cursor=${cursor}` }));
        const found = [...first.items, ...rest.items].map((item) => String(item[nameOf]));
        assert.deepEqual(
          found.filter((name) => expected.includes(name)),
          expected,
          `${path} ${said}`,
        );
        assert.equal(rest.nextCursor, null);
        for (const other of ['', ...Object.keys(orders).flatMap((each) => [each, `-${each}`])]) {
          const asked = other === '' ? '' : `&sort=${other}`;
          const { status } = await control.call({ path: `${path}?cursor=${cursor}${asked}` });
          const isSame = other === said || (other === '' && said === unsaid);
          assert.equal(status, isSame ? 200 : 422, `${path} ${said} ${other}`);
        }
      }
    }
    for (const sort of ['', 'id', '--created', 'created,name'])
      assert.equal((await control.call({ path: `${path}?sort=${sort}` })).status, 422, `${path} ${sort}`);
  }
});

test('GET /v1/api-keys, /v1/members, /v1/hosts, /v1/webhooks and /v1/certificate-request-tokens say how many there are, on the first page', async () => {
  await using control = await startControl();
  await fill(control, 'filled');
  await addShare(control.store, { accountId: control.alice.id, name: 'empty' });
  // Those of another account do not count.
  await fill({ ...control, alice: control.mallory }, 'theirs');
  for (const [path, counts] of Object.entries(COUNTS)) {
    for (const [query, total] of Object.entries(counts))
      assert.equal((await control.call({ path: `${path}${query}` })).document['total'], total, path + query);
    const { nextCursor } = pageOf(await control.call({ path: `${path}?limit=1` }));
    const { document } = await control.call({ path: `${path}?cursor=${nextCursor}` });
    assert.ok(!('total' in document), path);
  }
});

/** Four of each, in four orders. The account has a key and a member before. */
async function fill({ store, alice }: TestControl, share = 'filled'): Promise<void> {
  const accountId = alice.id;
  const { id: shareId } = await addShare(store, { accountId, name: share });
  const token = await tokenOf(store, accountId);
  const now = Date.now();
  for (const [n, name] of ['b', 'd', 'a', 'c'].entries()) {
    const [id, createdAt] = [newId('key'), now + 1_000 * n];
    const ends = now + [5, 3, -9, 7][n]! * 60_000;
    await store.apiKeys.create(keyOf(accountId, { id, hash: id, name, createdAt, expiresAt: ends }), null);
    if (name !== 'c') await store.apiKeys.touch(id, now - n);
    await store.members.invite(
      {
        id: newId('mem'),
        accountId,
        email: `${name}@corp.example`,
        role: 'member',
        createdAt,
        by: 'operator',
      },
      { id: newId('inv'), hash: id, createdAt, expiresAt: ends },
    );
    const host = `${name}.example.com`;
    await store.hosts.claim({ id: newId('hst'), accountId, shareId, host, createdAt, most: 9 });
    const webhook = webhookOf(accountId, { name, createdAt });
    await store.webhooks.create({ webhook, secret: new Secret('whs_x'), most: 9 });
    const made = { ...token, id: newId('crq'), name, createdAt, expiresAt: ends };
    await store.certificateRequestTokens.create(made, id);
  }
}

/** By path and query. */
const COUNTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '/v1/api-keys': { '?limit=1': 5, '': 5 },
  '/v1/members': { '?limit=1': 5, '': 5 },
  '/v1/hosts': { '?limit=1': 4, '': 4, '?limit=1&share=filled': 4, '?limit=1&share=empty': 0 },
  '/v1/webhooks': { '?limit=1': 4, '': 4 },
  '/v1/certificate-request-tokens': { '?limit=1': 4, '': 4, '?limit=1&state=open': 3, '?state=used': 0 },
};

function pageOf({ document }: { readonly document: object }) {
  return document as {
    readonly items: readonly Readonly<Record<string, unknown>>[];
    readonly nextCursor: string | null;
  };
}

const LISTS: Readonly<
  Record<
    string,
    {
      readonly nameOf: string;
      readonly unsaid: string;
      readonly orders: Readonly<Record<string, readonly string[]>>;
    }
  >
> = {
  '/v1/api-keys': {
    nameOf: 'name',
    unsaid: 'name',
    orders: {
      name: ['a', 'b', 'c', 'd'],
      created: ['b', 'd', 'a', 'c'],
      last_used: ['c', 'a', 'd', 'b'],
      expires: ['a', 'd', 'b', 'c'],
    },
  },
  '/v1/members': {
    nameOf: 'email',
    unsaid: 'email',
    orders: {
      email: ['a@corp.example', 'b@corp.example', 'c@corp.example', 'd@corp.example'],
      created: ['b@corp.example', 'd@corp.example', 'a@corp.example', 'c@corp.example'],
    },
  },
  '/v1/hosts': {
    nameOf: 'host',
    unsaid: 'name',
    orders: {
      name: ['a.example.com', 'b.example.com', 'c.example.com', 'd.example.com'],
      created: ['b.example.com', 'd.example.com', 'a.example.com', 'c.example.com'],
    },
  },
  '/v1/webhooks': {
    nameOf: 'name',
    unsaid: 'created',
    orders: { name: ['a', 'b', 'c', 'd'], created: ['b', 'd', 'a', 'c'] },
  },
  '/v1/certificate-request-tokens': {
    nameOf: 'name',
    unsaid: '-created',
    orders: { created: ['b', 'd', 'a', 'c'], expires: ['a', 'd', 'b', 'c'] },
  },
};
