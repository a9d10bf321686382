// THREATS "Exhaustion" where a backend does it by HTTP/2: what it says breaks its own exchange alone, whoever
// asked and by whichever protocol; what it never says ends by the limits of time that HTTP/1.1 has.

import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { makeCertificate } from '../support/certificate.ts';
import { EVIL_ANSWERS, head, OK, reset } from '../support/evil-http2-answers.ts';
import { DATA, END_STREAM, frame, RST_STREAM } from '../support/http2-frames.ts';
import { startTestGate, testShare, type TestGateOptions } from '../support/gate.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import {
  INITIAL_WINDOW_SIZE,
  rawHttp2Backend,
  setting,
  type Http2Talk,
  type RawHttp2Options,
} from '../support/raw-http2-backend.ts';
import { until } from '../support/until.ts';

/** As many as a visitor has streams. */
const RESETS = 100;
const HOST = 'demo.share.localhost';
/** What should end and does not must not hold up the run. */
const TIMED = { timeout: 60_000 };
const CERTIFICATE = makeCertificate(['*.share.localhost']);
const SECURE = {
  tls: true,
  publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
  endpointUrl: 'https://auth.share.localhost',
} as const;

async function gatesBefore(
  t: TestContext,
  options: RawHttp2Options,
  limits: NonNullable<TestGateOptions['limits']> = {},
) {
  const backend = await rawHttp2Backend(t, options);
  const share = testShare('demo', `h2c://127.0.0.1:${backend.port}`);
  const plain = await startTestGate({ shares: [share], limits });
  const secure = await startTestGate({
    shares: [share],
    limits,
    settings: SECURE,
    certificates: [CERTIFICATE],
  });
  t.after(plain.close);
  t.after(secure.close);
  return { plain, secure, backend };
}

function well(talk: Http2Talk, stream: number): void {
  talk.send(head(stream), frame(DATA, END_STREAM, stream, Buffer.from('ok')));
}

describe('Exhaustion: what an HTTP/2 backend answers breaks its own exchange alone', () => {
  for (const [name, frames] of EVIL_ANSWERS)
    test(name, TIMED, async (t) => {
      let evil = true;
      const { plain, secure } = await gatesBefore(t, {
        onHead: (talk, stream) => (evil ? talk.send(...frames(stream)) : well(talk, stream)),
      });
      const visitor = await openHttp2(t, secure.port, HOST);
      const raw = await plain.raw(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`, 1_000);
      assert.match(raw, /^HTTP\/1\.1 (?:502|200|103) /);
      assert.ok(!raw.endsWith('0\r\n\r\n') || raw.startsWith('HTTP/1.1 502'), 'no whole answer');
      const { status, resetCode } = await visitor.ask({ ':path': '/', ':authority': HOST });
      assert.ok(status === 502 || resetCode !== 0, `${status} ${resetCode}`);
      evil = false;
      assert.equal((await plain.call({ host: HOST })).body, 'ok');
      assert.equal((await visitor.ask({ ':path': '/', ':authority': HOST })).body, 'ok', 'same connection');
    });
});

test(
  'Exhaustion: an HTTP/2 backend that answers nothing, half or no body is let go in time',
  TIMED,
  async (t) => {
    const { plain, backend } = await gatesBefore(
      t,
      {
        onHead: (talk, stream, nth) =>
          nth === 1 ? undefined : talk.send(head(stream, [[':status', '103']])),
      },
      { headMs: 300 },
    );
    for (const nth of [1, 3]) {
      assert.equal((await plain.call({ host: HOST })).status, 504);
      const left = await backend.talks[0]!.wait(({ type, stream }) => type === RST_STREAM && stream === nth);
      assert.notEqual(left, null, 'its stream is reset');
    }
  },
);

test(
  'Exhaustion: an HTTP/2 backend that opens no window for a body: 504, and no memory for it',
  TIMED,
  async (t) => {
    const { plain } = await gatesBefore(
      t,
      { settings: setting(INITIAL_WINDOW_SIZE, 0), onHead: () => {} },
      { headMs: 500 },
    );
    const before = process.memoryUsage().arrayBuffers;
    const answer = await plain.call({ host: HOST, method: 'POST', body: Buffer.alloc(32 * 1024 * 1024) });
    assert.equal(answer.status, 504);
    await until(() => process.memoryUsage().arrayBuffers - before < 48 * 1024 * 1024);
  },
);

test('Exhaustion: an HTTP/2 backend that resets each stream costs its own share alone', TIMED, async (t) => {
  const { plain, secure, backend } = await gatesBefore(t, {
    onHead: (talk, stream, nth) => {
      if (nth <= RESETS) talk.send(reset(stream, 11));
      else talk.send(head(stream, OK, false));
    },
  });
  const visitor = await openHttp2(t, secure.port, HOST);
  const all = await Promise.all(
    Array.from({ length: RESETS }, () => visitor.ask({ ':path': '/', ':authority': HOST })),
  );
  assert.ok(all.every(({ status }) => status === 502));
  assert.equal((await plain.call({ host: HOST })).status, 200);
  assert.ok(backend.talks.length <= 4, `${backend.talks.length} connections`);
});
