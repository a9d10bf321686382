// Runs on the gateway's host (`network.ts`): the service, its visitors, and over the cable an agent with its
// backend. Whatever happens to the cable, the agent and the gateway, visitors get the right answer or a fault
// that says so, and what was away comes back by itself.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { startAgentProcess } from '../support/agent-process.ts';
import { changeConfig, eventually } from '../support/serve-process.ts';
import { layOutService, type ServiceProcess } from '../support/service-process.ts';
import type { UploadSeen } from './network-backend.ts';
import { hostsNamed, type TwoHosts } from './two-hosts.ts';

export type NetworkFound = {
  readonly cablePulled: readonly CableFound[];
  /**
   * `awayMs`: until visitors were told; `backMs`: from the start of another agent to the first request
   * served.
   */
  readonly agentKilled: { readonly awayMs: number; readonly backMs: number };
  /** From the gateway listening again to the first request served. */
  readonly gatewayKilled: { readonly backMs: number };
};

export type CableFound = {
  readonly downMs: number;
  /** From the cable being back to the first request served. */
  readonly backMs: number;
  /** How many requests got which status; 0 for none. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly upload: 'whole' | 'failed';
  readonly webSocket: 'kept' | 'cut';
};

type Rig = {
  readonly hosts: TwoHosts;
  readonly service: ServiceProcess;
  readonly uploads: readonly UploadSeen[];
  /** Starts the agent; resolves once its share is up. */
  readonly startAgent: () => Promise<ChildProcess>;
};

async function run(name: string, downs: readonly number[]): Promise<NetworkFound> {
  const hosts = hostsNamed(name);
  const service = await layOutService();
  const children: ChildProcess[] = [];
  // They hold the pipes of this process, and whoever started it waits for their end.
  process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));
  try {
    const rig = await layOutRig({ hosts, service, children });
    const cablePulled: CableFound[] = [];
    let agent = await rig.startAgent();
    await served(rig);
    for (const downMs of downs) cablePulled.push(await pullCable(rig, downMs));
    const killedAt = performance.now();
    agent.kill('SIGKILL');
    await eventually('visitors are told that the agent is away', async () => (await ask(rig)).status === 503);
    const awayMs = since(killedAt);
    const startedAt = performance.now();
    agent = await rig.startAgent();
    await served(rig);
    const agentKilled = { awayMs, backMs: since(startedAt) };
    await service.stop('SIGKILL');
    await service.start();
    const listeningAt = performance.now();
    await served(rig);
    return { cablePulled, agentKilled, gatewayKilled: { backMs: since(listeningAt) } };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await service.close();
  }
}

type Layout = {
  readonly hosts: TwoHosts;
  readonly service: ServiceProcess;
  readonly children: ChildProcess[];
};

async function layOutRig({ hosts, service, children }: Layout): Promise<Rig> {
  const { gatewayAddress, onAgent } = hosts;
  let controlUrl = '';
  changeConfig(service, (config) => {
    const everywhere = (section: string): number => {
      const port = Number(String(config[section]?.['bind_address']).split(':')[1]);
      config[section] = { ...config[section], bind_address: `0.0.0.0:${port}` };
      return port;
    };
    const port = everywhere('gateway');
    controlUrl = `http://${gatewayAddress}:${everywhere('control')}`;
    config['control'] = { ...config['control'], public_url: controlUrl };
    // The cable is this test's own.
    Object.assign(config, { allow_plain_http: true });
    config['tunnel'] = {
      bind_address: `0.0.0.0:${port}`,
      public_url: `http://${gatewayAddress}:${port}`,
      tls: 'off',
    };
  });
  await service.start();
  const [program = '', ...words] = onAgent;
  const backend = spawn(program, [...words, process.execPath, BACKEND], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(backend);
  const lines = createInterface({ input: backend.stdout });
  const [target] = (await once(lines, 'line')) as [string];
  const uploads: UploadSeen[] = [];
  lines.on('line', (line) => uploads.push(JSON.parse(line) as UploadSeen));
  return {
    hosts,
    service,
    uploads,
    startAgent: async () => {
      const agent = await startAgentProcess({ service, target, name: 'demo', within: onAgent, controlUrl });
      children.push(agent);
      return agent;
    },
  };
}

async function pullCable(rig: Rig, downMs: number): Promise<CableFound> {
  const visitors = keepAsking(rig);
  const socket = await openSocket(rig);
  const upload = startUpload(rig);
  await upload.underWay;
  rig.hosts.link('down');
  await pause(downMs);
  rig.hosts.link('up');
  const upAt = performance.now();
  const { endedAt } = await visitors.firstServedAfter(upAt);
  const uploaded = await upload.finish();
  const webSocket = await socket.finish();
  const answers = await visitors.stop();
  const back = answers.filter(({ startedAt }) => startedAt >= endedAt);
  assert.ok(
    back.every(({ status }) => status === 200),
    'once it is back, every request is served',
  );
  const statuses: Record<number, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return { downMs, backMs: Math.round(endedAt - upAt), statuses, upload: uploaded, webSocket };
}

type Answer = { readonly status: number; readonly startedAt: number; readonly endedAt: number };

/**
 * One visitor after the other, whether or not those before were answered; each is answered right, or by a
 * fault of the gateway.
 */
function keepAsking(rig: Rig) {
  const answers: Answer[] = [];
  const asked: Promise<void>[] = [];
  const timer = setInterval(() => {
    asked.push(ask(rig).then((answer) => void answers.push(answer)));
  }, ASK_EVERY_MS);
  return {
    firstServedAfter: async (time: number): Promise<Answer> =>
      await eventually('a request is served', () =>
        answers.find(({ status, endedAt }) => status === 200 && endedAt >= time),
      ),
    stop: async (): Promise<readonly Answer[]> => {
      clearInterval(timer);
      await Promise.all(asked);
      return answers;
    },
  };
}

let askedSoFar = 0;

/** Throws when the answer is neither right nor a fault of the gateway. */
async function ask(rig: Rig): Promise<Answer> {
  const path = `/number/${askedSoFar++}`;
  const startedAt = performance.now();
  const { status, body } = await call(rig, { method: 'GET', path });
  if (status === 200) assert.equal(body, path, 'the answer of another request');
  else if (CODES[status] !== undefined)
    assert.equal((JSON.parse(body) as { code: string }).code, CODES[status]);
  else assert.ok(status === 502 || status === 0, `a status of ${status}: ${body}`);
  return { status, startedAt, endedAt: performance.now() };
}

async function served(rig: Rig): Promise<void> {
  await eventually('a request is served', async () => (await ask(rig)).status === 200);
}

type Draft = { readonly method: string; readonly path: string };

/** Status 0: no gateway answered. */
async function call(rig: Rig, draft: Draft): Promise<{ readonly status: number; readonly body: string }> {
  const request = open(rig, draft);
  const answered = answerTo(request);
  request.end();
  return await answered;
}

function open({ service }: Rig, { method, path }: Draft) {
  const { host } = new URL(service.urlOf('demo'));
  return httpRequest({
    host: '127.0.0.1',
    port: service.port,
    agent: false,
    method,
    path,
    headers: { host },
    // Behind an answer, too: an upload may be cut then.
  }).on('error', () => undefined);
}

async function answerTo(request: ReturnType<typeof open>) {
  try {
    const [response] = await once(request, 'response');
    return { status: Number(response.statusCode), body: await text(response) };
  } catch {
    return { status: 0, body: '' };
  }
}

/** An upload that goes on for as long as it may; what the backend took for whole is whole. */
function startUpload(rig: Rig) {
  const request = open(rig, { method: 'POST', path: '/upload' });
  const answered = answerTo(request);
  const underWay = Promise.withResolvers<void>();
  const before = rig.uploads.length;
  let sent = 0;
  const timer = setInterval(() => {
    if (request.writableNeedDrain || request.destroyed) return;
    request.write(PIECE);
    sent += PIECE.byteLength;
    if (sent >= 4 * PIECE.byteLength) underWay.resolve();
  }, PIECE_EVERY_MS);
  return {
    underWay: underWay.promise,
    finish: async (): Promise<CableFound['upload']> => {
      clearInterval(timer);
      request.end();
      const { status, body } = await answered;
      const seen = await eventually('the backend knows how its upload went', () => rig.uploads[before]);
      if (seen.whole) assert.equal(seen.bytes, sent, 'a part of an upload is not whole');
      if (status === 200) assert.deepEqual([seen.whole, body], [true, String(sent)]);
      return status === 200 ? 'whole' : 'failed';
    },
  };
}

/** A WebSocket that counts: no message is lost, repeated or out of order until it closes. */
async function openSocket(rig: Rig) {
  const { host, origin } = new URL(rig.service.urlOf('demo'));
  const socket = new WebSocket(`ws://127.0.0.1:${rig.service.port}/count`, { headers: { host }, origin });
  let sent = 0;
  let heard = 0;
  let wrong: string | null = null;
  socket.on('error', () => undefined);
  socket.on('message', (data) => {
    if (String(data) === String(heard)) heard += 1;
    else wrong ??= `heard ${String(data)} instead of ${heard}`;
  });
  await once(socket, 'open');
  const timer = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send(String(sent++));
  }, PIECE_EVERY_MS);
  return {
    finish: async (): Promise<CableFound['webSocket']> => {
      clearInterval(timer);
      await eventually(
        'all was heard, or the socket closed',
        () => heard === sent || socket.readyState === WebSocket.CLOSED,
      );
      assert.equal(wrong, null);
      const kept = socket.readyState === WebSocket.OPEN;
      socket.terminate();
      return kept ? 'kept' : 'cut';
    },
  };
}

function since(time: number): number {
  return Math.round(performance.now() - time);
}

const BACKEND = fileURLToPath(new URL('network-backend.ts', import.meta.url));
/** What the gateway says of itself, beside a connection that broke. */
const CODES: Readonly<Record<number, string>> = {
  503: 'agent_away',
  // An agent that is thought to be there brings no connection.
  504: 'backend_timeout',
  // All come from one address, and wait until it is known that the agent is away.
  429: 'rate_limited',
};
const ASK_EVERY_MS = 50;
const PIECE_EVERY_MS = 20;
const PIECE = Buffer.alloc(16 * 1024, 'x');

if (import.meta.main) {
  const [name = '', downs = ''] = process.argv.slice(2);
  const found = await run(
    name,
    downs
      .split(',')
      .filter((each) => each !== '')
      .map(Number),
  );
  process.stdout.write(JSON.stringify(found));
}
