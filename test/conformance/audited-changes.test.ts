// A change and the audit event that tells of it are both kept, or neither: every operation of the control
// API, every command of the operator and the sweep, on both engines, while the database refuses audit events.

import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { createHash } from 'node:crypto';
import { main } from '../../src/cli/main.ts';
import type { AuditChange } from '../../src/domain/audit-change.ts';
import type { AuditKind } from '../../src/domain/audit-kind.ts';
import { impliedChange } from '../../src/domain/implied-change.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { ShareId } from '../../src/domain/id.ts';
import type { Store } from '../../src/store/store.ts';
import { addSession } from '../../src/store/suite/bench.test-support.ts';
import { startControl, startControlOn, type TestCall, type TestControl } from '../support/control.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import {
  addThings,
  callOf,
  FIXTURE_SECRET,
  isForOneself,
  type Operation,
  operations,
} from '../support/operations.ts';
import { openPostgresTestStore, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { configFileOf } from '../support/serve-process.ts';
import { layOutService } from '../support/service-process.ts';
import { type OpenContents, postgresContents, sqliteContents } from '../support/store-contents.ts';

let server: TestPostgres;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

type Rig = { readonly control: TestControl<Store>; readonly contents: OpenContents };

const ENGINES = {
  sqlite: async (): Promise<Rig> => {
    const control = await startControl();
    return { control, contents: sqliteContents(control.store.sqliteFile) };
  },
  postgres: async (): Promise<Rig> => {
    const control = await startControlOn(await openPostgresTestStore(server));
    return { control, contents: postgresContents(server, control.store.url) };
  },
};

for (const [engine, open] of Object.entries(ENGINES)) {
  test(`no operation of the control API changes anything on ${engine} without its audit event`, async (t) => {
    const { control, contents } = await opened(t, open);
    const { store, alice } = control;
    const { named } = await addThings(control);
    await store.hosts.grant({ host: 'alices.host.example', accountId: alice.id, createdAt: Date.now() });
    const calls = inOrder().map((operation) => {
      const [name = ''] = operation.parameter === null ? [] : (named[operation.parameter] ?? []);
      return { id: operation.id, call: callOf(operation, name) };
    });
    // One more than is ended by itself.
    const share = { id: named['share']?.[0] as ShareId, accountId: alice.id };
    await addSession(store, { share, at: Date.now(), browser: 'another', email: 'visitor@alice.test' });
    const changed: string[] = [];
    const secrets = new Set([FIXTURE_SECRET]);
    for (const { id, call } of [...(await moreCalls(control)), ...calls]) {
      const former = await contents.rows();
      await contents.refuseEvents();
      await control.call(call);
      assert.deepEqual(await contents.rows(), former, `${id} changes something without its event`);
      await contents.takeEvents();
      const { status, document } = await control.call(call);
      assert.ok(status < 500, `${id} ${JSON.stringify(document)}`);
      for (const secret of secretsIn(document)) secrets.add(secret);
      const { audit_events: events, ...rest } = await contents.rows();
      const { audit_events: formerEvents, ...formerRest } = former;
      if (JSON.stringify(rest) === JSON.stringify(formerRest)) continue;
      assert.ok(
        (events?.length ?? 0) > (formerEvents?.length ?? 0),
        `${id} changes something and tells nobody`,
      );
      requireContent(id, call, {
        events: (events ?? []).filter((event) => !(formerEvents ?? []).includes(event)),
        columns: changedColumns(formerRest, rest),
      });
      changed.push(id);
    }
    while (await store.audit.index());
    const { audit_events: told = [], search_words: words = [] } = await contents.rows();
    assert.ok(secrets.size > 5, 'the calls answer secrets');
    for (const secret of secrets)
      for (const text of [...told, ...words].map((row) => row.toLowerCase()))
        for (const hidden of [secret, createHash('sha256').update(secret).digest('hex')])
          assert.ok(!text.includes(hidden.toLowerCase()), `a secret is in ${text}`);
    const unchanged = calls.map(({ id }) => id).filter((id) => !changed.includes(id));
    assert.deepEqual(unchanged.toSorted(), CHANGE_NOTHING.toSorted());
  });

  test(`the sweep takes no abandoned share on ${engine} without its audit event, and none whose agent is back`, async (t) => {
    const { control, contents } = await opened(t, open);
    const { shares, audit } = control.store;
    const json = { name: 'left', tunnel: 'ephemeral', open: true };
    assert.equal((await control.call({ path: '/v1/shares', json })).status, 201);
    const later = Date.now() + 1_000;
    const former = await contents.rows();
    await contents.refuseEvents();
    await assert.rejects(shares.removeAbandoned(later, later));
    assert.deepEqual(await contents.rows(), former);
    await contents.takeEvents();
    const [share] = await shares.all();
    if (engine === 'sqlite') {
      // One writes at a time, in the order of the calls: the agent is there before the share would go.
      const [removed] = await Promise.all([
        shares.removeAbandoned(later, later),
        shares.agentSeen(share?.id ?? 'shr_', later + 1),
      ]);
      assert.equal(removed, 0);
      assert.equal((await shares.all()).length, 1);
    }
    assert.equal(await shares.removeAbandoned(later + 2, later + 2), 1);
    const { id: accountId } = control.alice;
    const { events } = await audit.page({
      accountId,
      filter: ANY_EVENT,
      order: 'newest',
      from: null,
      limit: 9,
    });
    assert.ok(events.some(({ kind, reason }) => kind === 'share.deleted' && reason === 'left: abandoned'));
  });
}

test('no command of the operator changes an account without its audit event', async (t) => {
  const service = await layOutService();
  t.after(() => service.close());
  const contents = sqliteContents(service.storeFile);
  const commands = [
    ['account', 'create', 'other', '--admin', 'admin@other.test'],
    ['account', 'key', 'acme'],
    ['account', 'host', 'grant', 'acme', 'app.example.com'],
    ['account', 'host', 'revoke', 'acme', 'app.example.com'],
    ['account', 'suspend', 'acme'],
    ['account', 'resume', 'acme'],
  ];
  const run = (words: readonly string[]) =>
    main([...words, '--config', configFileOf(service)], {
      out: () => undefined,
      err: () => undefined,
      env: {},
      readSecret: async () => new Secret(''),
    });
  for (const words of commands) {
    const former = await contents.rows();
    await contents.refuseEvents();
    assert.notEqual(await run(words), 0, words.join(' '));
    assert.deepEqual(await contents.rows(), former, words.join(' '));
    await contents.takeEvents();
    assert.equal(await run(words), 0, words.join(' '));
    assert.notDeepEqual(await contents.rows(), former, words.join(' '));
  }
});

type Content = { readonly events: readonly string[]; readonly columns: readonly string[] };

/** Each new event says what changed; together they name each field that was sent, and each that differs. */
function requireContent(id: string, call: TestCall, { events, columns }: Content): void {
  const told = events.map((row) => {
    const columnsOf = Object.fromEntries(JSON.parse(row) as [string, string | null][]);
    const changes = JSON.parse(columnsOf['changes'] ?? 'null') as AuditChange | null;
    assert.ok((columnsOf['changes'] ?? '').length < 8_192);
    const kind = columnsOf['kind'] as AuditKind;
    return changes ?? impliedChange(kind) ?? (DELIVERED_BY_HAND.has(kind) ? NO_CHANGE : undefined);
  });
  for (const changes of told) assert.ok(changes !== undefined, `${id} has an event without what changed`);
  const names = new Set(told.flatMap(namesIn));
  for (const name of [...fieldsSent(id, call), ...columns])
    assert.ok(names.has(name), `${id} changes ${name}, and no event says so: ${[...names].join(', ')}`);
}

function namesIn(changes: AuditChange | undefined): readonly string[] {
  const { before: was, after: is, secrets = [] } = changes ?? { before: null, after: null };
  return Object.keys(was ?? {}).concat(Object.keys(is ?? {}), secrets);
}

/** What the call sends is told by the same name. */
function fieldsSent(id: string, { json }: TestCall): readonly string[] {
  if (!/^(?:create|modify)/.test(id)) return [];
  const { config = {}, ...rest } = json as { readonly config?: object };
  const sent = [...Object.keys(rest), ...Object.keys(config)];
  return sent.filter((name) => name !== 'open').map((name) => (name === 'expiresIn' ? 'expiresAt' : name));
}

/** Of rows that were there and are there still, those columns that differ, by their names in the API. */
function changedColumns(former: Rows, now: Rows): readonly string[] {
  return TOLD_TABLES.flatMap((table) => {
    const was = new Map((former[table] ?? []).map((row) => [idOf(row), row]));
    return (now[table] ?? []).flatMap((row) => {
      const old = was.get(idOf(row));
      if (old === undefined || old === row) return [];
      const columns = new Map(JSON.parse(old) as [string, unknown][]);
      const differing = (JSON.parse(row) as [string, unknown][]).filter(
        ([name, value]) => columns.get(name) !== value,
      );
      // What stands beside rules, the version before reads nothing of (`store/shares/ruled-columns.ts`).
      const isRuled = differing.some(([name]) => name === 'rules');
      return differing.flatMap(([name]) =>
        BOOKKEEPING.has(name) || (isRuled && name !== 'rules') ? [] : [camelCase(name)],
      );
    });
  });
}

type Rows = Readonly<Record<string, readonly string[]>>;

function idOf(row: string): string {
  const columns = Object.fromEntries(JSON.parse(row) as [string, unknown][]);
  return String(columns['id'] ?? columns['account_id']);
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Of an answer: what is shown once. */
function secretsIn(document: unknown): readonly string[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([name, value]) =>
    typeof value === 'string' ? (SHOWN_ONCE.has(name) ? [value] : []) : secretsIn(value),
  );
}

async function opened(t: TestContext, open: () => Promise<Rig>): Promise<Rig> {
  const rig = await open();
  t.after(() => rig.control[Symbol.asyncDispose]());
  return rig;
}

/** What needs more than a body: a token with its request, all of a person. */
async function moreCalls({ call }: Rig['control']) {
  const input = { name: 'more', commonName: 'ann', emailAddress: 'ann@alice.test' };
  const tokens: string[] = [];
  for (let count = 0; count < 2; count++) {
    const { document } = await call({ path: '/v1/certificate-request-tokens', json: input });
    tokens.push(String(document['token']));
  }
  const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  const method = 'POST';
  return [
    {
      id: 'redeemCertificate',
      call: { method, path: '/v1/client-certificates/redeem', json: { token: tokens[0], csr } },
    },
    {
      id: 'revokeClientCertificatesOf',
      call: { method, path: '/v1/client-certificates/revoke', json: { emailAddress: input.emailAddress } },
    },
    {
      id: 'revokeClientCertificatesOf',
      call: { method, path: '/v1/client-certificates/revoke', json: { serial: '01AB' } },
    },
  ];
}

/**
 * Sessions before what ends them; what is deleted is changed before; what depends on a thing goes before it.
 */
function inOrder(): readonly Operation[] {
  return operations()
    .filter((operation) => operation.method !== 'GET' && !isForOneself(operation))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ id, method, parameter }: Operation): number {
  if (id === 'endSession') return 0;
  if (id === 'endSessionsOf') return 1;
  if (method !== 'DELETE') return 2;
  return parameter === 'host' ? 3 : 4;
}

const NO_CHANGE: AuditChange = { before: null, after: null, secrets: [], omitted: 0 };
const SHOWN_ONCE: ReadonlySet<string> = new Set(['key', 'token', 'secret', 'redeemUrl']);
const TOLD_TABLES = ['shares', 'members', 'webhooks', 'certificate_policies'] as const;
/** They change nothing but what is known of deliveries. */
const DELIVERED_BY_HAND: ReadonlySet<AuditKind> = new Set(['webhook.tested', 'webhook.redelivered']);
/** Each change changes them; `secret` and `sealed` are told as secrets. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  'version',
  'updated_at',
  'secret',
  'custom_hosts',
  'login_seen_at',
  'secret_rotated_at',
  'failing_since',
]);
const ANY_EVENT = {
  kinds: [],
  email: null,
  shareId: null,
  provider: null,
  actor: null,
  result: null,
  text: null,
  since: null,
  until: null,
};
/**
 * They only try something; a certificate calls over TLS alone; the one request for access was granted before.
 */
const CHANGE_NOTHING = ['dismissAccessRequest', 'renewCertificate', 'testAuthProvider', 'testShare'];
