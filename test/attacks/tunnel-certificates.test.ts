// Agents that come by client certificate alone, where the control API requires certificates: the role
// `tunnel` may what an API key of that scope may, and no more; whatever takes it away ends its tunnels, and
// the streams through them, within 2 s.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { after, before, test, type TestContext } from 'node:test';
import type { ShareObject } from '../../src/wire/share.ts';
import { hashApiKey, newApiKey } from '../../src/domain/api-key.ts';
import { type MemberId, newId } from '../../src/domain/id.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { ServiceError } from '../../src/domain/service-error.ts';
import { type AgentOptions, startAgent } from '../../src/tunnel/agent.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { freePort } from '../support/free-port.ts';
import {
  type CertificateRig,
  type IssuedPair,
  startCertificateRig,
} from '../support/control-certificates.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';
import { until } from '../support/until.ts';

const TIMED = { timeout: 60_000 };
let rig: CertificateRig;
/** Of alice's account, with the role `admin`: required beside her key. */
let admin: IssuedPair;
before(async () => {
  rig = await startCertificateRig('required');
  admin = await rig.issue(rig.keys.alice);
});
after(() => rig[Symbol.asyncDispose]());

type Scene = {
  readonly pair: IssuedPair;
  readonly share: ShareObject;
  readonly makerKey: string;
  readonly makerMember: MemberId;
};

/** What ends it. Who made the token is an API key unless said. */
const ENDS: Readonly<
  Record<
    string,
    { readonly member?: true; readonly validityMs?: number; readonly end: (scene: Scene) => unknown }
  >
> = {
  'it is revoked': {
    end: ({ pair: { serial } }) =>
      rig.call({
        path: `/v1/client-certificates/${serial}/revoke`,
        json: {},
        pair: admin,
        apiKey: rig.keys.alice,
      }),
  },
  'the share is deleted': {
    end: ({ share: { id } }) =>
      rig.call({ path: `/v1/shares/${id}`, method: 'DELETE', pair: admin, apiKey: rig.keys.alice }),
  },
  'the API key that allowed it is deleted': {
    end: async ({ makerKey }) => {
      const key = await rig.store.apiKeys.findByHash(makerKey);
      assert.ok(key);
      await rig.store.apiKeys.remove(key.accountId, key.id);
    },
  },
  'the member who allowed it is removed': {
    member: true,
    end: async ({ makerMember }) => {
      assert.equal(await rig.store.members.remove(await accountOf(rig.keys.alice), makerMember), true);
    },
  },
};

for (const [what, { member, end }] of Object.entries(ENDS))
  test(
    `Tunnel by certificate: once ${what}, its tunnels and open streams end within 2 s`,
    TIMED,
    async (t) => {
      const accountId = await accountOf(rig.keys.alice);
      const makerMember = newId('mem');
      const makerKey = newApiKey();
      const makerHash = hashApiKey(makerKey);
      if (member === true) await addMember(makerMember);
      else
        await rig.store.apiKeys.create(
          {
            id: newId('key'),
            accountId,
            name: makerHash.slice(0, 12),
            hash: makerHash,
            createdAt: Date.now(),
            memberId: null,
            role: 'admin',
            scope: 'full',
            expiresAt: null,
            createdBy: null,
          },
          null,
        );
      const createdBy = member === true ? { createdBy: `member:${makerMember}` } : {};
      const pair = await rig.issue(member === true ? rig.keys.alice : makerKey.reveal(), {
        apiRole: 'tunnel',
        ...createdBy,
      });
      const share = await kept(`gone-${Object.keys(ENDS).indexOf(what)}`, pair);
      const agent = agentFor(t, share.id, { pair });
      await agent.ready;
      const { closed } = await streamOf(t, share);
      const startedAt = performance.now();
      await end({ pair, share, makerKey: makerHash, makerMember });
      await closed;
      const tookMs = performance.now() - startedAt;
      assert.ok(tookMs < PROMPTLY_MS, `${tookMs} ms`);
      assert.match((await agent.refused).code, /^(?:certificate_revoked|not_allowed|share_unknown)$/);
    },
  );

test(
  'Tunnel: when its certificate expires, its tunnels and open streams end within 2 s',
  TIMED,
  async (t) => {
    const long = await rig.issue(rig.keys.alice, { apiRole: 'tunnel' });
    const share = await kept('expires', long);
    const pair = await rig.issue(rig.keys.alice, { apiRole: 'tunnel', validityMs: 6_000 });
    const agent = agentFor(t, share.id, { pair });
    await agent.ready;
    const { closed } = await streamOf(t, share);
    await closed;
    const { code } = await agent.refused;
    assert.equal(code, 'certificate_expired');
  },
);

test(
  'Tunnel: when its account is suspended, the tunnels of its certificates end within 2 s',
  TIMED,
  async (t) => {
    const pair = await rig.issue(rig.keys.mallory, { apiRole: 'tunnel' });
    const share = await kept('suspended', pair);
    const agent = agentFor(t, share.id, { pair });
    await agent.ready;
    const { closed } = await streamOf(t, share);
    const accountId = await accountOf(rig.keys.mallory);
    const startedAt = performance.now();
    await rig.store.accounts.suspend(accountId, true);
    await closed;
    assert.ok(performance.now() - startedAt < PROMPTLY_MS);
    await rig.store.accounts.suspend(accountId, false);
  },
);

test(
  'a certificate of the role tunnel serves shares of its account, and may do nothing else',
  TIMED,
  async (t) => {
    const pair = await rig.issue(rig.keys.alice, { apiRole: 'tunnel' });
    const share = await kept('served', pair);
    await agentFor(t, share.id, { pair }).ready;
    assert.equal((await visit(share)).statusCode, 200);
    const status = async (path: string, json?: object, method?: string) =>
      (
        await rig.call({
          path,
          pair,
          ...(json === undefined ? {} : { json }),
          ...(method === undefined ? {} : { method }),
        })
      ).status;
    assert.equal(await status('/v1/gateways'), 200);
    for (const path of [
      'shares',
      'shares/served',
      'sessions',
      'audit-events',
      'api-keys',
      'members',
      'webhooks',
      'account',
    ])
      assert.equal(await status(`/v1/${path}`), 403, path);
    assert.equal(
      await status('/v1/shares', { name: 'direct', target: 'http://127.0.0.1:3000', open: true }),
      403,
    );
    assert.equal(await status('/v1/shares/served', undefined, 'DELETE'), 403, 'a kept one');
    const token = { name: 'x', commonName: 'x', apiRole: 'tunnel' };
    assert.equal(await status('/v1/certificate-request-tokens', token), 403);
    const path = `/v1/audit-events?kind=share.created&share=${share.id}`;
    const { document } = await rig.call({ path, pair: admin, apiKey: rig.keys.alice });
    const [made] = document['items'] as readonly { readonly actor: string }[];
    const { fingerprint256 } = new X509Certificate(pair.certificate);
    const held = await rig.store.certificates.findByFingerprint(
      fingerprint256.replaceAll(':', '').toLowerCase(),
    );
    assert.equal(made?.actor, `certificate:${held?.id}`);
  },
);

test(
  'a certificate of the role tunnel, renewed or not, lets nobody in at a share that asks for a certificate',
  TIMED,
  async (t) => {
    const visitors = await rig.issue(rig.keys.alice, { apiRole: null });
    const first = await rig.issue(rig.keys.alice, { apiRole: 'tunnel' });
    const agents = { first, renewed: await renewedOf(first) };
    const any = { clientCertificate: { required: true } };
    const login = { oauthProvider: 'corp' };
    const target = rig.service.backend.url;
    const own = { tunnel: 'reserved' };
    const named = { clientCertificate: { required: true, subject: 'robot' } };
    // 200 for anybody's: that there is a certificate is all that is asked. 401: to log in.
    const shares = [
      { share: await protectedShare('any-target', { target, ...any }), let: 200, refused: 403 },
      { share: await protectedShare('any-tunnel', { ...own, ...any }), let: 200, refused: 403 },
      { share: await protectedShare('named', { target, ...named }), let: 200, refused: 403 },
      { share: await protectedShare('both', { target, ...any, ...login }), let: 401, refused: 403 },
      {
        share: await protectedShare('either', { target, ...any, ...login, access: 'either' }),
        let: 200,
        refused: 401,
      },
    ];
    for (const { share } of shares)
      if (share.name === 'any-tunnel') await agentFor(t, share.id, { pair: agents.renewed }).ready;
    for (const { share, let: welcome, refused } of shares) {
      assert.equal((await visit(share, visitors)).statusCode, welcome, share.name);
      for (const [which, pair] of Object.entries(agents)) {
        const answer = await asked(share, '/', pair);
        const body = await text(answer);
        assert.equal(answer.statusCode, refused, `${share.name}, ${which}`);
        if (refused === 403) assert.match(body, /"code":"certificate_unfit"/);
      }
    }
    const written = async () => {
      const path = '/v1/audit-events?kind=certificate.refused';
      const { document } = await rig.call({ path, pair: admin, apiKey: rig.keys.alice });
      return JSON.stringify(document).includes('certificate_unfit');
    };
    await until(written);
  },
);

test(
  'where certificates are required, no tunnel opens without one that may, of that account',
  TIMED,
  async (t) => {
    const pair = await rig.issue(rig.keys.alice, { apiRole: 'tunnel' });
    const share = await kept('guarded', pair);
    const [plain, foreign] = [
      await rig.issue(rig.keys.alice, { apiRole: null }),
      await rig.issue(rig.keys.mallory, { apiRole: 'tunnel' }),
    ];
    const revoked = await rig.issue(rig.keys.alice, { apiRole: 'tunnel' });
    await rig.call({
      path: `/v1/client-certificates/${revoked.serial}/revoke`,
      json: {},
      pair: admin,
      apiKey: rig.keys.alice,
    });
    const refusal = (with_: Credentials) =>
      agentFor(t, share.id, with_).ready.then(
        () => 'served',
        (error: ServiceError) => error.code,
      );
    const apiKey = rig.keys.alice;
    assert.equal(await refusal({ apiKey }), 'certificate_required', 'a key alone');
    assert.equal(await refusal({ apiKey, pair: foreign }), 'certificate_foreign');
    assert.equal(await refusal({ apiKey, pair: revoked }), 'certificate_revoked');
    assert.equal(await refusal({ pair: plain }), 'not_allowed');
    assert.equal(await refusal({ pair: foreign }), 'share_unknown');
    assert.equal(await refusal({ pair: revoked }), 'certificate_revoked');
    assert.equal(
      await refusal({ apiKey, pair: plain }),
      'served',
      'a key beside any certificate of the account',
    );
  },
);

test(
  'a listener for agents alone asks for certificates, whatever host the handshake names, or none',
  TIMED,
  async (t) => {
    const port = await freePort();
    const own = await startCertificateRig('required', {
      tunnel: { bind_address: `127.0.0.1:${port}`, public_url: `https://agents.share.localhost:${port}` },
    });
    t.after(() => own[Symbol.asyncDispose]());
    const pair = await own.issue(own.keys.alice, { apiRole: 'tunnel' });
    const made = await own.call({
      path: '/v1/shares',
      json: { name: 'own', tunnel: 'reserved', open: true },
      pair,
    });
    for (const name of ['agents.share.localhost', 'other.share.localhost', '']) {
      const dial = (with_: Credentials) =>
        agentFor(t, String(made.document['id']), with_, {
          host: 'agents.share.localhost',
          port,
          name,
        }).ready.then(
          () => 'served',
          (error: ServiceError) => error.code,
        );
      assert.equal(await dial({ apiKey: own.keys.alice }), 'certificate_required', name);
      assert.equal(await dial({ pair }), 'served', name);
    }
  },
);

/** `name`: that the handshake names. */
type Place = { readonly host: string; readonly port: number; readonly name: string };
const TUNNEL_HOST = 'tunnel.share.localhost';
type Credentials = { readonly pair?: IssuedPair; readonly apiKey?: string };

/** Its certificate's trust is not looked at: the service's own is a test's. */
function agentFor(
  t: TestContext,
  share: string,
  { pair, apiKey }: Credentials,
  place: Place = { host: TUNNEL_HOST, port: rig.service.ports.gateway, name: TUNNEL_HOST },
) {
  const { host, port, name: servername } = place;
  const refused = Promise.withResolvers<ServiceError>();
  const wayTo: AgentOptions['wayTo'] = () => async (tls) => {
    const socket = connect({
      ...tls,
      host: '127.0.0.1',
      port,
      servername,
      rejectUnauthorized: false,
    });
    const { promise, resolve, reject } = Promise.withResolvers<typeof socket>();
    socket.once('secureConnect', () => resolve(socket)).once('error', reject);
    return promise;
  };
  const agent = startAgent({
    gateways: async () => [{ url: new URL(`https://${host}:${port}`), workers: 1 }],
    share,
    apiKey: apiKey === undefined ? null : new Secret(apiKey),
    clientCertificate:
      pair === undefined ? null : { certificate: pair.certificate, key: new Secret(pair.key) },
    wayTo,
    target: parseLocalTarget(rig.service.backend.url),
    onRequest: () => {},
    onState: () => {},
    onRefused: refused.resolve,
  });
  t.after(() => agent.stop(0));
  return { ready: agent.ready, refused: refused.promise };
}

/** Made by the certificate itself, as an agent does. */
async function kept(name: string, pair: IssuedPair): Promise<ShareObject> {
  const made = await rig.call({ path: '/v1/shares', json: { name, tunnel: 'reserved', open: true }, pair });
  assert.equal(made.status, 201, JSON.stringify(made.document));
  return made.document as unknown as ShareObject;
}

async function protectedShare(name: string, settings: object): Promise<ShareObject> {
  const json = { name, ...settings };
  const made = await rig.call({ path: '/v1/shares', json, pair: admin, apiKey: rig.keys.alice });
  assert.equal(made.status, 201, JSON.stringify(made.document));
  return made.document as unknown as ShareObject;
}

/** With its own key. */
async function renewedOf(pair: IssuedPair): Promise<IssuedPair> {
  const { status, document } = await rig.call({ path: '/v1/client-certificates/renew', json: {}, pair });
  assert.equal(status, 201, JSON.stringify(document));
  const { certificate, serial } = document;
  return { key: pair.key, certificate: String(certificate), serial: String(serial) };
}

function asked(share: ShareObject, path: string, pair?: IssuedPair): Promise<IncomingMessage> {
  const host = `${share.name}.share.localhost`;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({
    host: '127.0.0.1',
    port: rig.service.ports.gateway,
    servername: host,
    rejectUnauthorized: false,
    agent: false,
    path,
    headers: { host, accept: 'application/json' },
    ...(pair === undefined ? {} : { cert: pair.certificate, key: pair.key }),
  })
    .on('response', resolve)
    .on('error', reject)
    .end();
  return promise;
}

async function visit(share: ShareObject, pair?: IssuedPair): Promise<IncomingMessage> {
  const answer = await asked(share, '/', pair);
  answer.resume();
  return answer;
}

/** Resolves once it has begun. */
async function streamOf(t: TestContext, share: ShareObject): Promise<{ readonly closed: Promise<void> }> {
  const answer = await asked(share, '/stream');
  assert.equal(answer.statusCode, 200);
  t.after(() => answer.destroy());
  const closed = Promise.withResolvers<void>();
  answer.on('error', () => {}).on('close', () => closed.resolve());
  const begun = Promise.withResolvers<void>();
  answer.once('data', () => begun.resolve());
  await begun.promise;
  return { closed: closed.promise };
}

async function accountOf(apiKey: string) {
  const key = await rig.store.apiKeys.findByHash(hashApiKey(new Secret(apiKey)));
  assert.ok(key);
  return key.accountId;
}

async function addMember(id: MemberId): Promise<void> {
  const createdAt = Date.now();
  await rig.store.members.invite(
    {
      id,
      accountId: await accountOf(rig.keys.alice),
      email: `${id}@acme.test`,
      role: 'admin',
      createdAt,
      by: 'test',
    },
    { id: newId('inv'), hash: id, createdAt, expiresAt: createdAt + 60_000 },
  );
}
