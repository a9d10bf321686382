// Visitors who read an answer slowly, or not at all (DESIGN 3, "progress limits for bodies, no total limit").

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { startBackend } from '../support/backend.ts';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testShare } from '../support/gate.ts';
import { HEADERS, headersFrame, openFrames, RST_STREAM, SETTINGS } from '../support/http2-frames.ts';

const HOST = 'demo.share.localhost';
const TIMED = { timeout: 60_000 };
const CERTIFICATE = makeCertificate(['*.share.localhost']);
const STALL_MS = 1_500;

test('a visitor who reads slowly all the time is not cut off, however long it takes', TIMED, async (t) => {
  const { gate } = await gateWithAnswer(t, 64 * 1024 * 1024, false);
  const request = httpRequest({ port: gate.port, host: '127.0.0.1', headers: { host: HOST }, agent: false });
  request.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  const startedAt = performance.now();
  let heard = 0;
  while (performance.now() - startedAt < 4 * STALL_MS) {
    // At most 100 kB each twenty milliseconds: the backend always has more.
    const piece: Buffer | null = answer.read(Math.min(100_000, answer.readableLength));
    heard += piece?.length ?? 0;
    assert.ok(!answer.destroyed, `cut off after ${heard} bytes`);
    await wait(20);
  }
  assert.ok(heard > 0);
  answer.destroy();
});

test('an answer that a visitor by HTTP/2 never reads is ended, short as it is', TIMED, async (t) => {
  for (const length of [2, 1_000_000]) {
    const { gate, arrived } = await gateWithAnswer(t, length, true);
    const nothing = Buffer.from([0, 4, 0, 0, 0, 0]);
    const visitor = await openFrames(t, gate.port, HOST, { settings: nothing });
    await visitor.wait(({ type }) => type === SETTINGS);
    visitor.send(
      headersFrame(1, [
        [':method', 'GET'],
        [':scheme', 'https'],
        [':path', '/'],
        [':authority', HOST],
      ]),
    );
    await arrived;
    await visitor.wait(({ type }) => type === HEADERS);
    assert.ok(await visitor.wait(({ type, stream }) => type === RST_STREAM && stream === 1));
  }
});

test('a fault that a visitor by HTTP/2 never reads is ended', TIMED, async (t) => {
  const { gate, backend } = await gateWithAnswer(t, 2, true);
  backend.server.close();
  const nothing = Buffer.from([0, 4, 0, 0, 0, 0]);
  const visitor = await openFrames(t, gate.port, HOST, { settings: nothing });
  await visitor.wait(({ type }) => type === SETTINGS);
  visitor.send(
    headersFrame(1, [
      [':method', 'GET'],
      [':scheme', 'https'],
      [':path', '/'],
      [':authority', HOST],
    ]),
  );
  assert.ok(await visitor.wait(({ type, stream }) => type === RST_STREAM && stream === 1));
});

async function gateWithAnswer(t: TestContext, length: number, tls: boolean) {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const backend = await startBackend(t, (_request, response) => {
    resolve();
    response.writeHead(200, { 'content-length': length });
    response.end(Buffer.alloc(length));
  });
  const scheme = tls ? ('https' as const) : ('http' as const);
  const gate = await startTestGate({
    shares: [testShare('demo', backend.url)],
    certificates: tls ? [CERTIFICATE] : [],
    settings: { tls, publicUrl: { scheme, domain: 'share.localhost', port: tls ? 443 : 80 } },
    limits: { answerStallMs: STALL_MS },
  });
  t.after(gate.close);
  return { gate, backend, arrived };
}
