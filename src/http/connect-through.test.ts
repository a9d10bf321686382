// CONNECT through proxies of every kind: those that refuse, stall, answer anything but HTTP, or end in the
// middle; over TLS themselves, and with TLS inside.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { after, before, test, type TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { createTestAuthority, type TestAuthority, type TestPair } from '../../test/support/certificates.ts';
import { type Answer, say, STALLS, startRawProxy } from '../../test/support/raw-proxy.ts';
import { until } from '../../test/support/until.ts';
import { ProxyFault } from '../domain/proxy-fault.ts';
import { connectThrough } from './connect-through.ts';

const TO = new URL('https://app.corp.test');
const LIMIT = { timeout: 60_000 };
const forEver = new AbortController().signal;

let authority: TestAuthority;
let tlsPair: TestPair;
before(() => {
  authority = createTestAuthority();
  tlsPair = authority.issue(['localhost']);
  setDefaultCACertificates([...getCACertificates('default'), authority.ca]);
});
after(() => authority.dispose());

/** A destination that ends TLS and says which certificate it was shown. */
async function startDestination(t: TestContext) {
  const shown: boolean[] = [];
  const { certificate, key } = authority.issue([TO.hostname]);
  const server = createSecureServer(
    { cert: certificate, key, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      shown.push((request.socket as TLSSocket).getPeerX509Certificate() !== undefined);
      response.end('here');
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, shown };
}

const close: Answer = (client) => client.destroy();

const REFUSALS: readonly (readonly [what: string, answer: Answer, expected: object, hint: RegExp])[] = [
  [
    'a login that it does not accept',
    say('HTTP/1.1 407 No\r\n\r\n'),
    { code: 'proxy_refused', status: 407 },
    /does not accept the login/,
  ],
  [
    'a login that is not Basic',
    say('HTTP/1.1 407 No\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM\r\n\r\n'),
    { code: 'proxy_refused', status: 407 },
    /other than Basic/,
  ],
  [
    'a host that it does not allow',
    say('HTTP/1.1 403 No\r\nContent-Length: 6\r\n\r\nsecret'),
    { code: 'proxy_refused', status: 403 },
    /does not allow connections to app\.corp\.test/,
  ],
  [
    'a host that it cannot reach',
    say('HTTP/1.1 502 No\r\n\r\n'),
    { code: 'proxy_refused', status: 502 },
    /cannot connect to app\.corp\.test/,
  ],
  ['a redirect', say('HTTP/1.1 302 No\r\nLocation: http://x.test/\r\n\r\n'), { status: 302 }, /Check/],
  ['garbage', say('SSH-2.0-OpenSSH_9.6\r\n'), { code: 'proxy_invalid', status: null }, /Check/],
  ['a head that ends in the middle', halfHead, { code: 'proxy_invalid', status: null }, /Check/],
  ['no answer at all', close, { code: 'proxy_invalid', status: null }, /Check/],
  [
    'a head of 64 KB',
    say(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(64 * 1024)}\r\n\r\n`),
    { code: 'proxy_invalid', status: null },
    /Check/,
  ],
  [
    'a head without an end',
    (client) => {
      client.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => client.write(`X-More: ${'x'.repeat(100)}\r\n`), 1);
      client.once('close', () => clearInterval(timer));
    },
    { code: 'proxy_invalid', status: null },
    /Check/,
  ],
  [
    'the end of the connection within TLS',
    (client) => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.once('data', () => client.destroy());
    },
    { code: 'proxy_invalid', status: null },
    /Check/,
  ],
];

function halfHead(client: Duplex): void {
  client.end('HTTP/1.1 200 OK\r\nX-Half');
}

for (const secure of [false, true])
  for (const [what, answer, expected, hint] of REFUSALS)
    test(
      `connectThrough() tells ${what} of ${secure ? 'an https' : 'a'} proxy by a code, without its password (RFC 9110 9.3.6)`,
      LIMIT,
      async (t) => {
        const { proxy, left } = await startRawProxy(t, answer, secure ? tlsPair : null);
        await assert.rejects(connectThrough(proxy, TO, { tls: {}, signal: forEver }), (error) => {
          assert.ok(error instanceof ProxyFault, String(error));
          assert.partialDeepStrictEqual({ ...error }, expected);
          assert.match(error.hint, hint);
          assert.ok(error.message.includes(proxy.origin), error.message);
          assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.hint}`, /hidden|secret/);
          return true;
        });
        await left();
      },
    );

for (const secure of [false, true])
  for (const [where, answer] of STALLS) {
    const whose = `${secure ? 'an https' : 'a'} proxy that stalls ${where}`;
    test(`connectThrough() gives up ${whose}, and closes the connection`, LIMIT, async (t) => {
      const { proxy, left } = await startRawProxy(t, answer, secure ? tlsPair : null);
      await assert.rejects(connectThrough(proxy, TO, { tls: {}, signal: forEver, limitMs: 500 }), {
        name: 'ProxyFault',
        code: 'proxy_timeout',
      });
      await left();
    });

    test(`connectThrough() leaves ${whose} when it is told to stop`, LIMIT, async (t) => {
      const stop = new AbortController();
      const { proxy, left, heads } = await startRawProxy(t, answer, secure ? tlsPair : null);
      const opening = connectThrough(proxy, TO, { tls: {}, signal: stop.signal });
      await until(() => heads.length === 1);
      stop.abort(new Error('enough'));
      await assert.rejects(opening, /enough/);
      await left();
    });
  }

for (const secure of [false, true])
  test(
    `connectThrough() shows ${secure ? 'an https' : 'a'} proxy its login, and the certificate to the destination alone`,
    LIMIT,
    async (t) => {
      const destination = await startDestination(t);
      const { proxy, heads } = await startRawProxy(t, joinTo(destination.port), secure ? tlsPair : null);
      const { certificate, key } = authority.issue(['agent']);
      const tls = { cert: certificate, key };
      const socket = await connectThrough(proxy, TO, { tls, signal: forEver });
      socket.write(`GET / HTTP/1.1\r\nHost: ${TO.host}\r\nConnection: close\r\n\r\n`);
      assert.match(Buffer.concat(await socket.toArray()).toString(), /here$/);
      assert.deepEqual(destination.shown, [true]);
      assert.deepEqual(heads, [
        `CONNECT app.corp.test:443 HTTP/1.1\r\nhost: app.corp.test:443\r\n` +
          `proxy-authorization: Basic ${btoa('ann:hidden')}\r\nConnection: close\r\n\r\n`,
      ]);
    },
  );

test(
  'connectThrough() shows no login to an https proxy whose certificate is for another name',
  LIMIT,
  async (t) => {
    const { proxy, heads } = await startRawProxy(t, close, tlsPair);
    const other = { ...proxy, host: '127.0.0.1', origin: 'https://127.0.0.1' };
    await assert.rejects(connectThrough(other, TO, { tls: {}, signal: forEver }), {
      code: 'proxy_unreachable',
      message: 'the proxy https://127.0.0.1 cannot be reached: its certificate is for another name',
    });
    assert.deepEqual(heads, []);
  },
);

function joinTo(port: number): Answer {
  return (client) => {
    const upstream = connect(port, '127.0.0.1');
    upstream.on('error', () => client.destroy());
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    client.pipe(upstream).pipe(client);
  };
}
