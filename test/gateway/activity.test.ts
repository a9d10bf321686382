// What the gate tells of the requests that shares get: each once, and what became of it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';
import { type ActivityCounts, sumOf } from '../../src/domain/activity.ts';
import type { ShareId } from '../../src/domain/id.ts';
import { startBackend } from '../support/backend.ts';
import { freePort } from '../support/free-port.ts';
import { startTestGate, testLogin, testShare, type TestGate } from '../support/gate.ts';

test('the gate counts each request of a share once: answered, refused, faulted, or none of these', async (t) => {
  const backend = await startBackend(t, (request, response) => {
    if (request.url === '/broken') response.destroy();
    else response.writeHead(request.url === '/missing' ? 404 : 200).end('hello');
  });
  const open = testShare('open', backend.url);
  const guarded = testShare('guarded', backend.url, { login: testLogin() });
  const gate = await startTestGate({ shares: [open, guarded] });
  t.after(gate.close);
  for (const path of ['/', '/missing', '/broken']) await gate.call({ host: 'open.share.localhost', path });
  const json = { accept: 'application/json' };
  // Sent to log in, refused, let in, asked who is logged in, and a path that is nobody's.
  await gate.call({ host: 'guarded.share.localhost' });
  await gate.call({ host: 'guarded.share.localhost', headers: json });
  const { cookie } = gate.login(guarded);
  await gate.call({ host: 'guarded.share.localhost', headers: { cookie } });
  await gate.call({ host: 'guarded.share.localhost', path: '/.svc/session', headers: { cookie } });
  await gate.call({ host: 'guarded.share.localhost', path: '/.svc/nothing', headers: { cookie } });
  await gate.call({ host: 'nobodys.share.localhost' });
  const told = await toldBy(gate);
  assert.deepEqual(told.get(open.id), { requests: 3, answered: 2, refused: 0, faulted: 1 });
  assert.deepEqual(told.get(guarded.id), { requests: 5, answered: 1, refused: 2, faulted: 0 });
  assert.equal(told.size, 2);
  for (const message of gate.said)
    if (message.type === 'activity')
      for (const { shareId, accountId } of message.shares)
        assert.equal(accountId, shareId === open.id ? open.accountId : guarded.accountId);
});

test('the gate counts what finds no backend as its fault, and a visitor who left as neither', async (t) => {
  const asked = Promise.withResolvers<void>();
  const backend = await startBackend(t, () => asked.resolve());
  const slow = testShare('slow', backend.url);
  const gone = testShare('gone', `http://127.0.0.1:${await freePort()}`);
  const gate = await startTestGate({ shares: [slow, gone] });
  t.after(gate.close);
  assert.equal((await gate.call({ host: 'gone.share.localhost' })).status, 502);
  const visitor = connect(gate.port, '127.0.0.1');
  t.after(() => visitor.destroy());
  visitor.write('GET / HTTP/1.1\r\nHost: slow.share.localhost\r\n\r\n');
  await asked.promise;
  visitor.destroy();
  await logged(gate, '"share":"slow"');
  const told = await toldBy(gate);
  assert.deepEqual(told.get(gone.id), { requests: 1, answered: 0, refused: 0, faulted: 1 });
  assert.deepEqual(told.get(slow.id), { requests: 1, answered: 0, refused: 0, faulted: 0 });
});

test('the gate counts a WebSocket as it opens, and once', async (t) => {
  const backend = await startBackend(t, (_request, response) => response.writeHead(426).end());
  const sockets = new WebSocketServer({ server: backend.server });
  t.after(() => sockets.close());
  const share = testShare('live', backend.url);
  const gate = await startTestGate({ shares: [share] });
  t.after(gate.close);
  const headers = { host: 'live.share.localhost', origin: 'http://live.share.localhost' };
  const socket = new WebSocket(`ws://127.0.0.1:${gate.port}/`, { headers });
  await once(socket, 'open');
  const closed = once(socket, 'close');
  socket.close();
  await closed;
  await logged(gate, '"status":101');
  const told = await toldBy(gate);
  assert.deepEqual(told.get(share.id), { requests: 1, answered: 1, refused: 0, faulted: 0 });
});

/** Waits until a request is over for the gate, too. */
async function logged(gate: TestGate, part: string): Promise<void> {
  while (!gate.said.some((message) => message.type === 'log' && message.lines.includes(part)))
    await pause(LOOK_MS);
}

/** Closes the gate, which tells what it still has; then adds up what it told. */
async function toldBy(gate: TestGate): Promise<Map<ShareId, ActivityCounts>> {
  await gate.close();
  const told = new Map<ShareId, ActivityCounts>();
  for (const message of gate.said)
    if (message.type === 'activity')
      for (const { shareId, accountId: _account, ...counts } of message.shares)
        told.set(shareId, sumOf(told.get(shareId) ?? NONE, counts));
  return told;
}

const NONE: ActivityCounts = { requests: 0, answered: 0, refused: 0, faulted: 0 };
const LOOK_MS = 20;
