// One large body through the gateway, up or down, over HTTP/1.1 or HTTP/2, both over TLS, behind a login:
// every byte is checked, and the memory of the serving process is watched. In the middle the receiver stalls:
// a gateway that doesn't pass back-pressure on swallows all the rest meanwhile.

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Stream } from 'node:http2';
import { request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { startAgentProcess } from '../support/agent-process.ts';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { layOutService, type ServiceProcess } from '../support/service-process.ts';
import { watchMemory, type Memory } from './memory.ts';
import { receivePattern, sendPattern } from './pattern.ts';

export type Protocol = 'HTTP/1.1' | 'HTTP/2';
/** Memory of the gateway, and of the agent when there is one. */
export type Transferred = Memory & {
  readonly bytes: number;
  readonly ms: number;
  readonly agent: Memory | null;
};

export type TransferRig = {
  readonly upload: (protocol: Protocol, bytes: number) => Promise<Transferred>;
  readonly download: (protocol: Protocol, bytes: number) => Promise<Transferred>;
  readonly close: () => Promise<void>;
};

/** `way`: whether the gateway reaches the backend itself, or through an agent, a process of its own. */
export async function startTransferRig(way: 'direct' | 'tunnel' = 'direct'): Promise<TransferRig> {
  const backend = await startBackend();
  const service = await layOutService({ tls: true });
  let agent: ChildProcess | null = null;
  const close = async () => {
    agent?.kill('SIGKILL');
    backend.close();
    await service.close();
  };
  try {
    await service.start();
    if (way === 'tunnel') agent = await startAgent(service, backend.url);
    else await service.client.shares.create({ name: 'demo', target: backend.url, oauthProvider: 'corp' });
    const browser = createBrowser({ ca: service.tls?.ca ?? '' });
    await walkLogin(browser, service.urlOf('demo'), { email: 'ada@example.com' });
    const cookie = browser.jar.header(new URL(service.urlOf('demo')));
    assert.ok(cookie !== null, 'logged in');
    const visitor: Visitor = { service, cookie };
    const pids = { gateway: service.pid(), agent: agent?.pid ?? null };
    const watched = (bytes: number, work: () => Promise<number>) => transfer(pids, bytes, work);
    return {
      upload: (protocol, bytes) => watched(bytes, () => upload(visitor, protocol, bytes)),
      download: (protocol, bytes) => watched(bytes, () => download(visitor, protocol, bytes)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startAgent(service: ServiceProcess, target: string): Promise<ChildProcess> {
  const caFile = join(service.folder, 'ca.pem');
  await writeFile(caFile, service.tls?.ca ?? '');
  const words = ['--oauth-provider', 'corp', '--quiet'];
  return await startAgentProcess({ service, target, name: 'demo', words, caFile });
}

type Pids = { readonly gateway: number; readonly agent: number | null };

async function transfer(pids: Pids, bytes: number, work: () => Promise<number>): Promise<Transferred> {
  const startedAt = performance.now();
  const watched = async () =>
    pids.agent === null ? { result: await work(), memory: null } : await watchMemory(pids.agent, work);
  const { result, memory } = await watchMemory(pids.gateway, watched);
  assert.equal(result.result, bytes, 'every byte came');
  return { bytes, ms: performance.now() - startedAt, ...memory, agent: result.memory };
}

type Visitor = { readonly service: ServiceProcess; readonly cookie: string };

async function upload(visitor: Visitor, protocol: Protocol, bytes: number): Promise<number> {
  const call = open(visitor, protocol, { method: 'POST', path: `/upload/${bytes}`, bytes });
  const [answer] = await Promise.all([call.answer, sendPattern(call.body, bytes)]);
  const said = JSON.parse(await text(answer)) as { bytes: number };
  call.close();
  return said.bytes;
}

async function download(visitor: Visitor, protocol: Protocol, bytes: number): Promise<number> {
  const call = open(visitor, protocol, { method: 'GET', path: `/bytes/${bytes}`, bytes: 0 });
  call.body.end();
  const received = await receivePattern(await call.answer, stallIn(bytes));
  call.close();
  return received;
}

type Call = { readonly body: Writable; readonly answer: Promise<Readable>; readonly close: () => void };
type Draft = { readonly method: string; readonly path: string; readonly bytes: number };

function open(visitor: Visitor, protocol: Protocol, input: Draft): Call {
  return protocol === 'HTTP/2' ? openHttp2(visitor, input) : openHttp1(visitor, input);
}

function openHttp1({ service, cookie }: Visitor, { method, path, bytes }: Draft): Call {
  const { host, hostname } = new URL(service.urlOf('demo'));
  const body = requestHttps({
    host: '127.0.0.1',
    port: service.port,
    servername: hostname,
    ca: service.tls?.ca,
    agent: false,
    method,
    path,
    headers: { host, cookie, ...(bytes > 0 ? { 'content-length': bytes } : {}) },
  });
  const answer = once(body, 'response').then(([response]) => expectOk(response as IncomingMessage));
  return { body, answer, close: () => body.destroy() };
}

function expectOk(response: IncomingMessage): IncomingMessage {
  assert.equal(response.statusCode, 200);
  return response;
}

/** Without a length: HTTP/2 needs none, and the gateway sends it on in chunks. */
function openHttp2({ service, cookie }: Visitor, { method, path }: Draft): Call {
  const url = new URL(service.urlOf('demo'));
  const tls = { port: service.port, host: '127.0.0.1', servername: url.hostname, ca: service.tls?.ca };
  const session = connectHttp2(url.origin, {
    createConnection: () => connectTls({ ...tls, ALPNProtocols: ['h2'] }),
  });
  const stream: ClientHttp2Stream = session.request(
    { ':method': method, ':path': path, cookie },
    { endStream: false },
  );
  const answer = once(stream, 'response').then(([headers]) => {
    assert.equal((headers as Record<string, unknown>)[':status'], 200);
    return stream;
  });
  return { body: stream, answer, close: () => session.destroy() };
}

async function startBackend(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer(async (request, response) => {
    try {
      const [, kind, length] = /^\/(upload|bytes)\/(\d+)$/.exec(request.url ?? '') ?? [];
      const bytes = Number(length);
      if (kind === 'upload') {
        response.end(JSON.stringify({ bytes: await receivePattern(request, stallIn(bytes)) }));
      } else {
        response.writeHead(200, { 'content-length': bytes });
        await sendPattern(response, bytes);
      }
    } catch {
      // The visitor sees an answer that breaks off.
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Bodies that warm up are short, and go through at once. */
function stallIn(bytes: number) {
  return { stallAt: Math.min(bytes / 4, STALL_AT), stallMs: bytes < STALLING ? 0 : STALL_MS };
}

const STALL_AT = 16 * 1024 * 1024;
const STALLING = 64 * 1024 * 1024;
/** Time for well over a hundred megabytes, on a busy machine too. */
const STALL_MS = 1_500;
