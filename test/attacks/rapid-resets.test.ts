// THREATS "Connections and fairness": streams that a visitor breaks off by the thousand (CVE-2023-44487) are
// counted over all of the visitor's connections, refused early, and cost whoever leaves a page nothing.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import type { GateSettings } from '../../src/gateway/messages.ts';
import { startBackend } from '../support/backend.ts';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';
import {
  frame,
  GOAWAY,
  headersFrame,
  number32,
  openFrames,
  PING,
  RST_STREAM,
  SETTINGS,
  type Field,
  type Frame,
} from '../support/http2-frames.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import { testDirect } from '../support/way.ts';

const HOST = 'open.share.localhost';
const TIMED = { timeout: 60_000 };
const CERTIFICATE = makeCertificate(['*.share.localhost']);
const GET: readonly Field[] = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/'],
  [':authority', HOST],
];

for (const [what, host, code] of [
  ['requests that are forwarded', HOST, 8],
  ['requests that the gate answers', 'demo.share.localhost', 8],
  ['requests, by a code that means no fault', HOST, 0],
] as const)
  (host === HOST && code === 8 ? test : testDirect)(
    `Exhaustion: ten connections that reset 10,000 ${what} get a few of them, and then a few a connection`,
    TIMED,
    async (t) => {
      const { gate, forwarded, mostBroken } = await start(t);
      const fields = GET.map((field) =>
        field[0] === ':authority' ? ([':authority', host] as const) : field,
      );
      const other = await openHttp2(t, gate.port, HOST);
      // Before its first stream a connection lives for ten seconds.
      await other.ask({ ':authority': HOST, ':path': '/' });
      const visitors = await Promise.all(Array.from({ length: 10 }, () => openFrames(t, gate.port, host)));
      await Promise.all(
        visitors.map(async ({ socket, send, wait }) => {
          await wait(({ type }) => type === SETTINGS);
          for (let stream = 1; stream < 20_000 && !socket.destroyed; stream += 2) {
            send(headersFrame(stream, fields), frame(RST_STREAM, 0, stream, number32(code)));
            if (stream % 20 === 1) await new Promise(setImmediate);
          }
        }),
      );
      await Promise.all(visitors.map(({ closed }) => closed));
      assert.ok(forwarded() <= 2_500, `${forwarded()} were forwarded`);
      const answered = gate.said.flatMap((message) =>
        message.type === 'log' ? message.lines.trimEnd().split('\n') : [],
      );
      assert.ok(answered.length <= 2_500, `${answered.length} were handled`);
      assert.ok((await mostBroken('127.0.0.1')) < 60);
      assert.ok((await mostBroken('127.0.0.2')) >= 60);
      for (const newcomer of [await openHttp2(t, gate.port, HOST), await openHttp2(t, gate.port, HOST)]) {
        const image = newcomer.session
          .request({ ':authority': HOST, ':path': '/hang' })
          .on('error', () => {});
        image.close(8);
        await once(image, 'close');
        const page = await newcomer.ask({ ':authority': HOST, ':path': '/' });
        assert.equal(page.status, 200, 'whoever comes from the same address is served, and may leave a page');
      }
      assert.equal(
        (await other.ask({ ':authority': HOST, ':path': '/' })).status,
        200,
        'a colleague goes on',
      );
      const steady = performance.now.bind(performance);
      t.mock.method(performance, 'now', () => steady() + 11_000);
      assert.ok((await mostBroken('127.0.0.1')) >= 60);
    },
  );

testDirect('Exhaustion: whoever is cut off for resets is told to calm down', TIMED, async (t) => {
  const { gate } = await start(t);
  const visitors = await Promise.all(Array.from({ length: 10 }, () => openFrames(t, gate.port, HOST)));
  for (let stream = 1; stream < 600; stream += 2)
    for (const { send, socket } of visitors) {
      if (!socket.destroyed) send(headersFrame(stream, GET), frame(RST_STREAM, 0, stream, number32(8)));
      if (stream % 50 === 1) await new Promise(setImmediate);
    }
  const ends = await Promise.all(visitors.map(({ wait }) => wait(({ type }) => type === GOAWAY)));
  assert.ok(ends.some((end) => end?.payload.readUInt32BE(4) === 11));
});

testDirect(
  'Exhaustion: resets that come through a trusted proxy end no connection of it, where its other visitors are',
  TIMED,
  async (t) => {
    const { gate } = await start(t, { trustedProxies: ['127.0.0.0/8'] });
    const visitors = await Promise.all(Array.from({ length: 2 }, () => openFrames(t, gate.port, HOST)));
    // More by each than a visitor of one's own may break off at once.
    for (let stream = 1; stream < 3_000; stream += 2)
      for (const { send, socket } of visitors) {
        if (!socket.destroyed) send(headersFrame(stream, GET), frame(RST_STREAM, 0, stream, number32(8)));
        if (stream % 50 === 1) await new Promise(setImmediate);
      }
    for (const { send, wait } of visitors) {
      send(frame(PING, 0, 0, Buffer.alloc(8)));
      assert.equal((await wait(({ type }) => type === PING || type === GOAWAY))?.type, PING);
    }
  },
);

test(
  'Exhaustion: a browser that leaves pages with fifty images under way, again and again, is served',
  TIMED,
  async (t) => {
    const { gate, mostBroken } = await start(t);
    for (let page = 0; page < 20; page++) {
      const visitor = await openHttp2(t, gate.port, HOST);
      assert.equal((await visitor.ask({ ':authority': HOST, ':path': '/' })).status, 200);
      const images = Array.from({ length: 50 }, () => {
        const image = visitor.session.request({ ':authority': HOST, ':path': '/hang' });
        image.on('error', () => {});
        return image;
      });
      const gone = Promise.all(images.map((image) => once(image, 'close')));
      await new Promise(setImmediate);
      for (const image of images) image.close(8);
      await gone;
      assert.equal((await visitor.ask({ ':authority': HOST, ':path': '/' })).status, 200);
    }
    assert.ok((await mostBroken('127.0.0.1')) >= 60);
  },
);

async function start(t: TestContext, settings: Partial<GateSettings> = {}) {
  let forwarded = 0;
  const backend = await startBackend(t, (request, response) => {
    forwarded++;
    if (request.url !== '/hang') response.end('ok');
  });
  const gate = await startTestGate({
    shares: [testShare('open', backend.url), testShare('demo', backend.url, { login: testLogin() })],
    certificates: [CERTIFICATE],
    settings: {
      tls: true,
      publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
      ...settings,
    },
  });
  t.after(gate.close);
  /** How many streams a new connection from that address breaks off before it is ended; 60 when it is not. */
  const mostBroken = async (localAddress: string): Promise<number> => {
    const { socket, send, wait } = await openFrames(t, gate.port, HOST, { localAddress });
    await wait(({ type }) => type === SETTINGS);
    for (let count = 0; count < 60; count++) {
      const stream = 2 * count + 1;
      const name = number32(count);
      send(
        headersFrame(stream, GET),
        frame(RST_STREAM, 0, stream, number32(8)),
        frame(PING, 0, 0, Buffer.concat([name, name])),
      );
      const isPong = ({ type, payload }: Frame) => type === PING && payload.subarray(0, 4).equals(name);
      const heard = await wait((each) => isPong(each) || each.type === GOAWAY);
      if (heard === null || heard.type === GOAWAY) return count;
    }
    socket.destroy();
    return 60;
  };
  return { gate, forwarded: () => forwarded, mostBroken };
}
