// An agent and every worker of two gateways on one PostgreSQL (DESIGN "Tunnel"): behind a balancer, at
// addresses of their own, and when one of them comes and goes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createAccount } from '../../src/cli/accounts/create.ts';
import { createNodeClient } from '../../src/client/node-client.ts';
import { loadConfig } from '../../src/config/load.ts';
import { Secret } from '../../src/domain/secret.ts';
import { startService } from '../../src/serve.ts';
import { newMasterKeyText, readMasterKey } from '../../src/store/sealing/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import { startAgent, type AgentState } from '../../src/tunnel/agent.ts';
import { placesOf } from '../../src/tunnel/gateway-place.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { startEchoBackend } from '../support/echo-backend.ts';
import { callGate } from '../support/gate.ts';
import { listenPort } from '../support/listen-port.ts';
import { startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const HOST = 'demo.share.localhost';
const WORKERS = 2;

test(
  'an agent ends up with every worker of every gateway, also of one that came later or moved (DESIGN "Tunnel")',
  { timeout: 120_000 },
  async (t) => {
    const site = await layOut(t);
    const one = await site.start();
    const apiKey = await site.addAccount();
    const client = createNodeClient({ url: new URL(`http://127.0.0.1:${one.control}`), apiKey });
    await client.shares.create({ name: 'demo', tunnel: 'reserved', open: true });
    const backend = await startEchoBackend();
    t.after(backend.close);
    const states: AgentState[] = [];
    const agent = startAgent({
      gateways: async () => placesOf(await client.gateways()),
      share: 'demo',
      apiKey,
      target: parseLocalTarget(backend.url),
      onRequest: () => {},
      onState: (state) => states.push(state),
      onRefused: (error) => assert.fail(error),
      refreshMs: 100,
    });
    t.after(() => agent.stop(0));
    const connected = (count: number) => until(() => states.at(-1)?.connected === count);
    await agent.ready;
    await connected(WORKERS);

    const two = await site.start();
    await connected(2 * WORKERS);
    await serves(one.gateway);
    await serves(two.gateway);

    await two.close();
    await connected(WORKERS);
    await serves(one.gateway);

    const own = await site.start(await listenPort());
    await connected(2 * WORKERS);
    await serves(own.gateway);
    const urls = (await client.gateways()).map(({ tunnelUrl, workers }) => `${tunnelUrl} ${workers}`);
    assert.deepEqual(urls, [
      `http://tunnel.share.localhost:${site.port} ${WORKERS}`,
      `http://localhost:${own.tunnel} ${WORKERS}`,
    ]);

    // Agents alone are taken there, and there alone.
    const visit = await callGate(own.tunnel ?? 0, { host: HOST });
    assert.deepEqual([visit.status, JSON.parse(visit.body).code], [421, 'misdirected']);
    const elsewhere = await dialRaw(own.gateway, `localhost:${own.tunnel}`, apiKey);
    assert.match(elsewhere, /^HTTP\/1\.1 421 .*misdirected/s);
  },
);

test(
  'a deleted key ends its tunnels at every worker of every gateway within 2 s, streams and all (3 Tunnel)',
  { timeout: 120_000 },
  async (t) => {
    const site = await layOut(t);
    const gateways = [await site.start(), await site.start()];
    const apiKey = await site.addAccount();
    const client = createNodeClient({ url: new URL(`http://127.0.0.1:${gateways[0]?.control}`), apiKey });
    await client.shares.create({ name: 'demo', tunnel: 'reserved', open: true });
    const { key, id } = await client.apiKeys.create({ name: 'agent', scope: 'tunnel' });
    const backend = await startEchoBackend();
    t.after(backend.close);
    const states: AgentState[] = [];
    const ended: string[] = [];
    const agent = startAgent({
      gateways: async () => placesOf(await client.gateways()),
      share: 'demo',
      apiKey: new Secret(key),
      target: parseLocalTarget(backend.url),
      onRequest: () => {},
      onState: (state) => states.push(state),
      onRefused: (error) => ended.push(error.code),
      refreshMs: 100,
    });
    t.after(() => agent.stop(0));
    await agent.ready;
    await until(() => states.at(-1)?.connected === 2 * WORKERS);
    // Enough to be at every worker: the kernel spreads connections over them.
    const closed: Promise<unknown>[] = [];
    for (const { gateway } of gateways)
      for (let count = 0; count < 12; count++) closed.push((await openStream(t, gateway)).closed);
    const before = performance.now();
    await client.apiKeys.remove(id);
    await Promise.all(closed);
    await until(() => ended.length > 0);
    const tookMs = performance.now() - before;
    assert.ok(tookMs < PROMPTLY_MS, `${tookMs} ms`);
    assert.deepEqual(ended, ['api_key_invalid']);
    for (const { gateway } of gateways) assert.equal((await callGate(gateway, { host: HOST })).status, 503);
  },
);

/** A request whose answer never ends, once its first bytes came. */
async function openStream(t: TestContext, port: number): Promise<{ readonly closed: Promise<unknown> }> {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write(`GET /stream HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  await once(socket, 'data');
  socket.resume();
  return { closed: once(socket, 'close') };
}

/** Every request of many, each on a connection of its own: the kernel spreads them over the workers. */
async function serves(port: number): Promise<void> {
  const calls = Array.from({ length: 24 }, () => callGate(port, { host: HOST }));
  for (const { status, body } of await Promise.all(calls)) assert.equal(status, 200, body);
}

async function dialRaw(port: number, host: string, apiKey: Secret): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    [
      'GET /v1/tunnel?share=demo HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${apiKey.reveal()}`,
      'Doorward-Agent: agent-of-tests',
      'Connection: Upgrade',
      'Upgrade: doorward-tunnel/2',
      '',
      '',
    ].join('\r\n'),
  );
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
  });
  await once(socket, 'close');
  return heard;
}

type Gateway = {
  readonly gateway: number;
  readonly control: number;
  readonly tunnel: number | null;
  readonly close: () => Promise<void>;
};

/**
 * A database, and a balancer that takes turns between the gateways that run without an address of their own
 * for agents.
 */
async function layOut(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-tunnel-gateways-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres();
  t.after(() => postgres[Symbol.asyncDispose]());
  const url = await postgres.place();
  const masterKeyFile = join(folder, 'master.key');
  await writeFile(masterKeyFile, newMasterKeyText(), { mode: 0o600 });
  const balanced = new Set<number>();
  const port = await startBalancer(t, balanced);
  let count = 0;
  const start = async (tunnel: number | null = null): Promise<Gateway> => {
    const file = join(folder, `doorward-${++count}.yaml`);
    const ports = { gateway: await listenPort(), control: await listenPort(), tunnel };
    await writeFile(file, configText({ port, storeUrl: url.reveal(), ...ports }));
    const log = { debug: silent, info: silent, warn: silent, error: silent };
    const service = await startService({ config: await loadConfig(file), log, appendLog: silent });
    if (tunnel === null) balanced.add(ports.gateway);
    const close = async () => {
      balanced.delete(ports.gateway);
      await service.close(0);
    };
    t.after(close);
    return { ...ports, close };
  };
  const addAccount = async (): Promise<Secret> => {
    const store = await openStore({
      engine: { kind: 'postgres', url },
      masterKey: await readMasterKey(masterKeyFile),
      now: Date.now,
      exclusive: false,
    });
    const account = { name: 'acme', adminEmail: 'admin@acme.test', now: Date.now() };
    return (await createAccount(store, account).finally(() => store.close())).apiKey;
  };
  return { port, start, addAccount };
}

function silent(): void {}

async function startBalancer(t: TestContext, ports: ReadonlySet<number>): Promise<number> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((socket) => {
    const port = [...ports][turn++ % Math.max(1, ports.size)];
    if (port === undefined) return void socket.destroy();
    const other = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => from.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

type Layout = {
  readonly port: number;
  readonly storeUrl: string;
  readonly gateway: number;
  readonly control: number;
  readonly tunnel: number | null;
};

/** JSON is YAML. */
function configText({ port, storeUrl, gateway, control, tunnel }: Layout): string {
  return JSON.stringify({
    gateway: {
      bind_address: `127.0.0.1:${gateway}`,
      public_url: `http://*.share.localhost:${port}`,
      workers: WORKERS,
    },
    oauth: {
      bind_address: `127.0.0.1:${gateway}`,
      endpoint_url: `http://login.share.localhost:${port}`,
      cookie_name: 'svc-auth-session',
      cookie_domain: 'share.localhost',
      session_lifetime: '6h',
      intermediate_lifetime: '5m',
      signing_key: 'a signing key for tests, 32 characters or more',
      encryption_key: 'an encryption key for tests, 24 or more',
      providers: [{ name: 'google', type: 'google', client_id: 'id', client_secret: 'secret' }],
    },
    control: { bind_address: `127.0.0.1:${control}`, public_url: `http://127.0.0.1:${control}` },
    ...(tunnel === null
      ? {}
      : { tunnel: { bind_address: `127.0.0.1:${tunnel}`, public_url: `http://localhost:${tunnel}` } }),
    store: { url: storeUrl, master_key_file: 'master.key' },
  });
}
