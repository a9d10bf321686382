// Each order of each list is one that an index has, on both engines, however many there are: no page reads a
// whole table, and none is put in order by reading all. At full size: `npm run soak -- lists`.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import {
  API_KEY_ORDERS,
  CERTIFICATE_ORDERS,
  HOST_ORDERS,
  MEMBER_ORDERS,
  type Orders,
  REQUEST_TOKEN_ORDERS,
  SESSION_ORDERS,
  SHARE_ORDERS,
  sortNamed,
  sortNames,
  WEBHOOK_ORDERS,
} from '../../src/domain/list-orders.ts';
import type { PageIn } from '../../src/store/sorting.ts';
import { ANY_SESSION } from '../../src/store/suite/bench.test-support.ts';
import {
  addCa,
  certificateOf,
  issue,
  queryOf,
  tokenOf,
} from '../../src/store/suite/certificates.test-support.ts';
import { addMember, loginOf } from '../../src/store/suite/people.test-support.ts';
import { fillLists } from '../soak/lists.ts';
import { onEngines } from '../support/on-engines.ts';
import { planner, type Planner, watchStatements } from '../support/query-plans.ts';
import { addShare, openTestStore } from '../support/store.ts';
import { openPostgresTestStore, startPostgres } from '../support/postgres.ts';

onEngines('lists', ({ name, storeUrl }) => {
  let plans: Planner;
  before(async () => {
    plans = await planner(await storeUrl());
  });
  after(() => plans.close());

  test('a statement that sorts by what no index has is seen as one', async () => {
    const shares = `select "id" from "shares" where "account_id" = 'any' order by`;
    assert.equal((await plans.sortsIn(`${shares} "target"`)).length, 1);
    assert.deepEqual(await plans.sortsIn(`${shares} "name"`), []);
  });

  test('accounts are walked by the index of their names, the next page too', async (t) => {
    await using opened = await openWith();
    const statements = watchStatements[name](t);
    await opened.store.accounts.page({ after: null, limit: 20 });
    await opened.store.accounts.page({ after: 'acme', limit: 20 });
    const pages = statements.filter((statement) => /from "accounts".* order by/i.test(statement));
    assert.equal(pages.length, 2);
    for (const page of pages) assert.deepEqual(await plans.sortsIn(page), [], page);
  });

  test('each order of sessions and shares is walked by its index, the next page too', async (t) => {
    await using opened = await openWith();
    const { store, run } = opened;
    const share = await addShare(store);
    const { accountId } = share;
    await fillLists(store, share, { size: { sessions: 4_600, shares: 120 }, run });
    const statements = watchStatements[name](t);
    for (const sort of sortNames(SESSION_ORDERS).map(sortNamed)) {
      const query = { ...ANY_SESSION, accountId, sort, limit: 20 };
      statements.length = 0;
      const { next } = await store.sessions.list(query);
      await store.sessions.list({ ...query, after: next });
      await store.sessions.list({ ...query, state: 'active' });
      await expectWalked(plans, statements, /from "sessions".* order by/i, 4);
    }
    for (const sort of sortNames(SHARE_ORDERS).map(sortNamed)) {
      statements.length = 0;
      const { next } = await store.shares.list(accountId, { sort, after: null, limit: 20 });
      await store.shares.list(accountId, { sort, after: next, limit: 20 });
      await expectWalked(plans, statements, /from "shares".* order by/i, 2);
    }
    statements.length = 0;
    await store.shares.figures(accountId, [share.id], Date.now());
    await expectWalked(plans, statements, /"share_hours"/, 1);
    statements.length = 0;
    const filter = { text: null, provider: null, state: 'unanswered', now: Date.now() } as const;
    await store.shares.list(accountId, { after: null, limit: 20, filter });
    await expectWalked(plans, statements, /"share_hours"/, 1);
  });

  test('each order of certificates is walked by its index, the next page too', async (t) => {
    await using opened = await openWith();
    const { store, run } = opened;
    const { accountId, caId } = await addCa(store);
    const one = await issue(store, certificateOf(accountId, caId));
    const same = `account_id, ca_id, subject, key_hash, certificate, not_before, allowed_by, name, validity_ms`;
    await run(`INSERT INTO client_certificates (id, serial, fingerprint, created_at, not_after, ${same})
      WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 2100)
      SELECT 'crt_m' || i, 'M' || i, 'm' || i, created_at + i % 9, not_after + i % 500, ${same}
      FROM numbers, (SELECT * FROM client_certificates WHERE id = '${one.id}') AS one`);
    const statements = watchStatements[name](t);
    for (const sort of sortNames(CERTIFICATE_ORDERS).map(sortNamed)) {
      const query = { ...queryOf(accountId), sort, limit: 20 };
      statements.length = 0;
      const { next } = await store.certificates.list(query);
      await store.certificates.list({ ...query, after: next });
      await store.certificates.list({ ...query, state: 'living', endsBefore: one.notAfter + 400 });
      await store.certificates.list({ ...query, state: 'revoked', text: 'none' });
      await expectWalked(plans, statements, /from "client_certificates".* order by/i, 4);
    }
  });

  test('each order of request tokens, API keys, members, hosts and webhooks is walked by its index', async (t) => {
    await using opened = await openWith();
    const { store, run } = opened;
    const { id: shareId, accountId } = await addShare(store);
    const token = await tokenOf(store, accountId);
    await store.certificateRequestTokens.create(token, 'hash');
    await run(`INSERT INTO certificate_request_tokens (id, hash, created_at, expires_at, ${TOKEN_COLUMNS})
      WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 2100)
      SELECT 'crq_m' || i, 'm' || i, created_at + i % 9, expires_at + i % 500, ${TOKEN_COLUMNS}
      FROM numbers, (SELECT * FROM certificate_request_tokens WHERE id = '${token.id}') AS one`);
    const statements = watchStatements[name](t);
    const { certificateRequestTokens: tokens, apiKeys, members, hosts, webhooks } = store;
    const used = { is: 'used', now: Date.now() } as const;
    await walk(REQUEST_TOKEN_ORDERS, /from "certificate_request_tokens".* order by/i, async (page) => {
      await tokens.list(accountId, { ...page, state: used });
      return tokens.list(accountId, page);
    });
    await walk(API_KEY_ORDERS, /from "api_keys".* order by/i, (page) => apiKeys.list(accountId, page));
    await walk(MEMBER_ORDERS, /from "members".* order by/i, (page) => members.list(accountId, page));
    await walk(HOST_ORDERS, /from "share_hosts".* order by/i, (page) =>
      hosts.list(accountId, { ...page, shareId: null }),
    );
    await walk(WEBHOOK_ORDERS, /from "webhooks".* order by/is, (page) => webhooks.list(accountId, page));
    statements.length = 0;
    await hosts.list(accountId, { after: null, limit: 1, shareId });
    assert.deepEqual(await plans.scansIn(statements[0] ?? ''), []);
    statements.length = 0;
    for (const table of [apiKeys, members, webhooks]) await table.count(accountId, 1_001);
    for (const one of [null, shareId]) await hosts.count(accountId, one, 1_001);
    const counts = [...statements];
    assert.equal(counts.length, 5);
    for (const text of counts)
      assert.deepEqual(
        (await plans.scansIn(text)).filter((step) => step !== 'SCAN found'),
        [],
        text,
      );

    async function walk<Key extends string>(
      orders: Orders<Key>,
      of: RegExp,
      list: (page: PageIn<Key>) => Promise<unknown>,
    ): Promise<void> {
      for (const sort of sortNames(orders).map(sortNamed)) {
        statements.length = 0;
        await list({ sort, after: null, limit: 20 });
        await list({ sort, after: orders.keys[sort.by].map((is) => (is === 'text' ? 'a' : 1)), limit: 20 });
        await expectWalked(plans, statements, of, 2);
      }
    }
  });

  test('what a person holds, and the end of it, is found by indexes', async (t) => {
    await using opened = await openWith();
    const { store } = opened;
    const share = await addShare(store);
    const { accountId } = share;
    const email = 'ann@example.com';
    await addMember(store, { accountId, email });
    const login = loginOf(email, { within: accountId });
    assert.equal((await store.consoleSessions.begin(login)).kind, 'member');
    const statements = watchStatements[name](t);
    await store.persons.holdings({ accountId, email }, Date.now());
    const end = { accountId, email, at: Date.now(), by: 'operator', reason: 'unspecified' } as const;
    await store.persons.endAccess({ ...end, removesMember: false });
    const texts = statements.filter((text) => /^(select|delete|update) /.test(text));
    assert.ok(texts.length > 20, `${texts.length} statements`);
    for (const text of new Set(texts)) assert.deepEqual(await plans.scansIn(text), [], text);
  });

  test('certificates are found by a text through indexes alone', async (t) => {
    await using opened = await openWith();
    const { store } = opened;
    const { accountId, caId } = await addCa(store);
    const one = await issue(store, certificateOf(accountId, caId));
    while (await store.certificates.index());
    const statements = watchStatements[name](t);
    for (const text of ['laptop', one.fingerprint.slice(0, 8)]) {
      const { certificates } = await store.certificates.list({ ...queryOf(accountId), text });
      assert.equal(certificates.length, 1, text);
    }
    const scanned = [];
    for (const text of new Set(statements.filter((each) => WORDS_OF_CERTIFICATES.test(each))))
      scanned.push(...(await plans.scansIn(text)));
    assert.deepEqual(scanned, []);
    assert.ok(statements.filter((text) => WORDS_OF_CERTIFICATES.test(text)).length >= 6);
  });

  async function openWith() {
    if (name === 'SQLite') {
      const store = await openTestStore();
      const database = new DatabaseSync(store.sqliteFile);
      return {
        store,
        run: async (statement: string) => database.exec(statement),
        async [Symbol.asyncDispose]() {
          database.close();
          await store.dispose();
        },
      };
    }
    const server = await startPostgres();
    const store = await openPostgresTestStore(server);
    const client = new Client({ connectionString: store.url.reveal() });
    await client.connect();
    return {
      store,
      run: async (statement: string) => void (await client.query(statement)),
      async [Symbol.asyncDispose]() {
        await client.end();
        await store[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  }
});

const WORDS_OF_CERTIFICATES = /^select .*from "(?:search_parts|certificate_words|client_certificates)"/i;

async function expectWalked(
  { scansIn, sortsIn }: Planner,
  statements: readonly string[],
  of: RegExp,
  least: number,
): Promise<void> {
  const texts = statements.filter((text) => of.test(text) && !text.startsWith('EXPLAIN'));
  assert.ok(texts.length >= least, `${texts.length} statements`);
  for (const text of new Set(texts)) {
    // What `living` counts was found by an index, and is bounded.
    const scans = (await scansIn(text)).filter((step) => step !== 'SCAN living');
    assert.deepEqual(scans, [], text);
    assert.deepEqual(await sortsIn(text), [], text);
  }
}

const TOKEN_COLUMNS = 'account_id, name, subject, validity_ms, created_by';
