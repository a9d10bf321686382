// A change and the audit event that tells of it are both kept, or neither: every operation of the control
// API, every command of the operator and the sweep, on both engines, while the database refuses audit events.

import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { ShareId } from '../../src/domain/id.ts';
import type { Store } from '../../src/store/store.ts';
import { addSession } from '../../src/store/suite/bench.test-support.ts';
import { startControl, startControlOn, type TestControl } from '../support/control.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { addThings, callOf, isForOneself, type Operation, operations } from '../support/operations.ts';
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
    for (const { id, call } of [...(await moreCalls(control)), ...calls]) {
      const former = await contents.rows();
      await contents.refuseEvents();
      await control.call(call);
      assert.deepEqual(await contents.rows(), former, `${id} changes something without its event`);
      await contents.takeEvents();
      const { status, document } = await control.call(call);
      assert.ok(status < 500, `${id} ${JSON.stringify(document)}`);
      const { audit_events: events, ...rest } = await contents.rows();
      const { audit_events: formerEvents, ...formerRest } = former;
      if (JSON.stringify(rest) === JSON.stringify(formerRest)) continue;
      assert.ok(
        (events?.length ?? 0) > (formerEvents?.length ?? 0),
        `${id} changes something and tells nobody`,
      );
      changed.push(id);
    }
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

const ANY_EVENT = {
  kinds: [],
  email: null,
  shareId: null,
  provider: null,
  actor: null,
  since: null,
  until: null,
};
/**
 * They only try something; a certificate calls over TLS alone; the one request for access was granted before.
 */
const CHANGE_NOTHING = ['dismissAccessRequest', 'renewCertificate', 'testAuthProvider', 'testShare'];
