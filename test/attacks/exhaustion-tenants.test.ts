// One tenant cannot starve another: whatever one account asks of the control API, another's calls are
// answered, on both engines. Outcomes are counted, not times: nobody waits longer than callers wait.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { DEFAULT_LIMITS } from '../../src/domain/account-limits.ts';
import { type AccountId, newId } from '../../src/domain/id.ts';
import { randomToken, Secret, secretHash } from '../../src/domain/secret.ts';
import type { Store } from '../../src/store/store.ts';
import { type AppsWork, createAppsWork } from '../../src/control/own/apps-work.ts';
import { type AppsPlace, openableApps, openedBy } from '../../src/control/own/openable-apps.ts';
import { addCa, certificateOf, issue } from '../../src/store/suite/certificates.test-support.ts';
import { addMember } from '../../src/store/suite/people.test-support.ts';
import { addSession, addShare, startOf } from '../../src/store/suite/bench.test-support.ts';
import {
  addAccountWithKey,
  startControl,
  startControlOn,
  TEST_PROVIDER,
  type TestControl,
} from '../support/control.ts';
import { openPostgresTestStore, startPostgres, type TestPostgres } from '../support/postgres.ts';

type Bench = { readonly control: TestControl<Store>; readonly raw: (sql: string) => Promise<void> };

for (const engine of ['SQLite', 'PostgreSQL'] as const)
  describe(`one tenant and another on ${engine}`, () => {
    let server: TestPostgres | null = null;
    let bench: Bench;
    before(async () => {
      if (engine === 'PostgreSQL') server = await startPostgres();
      bench = server === null ? await benchOnSqlite() : await benchOnPostgres(server);
    });
    after(async () => {
      await bench.control[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    test('400 searches of one account’s sessions leave another’s calls alone', async () => {
      const { control, raw } = bench;
      const share = await addShare(control.store, { accountId: control.alice.id });
      const id = await addSession(control.store, { share, at: 1000 });
      await raw(manySessions(id, 20_000));
      const search = '/v1/sessions?q=nobody-is-called-that&state=ended';
      const greedy = Array.from({ length: 400 }, () => control.call({ path: search }));
      const modest = Array.from({ length: 12 }, () =>
        control.call({ path: '/v1/shares', as: control.mallory }),
      );
      const others = await Promise.all(modest);
      assert.deepEqual([...new Set(others.map(({ status }) => status))], [200]);
      const own = await Promise.all(greedy);
      for (const { status, headers } of own) {
        assert.ok(status === 200 || status === 429, String(status));
        if (status === 429) assert.ok(Number(headers.get('retry-after')) > 0);
      }
      assert.ok(own.filter(({ status }) => status === 200).length >= 256);
    });

    test('a search goes through all sessions, a bounded part at a time', async () => {
      const { control } = bench;
      let cursor = '';
      let pages = 0;
      let found = 0;
      for (;;) {
        const path = `/v1/sessions?q=person-20000%40&limit=50${cursor}`;
        const { status, document } = await control.call({ path });
        assert.equal(status, 200);
        pages++;
        found += (document['items'] as readonly unknown[]).length;
        if (document['nextCursor'] === null) break;
        cursor = `&cursor=${String(document['nextCursor'])}`;
      }
      assert.equal(found, 1);
      assert.ok(pages > 3, `${pages} pages`);
    });

    test('100,000 request tokens that an account let expire cost nothing when a person is looked at, or their access ended', async () => {
      const { control, raw } = bench;
      const json = { name: 'short', commonName: 'short', emailAddress: 'ann@corp.com' };
      const path = '/v1/certificate-request-tokens';
      const { document } = await control.call({ path, json });
      await raw(manyExpiredTokens(String(document['id']), 100_000));
      const email = 'ann@corp.com';
      const began = process.cpuUsage();
      for (let look = 0; look < 3; look++) {
        const held = await control.call({ path: `/v1/people/person?email=${email}` });
        assert.deepEqual([held.status, (held.document['requestTokens'] as unknown[]).length], [200, 1]);
      }
      const ended = await control.call({ path: '/v1/people/end-access', json: { email } });
      assert.deepEqual([ended.status, (ended.document['requestTokens'] as unknown[]).length], [200, 1]);
      const { user, system } = process.cpuUsage(began);
      // Reading them takes half a second each time, in which SQLite answers nobody.
      assert.ok(user + system < 1_000_000, `${user + system} µs`);
    });

    test('100,000 certificates of an account cost nothing when the access of one person is ended', async () => {
      const { control, raw } = bench;
      const { accountId, caId } = await addCa(control.store);
      const { id } = await issue(control.store, certificateOf(accountId, caId, { notAfter: Date.now() * 2 }));
      await raw(manyCertificates(id, 100_000));
      const member = await addMember(control.store, { accountId, email: 'eve@corp.com' });
      const end = {
        accountId,
        email: 'eve@corp.com',
        at: Date.now(),
        by: 'member:mem_1',
        removesMember: false,
      };
      const began = process.cpuUsage();
      for (let count = 0; count < 12; count++) {
        const reason = count % 2 === 0 ? 'unspecified' : 'key_compromise';
        const ended = await control.store.persons.endAccess({ ...end, reason });
        assert.deepEqual([ended.members.map((each) => each.id), ended.certificates], [[member.id], []]);
      }
      const { user, system } = process.cpuUsage(began);
      // On PostgreSQL it is the server's work.
      assert.ok(user + system < 600_000, `${user + system} µs`);
    });

    test('more changes than an account may make are 429, and another account changes what it likes', async () => {
      const { control } = bench;
      const greedy = await addAccountWithKey(control.store, newId('acc').slice(4));
      const limits = { ...DEFAULT_LIMITS, writesPerMinute: 20 };
      Object.assign(control.settings, { limits });
      const change = (as: typeof greedy) => control.call({ method: 'DELETE', path: '/v1/shares/none', as });
      const statuses = (await Promise.all(Array.from({ length: 40 }, () => change(greedy)))).map(
        ({ status }) => status,
      );
      assert.ok(statuses.filter((status) => status === 404).length >= 20);
      assert.ok(statuses.includes(429));
      assert.equal((await change(control.mallory)).status, 404);
      Object.assign(control.settings, { limits: DEFAULT_LIMITS });
    });

    test('people whom an account’s own provider makes up have one budget together; people of others have their own', async () => {
      const { control } = bench;
      const { console } = control.settings;
      const own = { ...TEST_PROVIDER, name: 'made-up', accountId: control.alice.id, verifiesEmail: true };
      Object.assign(console, {
        findProvider: (named: string) =>
          named === own.name ? own : { ...TEST_PROVIDER, name: named, verifiesEmail: true },
      });
      const share = await addShare(control.store, { accountId: control.alice.id });
      const changes = async (provider: string, within: AccountId | null) => {
        const headers = await visitor(control, { share, provider, within });
        const statuses: number[] = [];
        const change = { method: 'DELETE', path: '/v1/me/sessions/none', as: null, headers };
        for (let count = 0; count < 15; count++) statuses.push((await control.call(change)).status);
        return statuses;
      };
      Object.assign(control.settings, { limits: { ...DEFAULT_LIMITS, writesPerMinute: 20 } });
      const first = await changes(own.name, own.accountId);
      assert.deepEqual([...new Set(first)], [404]);
      assert.ok((await changes(own.name, own.accountId)).includes(429));
      for (let person = 0; person < 2; person++)
        assert.deepEqual([...new Set(await changes('shared', null))], [404]);
      const admins = await control.call({ method: 'DELETE', path: '/v1/shares/none' });
      assert.equal(admins.status, 404);
      Object.assign(control.settings, { limits: DEFAULT_LIMITS });
    });

    test('apps of an account with as many patterns as there may be take it so much work, whoever looks, and hide no other’s', async (t) => {
      const { control } = bench;
      const { store } = control;
      const greedy = await addAccountWithKey(store, newId('acc').slice(4));
      const modest = await addAccountWithKey(store, newId('acc').slice(4));
      const first = await addShare(store, { ...LISTED, accountId: greedy.id });
      for (let n = 0; n < 30; n++) {
        const tries = Array.from({ length: 100 }, (_, i) => `${'*a'.repeat(12)}${i}x${n}*@*b*b*b.test`);
        await addShare(store, { ...LISTED, accountId: greedy.id, oauthEmailAddressPatterns: tries });
      }
      const other = await addShare(store, { ...LISTED, accountId: modest.id });
      const deps = { store, now: Date.now, settings: () => control.settings };
      // Nothing comes back while the test runs.
      const workOf = createAppsWork(() => 0, 60);
      const list = t.mock.method(store.shares, 'list');
      const looks = () => list.mock.calls.filter((call) => call.arguments[0] === greedy.id).length;
      for (let count = 0; count < 9; count++) {
        const me = await personAt(store, [first, other]);
        const found = await appsFor(deps, me, workOf(me));
        assert.ok(found.includes(other.name));
      }
      // Each took some ten milliseconds, and what they may all take is sixty.
      assert.ok(looks() < 9, `${looks()} looks`);
    });

    test('one of the people of an account’s own provider keeps no colleague from listing their apps', async () => {
      const { control } = bench;
      const { console } = control.settings;
      const { findProvider } = console;
      const own = { ...TEST_PROVIDER, name: 'colleagues', accountId: control.alice.id, verifiesEmail: true };
      const known = (named: string) => (named === own.name ? own : findProvider(named));
      Object.assign(console, { findProvider: known });
      const share = await addShare(control.store, { accountId: control.alice.id });
      const of = { share, provider: own.name, within: own.accountId };
      const list = async (headers: Awaited<ReturnType<typeof visitor>>) =>
        (await control.call({ path: '/v1/me/shares', as: null, headers })).status;
      const [greedy, colleague] = [await visitor(control, of), await visitor(control, of)];
      let last = 200;
      for (let count = 0; count < 400 && last === 200; count++) last = await list(greedy);
      assert.equal(last, 429);
      assert.equal(await list(colleague), 200);
      Object.assign(console, { findProvider });
    });

    test('whoever lists their apps again and again hides an account’s from nobody else', async () => {
      const { store, settings } = bench.control;
      const account = await addAccountWithKey(store, newId('acc').slice(4));
      const share = await addShare(store, { ...LISTED, accountId: account.id });
      const deps = { store, now: Date.now, settings: () => settings };
      const workOf = createAppsWork(() => 0, 10_000);
      const greedy = await personAt(store, [share]);
      const work = workOf(greedy);
      assert.deepEqual(await appsFor(deps, greedy, work), [share.name]);
      while (!work.isUsedUp(account.id)) work.charge(account.id, 100);
      assert.deepEqual(await appsFor(deps, greedy, workOf(greedy)), []);
      const modest = await personAt(store, [share]);
      assert.deepEqual(await appsFor(deps, modest, workOf(modest)), [share.name]);
    });

    test('what a key of an account may not do at all takes nothing from its admins, and what it may leaves them a part', async () => {
      const { control } = bench;
      const admin = await addAccountWithKey(control.store, newId('acc').slice(4));
      const limits = { ...DEFAULT_LIMITS, writesPerMinute: 40, callsAtOnce: 4, callsWaiting: 8 };
      Object.assign(control.settings, { limits });
      const keyOf = async (json: object): Promise<typeof admin & { readonly keyId: string }> => {
        const { document } = await control.call({ path: '/v1/api-keys', as: admin, json });
        return {
          id: admin.id,
          apiKey: new Secret(String(document['key'])),
          keyId: String(document['id']),
        };
      };
      const reader = await keyOf({ name: 'reader', role: 'admin', scope: 'read' });
      const agent = await keyOf({ name: 'agent', role: 'member', scope: 'tunnel' });
      const member = await keyOf({ name: 'member', role: 'member', scope: 'full' });
      const change = (as: typeof admin) => control.call({ method: 'DELETE', path: '/v1/shares/none', as });
      for (const as of [reader, agent, member]) {
        const spent = await Promise.all(Array.from({ length: 60 }, () => change(as)));
        assert.ok(spent.some(({ status }) => status === 429));
        assert.equal((await change(admin)).status, 404);
      }
      // While all of them call without end, an admin ends them.
      const over = new AbortController();
      const calling = [reader, member].flatMap((as) =>
        Array.from({ length: 30 }, async () => {
          while (!over.signal.aborted) await control.call({ path: '/v1/shares', as });
        }),
      );
      for (const { keyId } of [reader, agent, member]) {
        const path = `/v1/api-keys/${keyId}`;
        assert.equal((await control.call({ method: 'DELETE', path, as: admin })).status, 204);
      }
      over.abort();
      await Promise.all(calling);
      Object.assign(control.settings, { limits: DEFAULT_LIMITS });
    });

    test('more tests of a share than anybody makes are 429', async () => {
      const { control } = bench;
      const as = await addAccountWithKey(control.store, newId('acc').slice(4));
      await addShare(control.store, { accountId: as.id, name: 'tested', oauthProvider: 'test' });
      const path = '/v1/shares/tested/test';
      const many = () =>
        Promise.all(
          Array.from({ length: 264 }, () => control.call({ path, as, json: { email: 'ann@corp.com' } })),
        );
      const refusedOf = (answers: Awaited<ReturnType<typeof many>>) =>
        answers.filter(({ status }) => status === 429);
      const first = await many();
      assert.deepEqual([...new Set(first.map(({ status }) => status))], [200]);
      // The budget grows again while a slow machine answers: however slow, it is used up at last.
      let refused = refusedOf(await many());
      for (let round = 0; refused.length === 0 && round < 10; round++) refused = refusedOf(await many());
      assert.ok(refused.length > 0, 'none refused');
      assert.ok(Number(refused[0]?.headers.get('retry-after')) > 0);
    });

    test('a long body is parsed for whoever may send it, and so much of it a minute', async () => {
      const { control } = bench;
      const admin = await addAccountWithKey(control.store, newId('acc').slice(4));
      const keyOf = async (json: object): Promise<typeof admin> => {
        const { document } = await control.call({ path: '/v1/api-keys', as: admin, json });
        return { id: admin.id, apiKey: new Secret(String(document['key'])) };
      };
      const path = '/v1/apply';
      const body = '!'.padEnd(4 * 1024 * 1024);
      const agent = await keyOf({ name: 'agent', role: 'member', scope: 'tunnel' });
      assert.equal((await control.call({ path, as: agent, body })).status, 403);
      const reader = await keyOf({ name: 'reader', role: 'member', scope: 'read' });
      const statuses: number[] = [];
      // The budget grows again while a slow machine reads: however slow, it is used up at last.
      for (let round = 0; !statuses.includes(429) && round < 10; round++) {
        const sent = Array.from({ length: 10 }, () => control.call({ path, as: reader, body }));
        statuses.push(...(await Promise.all(sent)).map(({ status }) => status));
      }
      assert.deepEqual(new Set(statuses), new Set([400, 429]));
      const short = { path, json: { state: {}, dryRun: true } };
      for (const as of [reader, admin]) assert.equal((await control.call({ ...short, as })).status, 200);
      assert.equal((await control.call({ path, as: admin, body })).status, 400);
      assert.equal((await control.call({ path, as: control.mallory, body })).status, 400);
    });

    test('an account has so many of everything and no more, of parallel calls too', async () => {
      const { control } = bench;
      const as = await addAccountWithKey(control.store, newId('acc').slice(4));
      const most = 3;
      Object.assign(control.settings, {
        limits: {
          ...DEFAULT_LIMITS,
          shares: most,
          hosts: most,
          providers: most,
          members: most,
          apiKeys: most,
          webhooks: most,
          certificateRequestTokens: most,
        },
      });
      const first = `first-${name()}`;
      const kinds: Readonly<Record<string, { path: string; there?: number; json: () => object }>> = {
        shares: {
          path: '/v1/shares',
          json: () => ({ name: name(), target: 'http://127.0.0.1:3000', open: true }),
        },
        hosts: { path: '/v1/hosts', json: () => ({ share: first, host: `${name()}.test` }) },
        providers: {
          path: '/v1/auth-providers',
          json: () => ({
            name: name(),
            type: 'OIDC',
            config: {
              clientId: 'c',
              clientSecret: 's',
              issuerUrl: 'https://127.0.0.1/',
              scopes: ['openid', 'email'],
            },
          }),
        },
        members: { path: '/v1/members', there: 1, json: () => ({ email: `${name()}@corp.com` }) },
        api_keys: { path: '/v1/api-keys', there: 1, json: () => ({ name: name() }) },
        webhooks: { path: '/v1/webhooks', json: () => ({ url: 'https://127.0.0.1/hook' }) },
        certificate_request_tokens: {
          path: '/v1/certificate-request-tokens',
          json: () => ({ name: name(), commonName: name() }),
        },
      };
      await addShare(control.store, { accountId: as.id, name: first, oauthProvider: null });
      for (const [kind, { path, there = kind === 'shares' ? 1 : 0, json }] of Object.entries(kinds)) {
        const answers = await Promise.all(
          Array.from({ length: 6 }, () => control.call({ path, as, json: json() })),
        );
        const made = answers.filter(({ status }) => status === 201);
        const refused = answers.filter(({ status }) => status === 409);
        assert.deepEqual([made.length, refused.length], [most - there, 6 - most + there], kind);
        const document = refused[0]?.document;
        assert.equal(document?.['code'], kind === 'webhooks' ? 'too_many_webhooks' : 'limit_reached');
        assert.match(String(document?.['detail']), /the account has 3/);
        assert.match(String(document?.['hint']), new RegExp(`limits.${kind}`));
        // Another account's room is its own.
        if (kind !== 'hosts') {
          const other = await addAccountWithKey(control.store, newId('acc').slice(4));
          assert.equal((await control.call({ path, as: other, json: json() })).status, 201, kind);
        }
      }
      Object.assign(control.settings, { limits: DEFAULT_LIMITS });
    });
  });

type Visitor = {
  readonly share: Awaited<ReturnType<typeof addShare>>;
  readonly provider: string;
  readonly within: AccountId | null;
};

/** The names of all that the person is shown. */
async function appsFor(
  deps: Parameters<typeof openableApps>[0],
  me: Awaited<ReturnType<typeof personAt>>,
  work: AppsWork,
): Promise<readonly string[]> {
  const person = await openedBy(deps, me);
  const found: string[] = [];
  for (let place: AppsPlace | null = { account: '', after: null }; place !== null;) {
    const page = await openableApps(deps, person, { place, limit: 200, text: '', work });
    found.push(...page.apps.map(({ share }) => share));
    place = page.next;
  }
  return found;
}

/** Who has a session at each of these shares. */
async function personAt({ sessions }: Store, shares: Awaited<ReturnType<typeof addShare>>[]) {
  const email = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'b'.repeat(60)}.test`;
  const subject = newId('ses');
  const { name: provider, generation } = TEST_PROVIDER;
  for (const share of shares)
    await sessions.begin(
      startOf({ share, at: Date.now(), subject, email, provider, generation, browser: newId('ses') }),
    );
  const person = { provider, generation, subject, email, emailVerified: true };
  return { person, within: null, address: '192.0.2.1', requestId: 'req', expiresAt: Date.now() + 60_000 };
}

/** What the browser of somebody sends who is no member, and has a session at the share. */
async function visitor({ store, url }: TestControl<Store>, { share, provider, within }: Visitor) {
  const [token, subject] = [randomToken(), newId('ses')];
  const { generation } = TEST_PROVIDER;
  await addSession(store, { share, at: Date.now(), subject, provider, generation, browser: subject });
  const isBegun = await store.consoleSessions.beginVisit({
    person: { provider, generation, subject, email: 'ann@corp.com', emailVerified: true },
    within,
    vouched: true,
    hash: secretHash(new Secret(token)),
    createdAt: Date.now(),
    expiresAt: Date.now() + 3_600_000,
    ip: null,
    replaces: null,
  });
  assert.ok(isBegun);
  return { cookie: `svc-control=${token}`, origin: url.origin, 'content-type': 'application/json' };
}

/** Whoever logs in may open it, and is told of it. */
const LISTED = {
  oauthProvider: TEST_PROVIDER.name,
  oauthEmailAddressPatterns: [],
  clientCertificate: null,
  access: 'all',
  allowPaths: [],
  listed: true,
} as const;

/** Of whatever needs one. */
function name(): string {
  return newId('shr').slice(4, 24);
}

async function benchOnSqlite(): Promise<Bench> {
  const control = await startControl();
  return {
    control,
    raw: async (sql) => {
      using database = new DatabaseSync(control.store.sqliteFile, { timeout: 5000 });
      database.exec(sql);
    },
  };
}

async function benchOnPostgres(server: TestPostgres): Promise<Bench> {
  const control = await startControlOn(await openPostgresTestStore(server));
  return { control, raw: async (sql) => void (await server.query(control.store.url, sql)) };
}

/** Copies of a session, ended, each of another person and a moment later than the one before. */
function manySessions(id: string, count: number): string {
  const columns = `share_id, account_id, provider_name, provider_generation, subject, browser_hash, binding_hash,
    expires_at, checked_at, end_reason, last_seen_at, ip, tokens, refreshable, fence, leased_until, provider_sid,
    user_agent`;
  return `INSERT INTO sessions (id, email, created_at, ended_at, ${columns})
    WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${count})
    SELECT 'ses_' || i, 'person-' || i || '@corp.com', 2000000 - i, 2000001, ${columns} FROM numbers, sessions
    WHERE id = '${id}'`;
}

/** Copies of a request token that have expired long ago, as somebody makes who never sends a link. */
function manyExpiredTokens(id: string, count: number): string {
  const columns = 'account_id, name, subject, validity_ms, api_role, created_at, created_by';
  return `INSERT INTO certificate_request_tokens (id, hash, expires_at, ${columns})
    WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${count})
    SELECT 'crq_' || i, 'hash-' || i, 1000, ${columns} FROM numbers, certificate_request_tokens
    WHERE id = '${id}'`;
}

/** Copies of a certificate, each of another person, with a key of its own. */
function manyCertificates(id: string, count: number): string {
  const columns =
    'account_id, ca_id, subject, certificate, created_at, not_before, not_after, allowed_by, name';
  return `INSERT INTO client_certificates (id, serial, fingerprint, key_hash, email_address, validity_ms, ${columns})
    WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${count})
    SELECT 'crt_m' || i, 'M' || i, 'm' || i, 'key-' || i, 'person-' || i || '@corp.com', validity_ms, ${columns}
    FROM numbers, client_certificates WHERE id = '${id}'`;
}
