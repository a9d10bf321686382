// THREATS "WebSocket and streams": nothing long-lived is opened without the right that it needs, nothing
// outlives it, and no upgrade is a way around the gate.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { describe, test, type TestContext } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { shortHash } from '../../src/domain/secret.ts';
import type { Share } from '../../src/domain/share.ts';
import type { WorkerAnswer } from '../../src/gateway/messages.ts';
import { makeCertificate } from '../support/certificate.ts';
import {
  startTestGate,
  testLogin,
  testShare,
  TEST_PROVIDER,
  type TestGate,
  type TestGateOptions,
  type TestLogin,
} from '../support/gate.ts';
import { listen } from '../support/raw-backend.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const HOST = 'demo.share.localhost';
const ORIGIN = `https://${HOST}`;
const HOUR = 3_600_000;
/** What should end and does not must not hold up the run. */
const TIMED = { timeout: 60_000 };
const CERTIFICATE = makeCertificate(['*.share.localhost']);

/** One thing that stays open; `ended` resolves once the visitor sees its end. */
type Opened = { readonly ended: Promise<void> };
type Open = (t: TestContext, port: number, cookie: string) => Promise<Opened>;

const STREAMS: Readonly<Record<string, Open>> = {
  'a WebSocket': async (t, port, cookie) => {
    const socket = new WebSocket(`wss://127.0.0.1:${port}/`, {
      headers: { host: HOST, cookie, origin: ORIGIN },
      rejectUnauthorized: false,
    });
    socket.on('error', () => {});
    t.after(() => socket.terminate());
    await once(socket, 'open');
    return { ended: ending(socket) };
  },
  'an event stream': async (t, port, cookie) => {
    const call = request({
      port,
      host: '127.0.0.1',
      path: '/events',
      headers: { host: HOST, cookie },
      agent: false,
      rejectUnauthorized: false,
    }).end();
    call.on('error', () => {});
    t.after(() => call.destroy());
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    assert.equal(answer.statusCode, 200);
    answer.on('error', () => {}).resume();
    return { ended: ending(answer) };
  },
  'an upload': async (t, port, cookie) => {
    const call = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/upload',
      headers: { host: HOST, cookie, expect: '100-continue' },
      agent: false,
      rejectUnauthorized: false,
    });
    call.on('error', () => {});
    t.after(() => call.destroy());
    await once(call, 'continue');
    const timer = setInterval(() => call.write('more'), 50);
    const ended = ending(call);
    void ended.then(() => clearInterval(timer));
    t.after(() => clearInterval(timer));
    return { ended };
  },
  'an event stream over HTTP/2': async (t, port, cookie) => {
    const stream = (await http2(t, port)).request({
      ':authority': HOST,
      ':path': '/events',
      cookie: cookie.split('; '),
    });
    stream.on('error', () => {});
    const [head] = (await once(stream, 'response')) as [Record<string, number>];
    assert.equal(head[':status'], 200);
    stream.resume();
    return { ended: ending(stream) };
  },
  'a WebSocket over HTTP/2': async (t, port, cookie) => {
    const session = await http2(t, port);
    if (!session.remoteSettings.enableConnectProtocol) await once(session, 'remoteSettings');
    const stream = session.request(
      {
        ':method': 'CONNECT',
        ':protocol': 'websocket',
        ':authority': HOST,
        ':path': '/',
        ':scheme': 'https',
        origin: ORIGIN,
        'sec-websocket-version': '13',
        cookie: cookie.split('; '),
      },
      { endStream: false },
    );
    stream.on('error', () => {});
    const [head] = (await once(stream, 'response')) as [Record<string, number>];
    assert.equal(head[':status'], 200);
    stream.resume();
    return { ended: ending(stream) };
  },
};

type Scene = { readonly gate: TestGate; readonly share: Share; readonly login: TestLogin };
type End = {
  readonly session?: () => Parameters<TestGate['login']>[1];
  readonly cut?: (scene: Scene) => void;
};

const tellShare = ({ gate, share }: Scene, change: Partial<Share>) =>
  gate.tell({ type: 'shares', upsert: [{ ...share, ...change }], remove: [] });

/** What ends the right to what is open. */
const ENDS: Readonly<Record<string, End>> = {
  'its session ends': { cut: ({ gate, login }) => gate.end(login) },
  'its session expires': {
    session: () => ({ expiresAt: Math.ceil(Date.now() / 1000) * 1000 + 9_000 }),
  },
  'its check is due and nobody can make it': {
    session: () => ({ checkedAt: Date.now() - 3 * HOUR + 10_000 }),
  },
  'its address is allowed no longer': {
    cut: (scene) => tellShare(scene, { login: testLogin({ emailPatterns: ['*@corp.com'] }) }),
  },
  'its share asks for another provider': {
    cut: (scene) =>
      tellShare(scene, {
        login: testLogin({ provider: { ...TEST_PROVIDER, generation: shortHash('new') } }),
      }),
  },
  'its share has no usable provider': {
    cut: (scene) => tellShare(scene, { login: testLogin({ provider: null }) }),
  },
  'its share is disabled': { cut: (scene) => tellShare(scene, { enabled: false }) },
  'its share is deleted': {
    cut: ({ gate, share }) => gate.tell({ type: 'shares', upsert: [], remove: [share.id] }),
  },
  'changes were missed, and the session is gone': {
    cut: ({ gate, login }) => {
      gate.end(login);
      gate.tell({ type: 'forget-sessions' });
    },
  },
};

describe('WebSocket and streams: what is open ends', { concurrency: true }, () => {
  for (const [why, end] of Object.entries(ENDS))
    test(`when ${why}`, TIMED, async (t) => {
      const scene = await scenery(t, end.session);
      const opened = await Promise.all(
        Object.values(STREAMS).map((open) => open(t, scene.gate.port, scene.login.cookie)),
      );
      const startedAt = Date.now();
      end.cut?.(scene);
      await Promise.all(opened.map(({ ended }) => ended));
      const takes = Date.now() - startedAt;
      assert.ok(takes < PROMPTLY_MS + (end.cut === undefined ? 12_000 : 0), `it took ${takes} ms`);
    });

  test('when the store was away for longer than the grace', TIMED, async (t) => {
    const { gate, login } = await scenery(t, undefined, { settings: { ...secure(), outageGraceMs: 9_000 } });
    const opened = await Promise.all(Object.values(STREAMS).map((open) => open(t, gate.port, login.cookie)));
    await Promise.all(opened.map(({ ended }) => ended));
  });
});

function ending(stream: NodeJS.EventEmitter): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.on('close', () => resolve());
  return promise;
}

async function http2(t: TestContext, port: number): Promise<ClientHttp2Session> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, servername: HOST });
  session.on('error', () => {});
  t.after(() => session.destroy());
  await once(session, 'connect');
  return session;
}

function secure() {
  return {
    tls: true,
    publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
    endpointUrl: 'https://auth.share.localhost',
  } as const;
}

/** A backend that never ends what is opened, behind a gate over TLS, and somebody who is logged in. */
async function scenery(t: TestContext, more: End['session'], options: TestGateOptions = {}): Promise<Scene> {
  const server = createServer((visit, response) => {
    visit.resume();
    if (visit.url !== '/events') return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: hello\n\n');
  });
  const sockets = new WebSocketServer({ server });
  const port = await listen(server);
  const share = testShare('demo', `http://127.0.0.1:${port}`, { login: testLogin() });
  const states = new Map<string, TestLogin['state']>();
  const answers = (question: { ask: string; sessionId: string }): WorkerAnswer =>
    question.ask === 'session'
      ? { kind: 'session', state: states.get(question.sessionId) ?? null }
      : { kind: 'unavailable' };
  const gate = await startTestGate({
    shares: [share],
    settings: secure(),
    certificates: [CERTIFICATE],
    answers,
    ...options,
  });
  t.after(async () => {
    await gate.close();
    for (const client of sockets.clients) client.terminate();
    sockets.close();
    server.closeAllConnections();
    server.close();
  });
  const login = gate.login(share, more?.());
  states.set(login.session.id, login.state);
  const end: TestGate['end'] = (ended) => {
    states.delete(ended.session.id);
    gate.end(ended);
  };
  return { gate: { ...gate, end }, share, login };
}
