// Logins that showed no verified address, from the moment that their provider must say so: nothing that they
// opened stays open, at a share, through a tunnel or at the control plane. Switched on by SIGHUP in a running
// service, on both engines.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import type { ShareObject } from '../../src/wire/share.ts';
import { Secret } from '../../src/domain/secret.ts';
import { startAgent } from '../../src/tunnel/agent.ts';
import { placesOf } from '../../src/tunnel/gateway-place.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { type Browser, createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { type EchoBackend, startEchoBackend } from '../support/echo-backend.ts';
import { onEngines } from '../support/on-engines.ts';
import { changeConfig, hangUp } from '../support/serve-process.ts';
import { layOutService, type ServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

/** Of their addresses the provider does not say whether they are verified. */
const [VISITOR, MEMBER] = ['ann@example.com', 'bob@example.com'];
const [VERIFIED_VISITOR, VERIFIED_MEMBER] = ['ada@example.com', 'eve@example.com'];

onEngines('a verified address, required from now on', ({ storeUrl }) => {
  let service: ServiceProcess;
  const started = new AsyncDisposableStack();
  let shares: readonly ShareObject[];
  before(async () => {
    service = await layOutService({ storeUrl: await storeUrl() });
    started.defer(service.close);
    await service.start();
    const backend = await startEchoBackend();
    started.defer(backend.close);
    const login = { oauthProvider: 'corp' };
    const direct = await service.client.shares.create({ name: 'direct', target: backend.url, ...login });
    const tunnel = await service.client.shares.create({ name: 'tunneled', tunnel: 'reserved', ...login });
    started.defer(await serve(service, tunnel, backend));
    shares = [direct, tunnel];
    for (const email of [VISITOR, MEMBER]) service.idp.account(email).emailVerified = undefined;
  });
  after(() => started.disposeAsync());

  test('is asked of logins that showed none: at shares, open streams through a tunnel too, in the console and at own access (2.4, 5.5)', async () => {
    const [ann, ada] = [createBrowser(), createBrowser()];
    for (const { url } of shares) {
      await enter(ann, url, VISITOR);
      await enter(ada, url, VERIFIED_VISITOR);
    }
    await enter(ann, `${service.controlUrl}/auth/login`, VISITOR);
    await enter(ada, `${service.controlUrl}/auth/login`, VERIFIED_VISITOR);
    const [bob, eve] = [createBrowser(), createBrowser()];
    await enter(bob, await invitation(service, MEMBER), MEMBER);
    await enter(eve, await invitation(service, VERIFIED_MEMBER), VERIFIED_MEMBER);
    const asked: readonly (readonly [who: string, browser: Browser, path: string, after: number])[] = [
      ['a visitor’s own access', ann, '/v1/me', 401],
      ['a member', bob, '/v1/shares', 401],
      ['a visitor who showed one', ada, '/v1/me', 200],
      ['a member who showed one', eve, '/v1/shares', 200],
    ];
    const statusOf = async (browser: Browser, path: string) =>
      (await browser.request(`${service.controlUrl}${path}`)).status;
    for (const [who, browser, path] of asked) assert.equal(await statusOf(browser, path), 200, who);
    const closed = await Promise.all(
      shares.flatMap(({ url }) => [openSocket(url, ann), openStream(url, ann)]),
    );
    const kept = await Promise.all(shares.map(({ url }) => openSocket(url, ada)));
    changeConfig(service, ({ oauth: { providers } }) =>
      Object.assign(providers[0] ?? {}, { require_verified_email: true }),
    );
    const startedAt = performance.now();
    assert.equal((await hangUp(service)).msg, 'Reloaded the configuration');
    for (const [who, browser, path, status] of asked)
      assert.equal(await statusOf(browser, path), status, who);
    await until(() => closed.every((isOpen) => !isOpen()));
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < PROMPTLY_MS, `the last stream ended after ${tookMs} ms`);
    for (const { url } of shares) {
      const { last } = await walkLogin(ann, url, { email: VISITOR });
      assert.deepEqual([last.status, last.url.host], [403, new URL(service.endpointUrl).host], last.body);
      assert.match(last.body, /not been verified/);
      assert.equal((await ada.open(url)).status, 200);
    }
    assert.deepEqual(
      kept.map((isOpen) => isOpen()),
      [true, true],
    );
  });
});

/** Resolves once an agent serves the share. Answers how to stop it. */
async function serve(
  { client }: ServiceProcess,
  share: ShareObject,
  backend: EchoBackend,
): Promise<() => Promise<void>> {
  const { key } = await client.apiKeys.create({ name: 'agent', scope: 'tunnel' });
  const connected = Promise.withResolvers<void>();
  const agent = startAgent({
    gateways: async () => placesOf(await client.gateways()),
    share: share.id,
    apiKey: new Secret(key),
    target: parseLocalTarget(backend.url),
    onRequest: () => {},
    onState: (state) => {
      if (state.connected > 0) connected.resolve();
    },
    onRefused: () => {},
  });
  await agent.ready;
  await connected.promise;
  return async () => agent.stop(0);
}

async function invitation({ client }: ServiceProcess, email: string): Promise<string> {
  return (await client.members.create({ email })).invitation.url;
}

async function enter(browser: Browser, url: string, email: string): Promise<void> {
  const { last } = await walkLogin(browser, url, { email });
  assert.equal(last.status, 200, last.body);
}

/** Whether it is open still. */
type IsOpen = () => boolean;

async function openSocket(url: string, browser: Browser): Promise<IsOpen> {
  const { host, origin, port } = new URL(url);
  const cookie = browser.jar.header(new URL(url)) ?? '';
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host, origin, cookie } });
  const opened = Promise.withResolvers<void>();
  socket.on('open', opened.resolve).on('error', opened.reject);
  await opened.promise;
  return () => socket.readyState === WebSocket.OPEN;
}

async function openStream(url: string, browser: Browser): Promise<IsOpen> {
  const { host, port } = new URL(url);
  const cookie = browser.jar.header(new URL(url)) ?? '';
  const request = get({ host: '127.0.0.1', port, path: '/stream', headers: { host, cookie } });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  assert.equal(answer.statusCode, 200);
  // Cut off, it may end by a reset.
  answer.on('error', () => {}).resume();
  return () => !answer.closed;
}
