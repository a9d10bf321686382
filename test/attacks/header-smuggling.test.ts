// THREATS "Header smuggling": whatever a visitor calls a header, wherever it stands and by whichever HTTP it
// comes, the backend gets the gate's word about who is there, once, or none.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testLogin, testShare, type TestGate } from '../support/gate.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import { listen } from '../support/raw-backend.ts';
import type { GateSettings } from '../../src/gateway/messages.ts';

const HOST = 'demo.share.localhost';
const OPEN = 'open.share.localhost';
const FORGED = 'forged@example.com';
const CERTIFICATE = makeCertificate(['*.share.localhost']);
/** Everything that only the gate may say. */
const RESERVED = [
  'svc-auth-provider svc-auth-email svc-auth-expires svc-auth-assertion svc-auth-anything',
  'svc-auth-groups svc-auth-name svc-auth-subject svc-auth-claims',
  'svc-auth-cert-subject svc-auth-cert-serial svc-auth-cert-fingerprint svc-auth- client-cert',
  'client-cert-chain forwarded x-real-ip x-request-id x-forwarded-for x-forwarded-host',
  'x-forwarded-proto x-forwarded-port x-forwarded-prefix x-forwarded-user x-forwarded-email',
  'x-forwarded-server x-forwarded-access-token',
].flatMap((names) => names.split(' '));
/** All characters but letters and digits that a header name may have (RFC 9110 section 5.6.2). */
const SEPARATORS = [..."-_.!#$%&'*+^`|~"];
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  ...SEPARATORS.map((separator) => (name: string) => name.replaceAll('-', separator)),
  (name) => name.replace('-', '_'),
  (name) => name.replace(/-(?=[^-]*$)/, '_').toUpperCase(),
];

type Seen = { readonly headers: readonly string[]; readonly trailers: readonly string[] };

test('Header smuggling: no spelling of a reserved name passes, on shares with and without a login', async (t) => {
  const { gate, login } = await gateOfAda(t);
  for (const spell of SPELLINGS) {
    const forged = RESERVED.map((name) => `${spell(name)}: ${FORGED}\r\n`).join('');
    assertOnlyAda(
      await askRaw(gate, `GET / HTTP/1.1\r\n${forged}Host: ${HOST}\r\nCookie: ${login.cookie}\r\n`),
    );
    assertOnlyAda(
      await askRaw(gate, `GET / HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${login.cookie}\r\n${forged}`),
    );
    assertNobody(await askRaw(gate, `GET / HTTP/1.1\r\nHost: ${OPEN}\r\n${forged}`));
  }
});

test('Header smuggling: nor does one with any mixture of case and separators (property)', async (t) => {
  const { gate, login } = await gateOfAda(t);
  const spelt = fc
    .constantFrom(...RESERVED)
    .chain((name) =>
      fc.tuple(
        ...Array.from(name, (letter) =>
          letter === '-' ? fc.constantFrom(...SEPARATORS) : fc.constantFrom(letter, letter.toUpperCase()),
        ),
      ),
    );
  const names = fc.array(
    spelt.map((letters) => letters.join('')),
    { minLength: 30, maxLength: 80 },
  );
  await fc.assert(
    fc.asyncProperty(names, async (forged) => {
      const lines = forged.map((name) => `${name}: ${FORGED}\r\n`).join('');
      assertOnlyAda(
        await askRaw(gate, `GET / HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${login.cookie}\r\n${lines}`),
      );
    }),
    { numRuns: 40 },
  );
});

test('Header smuggling: the same over HTTP/2, in head and trailers', async (t) => {
  const { gate, login } = await gateOfAda(t, { tls: true });
  const visitor = await openHttp2(t, gate.port, HOST);
  for (const spell of SPELLINGS) {
    const forged = Object.fromEntries(RESERVED.map((name) => [spell(name).toLowerCase(), [FORGED, FORGED]]));
    const cookie = login.cookie.split('; ');
    const head = {
      ':authority': HOST,
      ':method': 'POST',
      cookie,
      ...Object.fromEntries(RESERVED.map((name) => [spell(name).toLowerCase(), FORGED])),
    };
    assertOnlyAda(seenIn((await visitor.ask(head, 'x', forged)).body));
    assertNobody(
      seenIn((await visitor.ask({ ...head, ':authority': OPEN, cookie: 'a=1' }, 'x', forged)).body),
    );
  }
});

test('Header smuggling: trailers carry nothing reserved, and nothing that belongs into a head', async (t) => {
  const { gate, login } = await gateOfAda(t);
  const names = [
    ...RESERVED,
    'cookie',
    'authorization',
    'te',
    'connection',
    'range',
    'doorward-hop',
    'proxy',
  ];
  for (const spell of SPELLINGS) {
    const trailers = names.map((name) => `${spell(name)}: ${FORGED}\r\n`).join('');
    const head = `POST / HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${login.cookie}\r\nTransfer-Encoding: chunked\r\nTrailer: svc-auth-email\r\n`;
    const seen = await askRaw(gate, head, `1\r\nx\r\n0\r\n${trailers}X-Sum: fine\r\n\r\n`);
    assertOnlyAda(seen);
    assert.ok(seen.trailers.includes('fine'), 'other trailers pass');
    assert.ok(!seen.trailers.some((name) => names.includes(name.toLowerCase())), seen.trailers.join());
  }
});

test('Header smuggling: Connection cannot make the gate drop what it adds, or the cookies that it reads', async (t) => {
  const { gate, login } = await gateOfAda(t);
  const nominations = [
    'svc-auth-email, svc-auth-provider, svc-auth-expires, svc-auth-assertion',
    'close, SVC-AUTH-EMAIL , x-forwarded-for, x-forwarded-proto, x-real-ip, x-request-id, doorward-hop',
    'host, cookie, content-length, transfer-encoding, content-type',
    `${'x, '.repeat(2_000)}svc-auth-email`,
    ',,, ,svc_auth_email,"svc-auth-email"',
  ];
  for (const nominated of nominations)
    for (const lines of [
      `Connection: ${nominated}\r\n`,
      `Connection: close\r\nConnection: ${nominated}\r\n`,
      `Connection: ${nominated}\r\nConnection: keep-alive\r\n`,
      `Keep-Alive: ${nominated.slice(0, 200)}\r\nProxy-Connection: ${nominated.slice(0, 200)}\r\n`,
    ]) {
      const seen = await askRaw(
        gate,
        `POST / HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${login.cookie}; a=1\r\nContent-Type: text/x\r\nContent-Length: 1\r\n${lines}`,
        'x',
      );
      assertOnlyAda(seen);
      assert.deepEqual(valuesOf(seen.headers, 'content-type'), ['text/x']);
      assert.deepEqual(valuesOf(seen.headers, 'cookie'), ['a=1']);
    }
});

test('Header smuggling: what Connection names is taken away, and hop-by-hop headers with it', async (t) => {
  const { gate, login } = await gateOfAda(t);
  const hop =
    'Connection: X-Secret, close\r\nX-Secret: a\r\nProxy-Authorization: Basic YTpi\r\nTE: trailers\r\nKeep-Alive: b\r\nProxy: evil\r\nProxy-Connection: c\r\nHTTP2-Settings: d\r\n';
  const { headers } = await askRaw(
    gate,
    `GET / HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${login.cookie}\r\n${hop}`,
  );
  for (const name of [
    'x-secret',
    'proxy-authorization',
    'keep-alive',
    'proxy',
    'proxy-connection',
    'http2-settings',
  ])
    assert.deepEqual(valuesOf(headers, name), [], name);
});

test('Header smuggling: with another prefix, names of both prefixes are the gate’s alone', async (t) => {
  const { gate, login } = await gateOfAda(t, { identityHeaderPrefix: 'x-user-' });
  for (const spell of SPELLINGS) {
    const forged = ['x-user-email', 'x-user-id', 'svc-auth-email', 'x-user-assertion'].map(
      (name) => `${spell(name)}: ${FORGED}\r\n`,
    );
    const { headers } = await askRaw(
      gate,
      `GET / HTTP/1.1\r\nHost: ${HOST}\r\n${forged.join('')}Cookie: ${login.cookie}\r\n`,
    );
    assert.deepEqual(valuesOf(headers, 'x-user-email'), ['ada@example.com']);
    assert.ok(!headers.includes(FORGED), headers.join());
  }
});

test('Header smuggling: an address with CR, LF, NUL or blanks makes no header, even out of a cookie that is ours', async (t) => {
  const { gate, share } = await gateOfAda(t);
  for (const email of [
    'a@b.c\r\nsvc-auth-email: root@b.c',
    'a@b.c\nx: y',
    'a\0@b.c',
    'a@b.c x',
    'Ä@b.c',
    'a\u0308@b.c',
    'ä@ö.c',
    'a\u0085@b.c',
    '',
    '@',
  ])
    assert.equal(
      (await gate.call({ host: HOST, headers: { cookie: gate.login(share, { email }).cookie } })).status,
      302,
      JSON.stringify(email),
    );
});

test('Header smuggling: the gate’s cookies stay here, however the visitor packs them', async (t) => {
  const { gate, login } = await gateOfAda(t);
  const [pair] = login.cookie.split('; ');
  const packed = [
    `Cookie: a=1; ${pair}; b=2\r\n`,
    `Cookie: a=1\r\nCookie: ${pair}\r\ncookie: b=2\r\n`,
    `COOKIE:${pair};a=1\r\n`,
    `Cookie: a=1;\t ${pair} \t;b=2\r\n`,
    `Cookie: a="1; ${pair}; b=2"\r\n`,
    `Cookie: ${pair}; ${pair}; svc-auth-session=; svc-auth-session; __Host-svc-auth-bind=x; a=1\r\n`,
    `Cookie: a=1; svc-auth-session =${pair!.slice(17)}; ${pair}\r\n`,
  ];
  for (const lines of packed) {
    const { headers } = await askRaw(gate, `GET / HTTP/1.1\r\nHost: ${HOST}\r\n${lines}`);
    assert.deepEqual(valuesOf(headers, 'svc-auth-email'), ['ada@example.com'], lines);
    assert.ok(
      valuesOf(headers, 'cookie').every(
        (value) => !/svc-auth-(?:session|bind)\s*=/.test(value) && value.includes('a='),
      ),
      lines,
    );
    assert.ok(!headers.join().includes(pair!.slice(-43)), 'no part of the sealed text passes');
  }
});

async function gateOfAda(t: TestContext, settings: Partial<GateSettings> = {}) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const seen: Seen = { headers: request.rawHeaders, trailers: request.rawTrailers };
      response.setHeader('connection', 'close');
      response.end(JSON.stringify(seen));
    });
  });
  const target = `http://127.0.0.1:${await listen(server)}`;
  t.after(() => server.close());
  const share = testShare('demo', target, { login: testLogin() });
  const gate = await startTestGate({
    shares: [share, testShare('open', target)],
    settings,
    certificates: settings.tls === true ? [CERTIFICATE] : [],
  });
  t.after(gate.close);
  return { gate, share, login: gate.login(share) };
}

/** One request on its own connection; `head` without the empty line. What the backend saw of it. */
async function askRaw(gate: TestGate, head: string, body = ''): Promise<Seen> {
  const answer = await gate.raw(`${head}Connection: close\r\n\r\n${body}`, 5_000);
  assert.match(answer, /^HTTP\/1\.1 200 /, `${head.slice(0, 200)}\n${answer.slice(0, 400)}`);
  return seenIn(answer.slice(answer.indexOf('{"headers"')));
}

function seenIn(body: string): Seen {
  return JSON.parse(body) as Seen;
}

function assertOnlyAda({ headers, trailers }: Seen): void {
  assert.deepEqual(valuesOf(headers, 'svc-auth-email'), ['ada@example.com']);
  assert.deepEqual(valuesOf(headers, 'svc-auth-provider'), ['corp']);
  for (const name of [
    'svc-auth-expires',
    'svc-auth-assertion',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-real-ip',
  ])
    assert.equal(valuesOf(headers, name).length, 1, name);
  assert.equal(sayers(headers).length, 4, 'nothing else is like them');
  assertNotForged(headers, trailers);
}

function assertNobody({ headers, trailers }: Seen): void {
  assert.deepEqual(sayers(headers), []);
  assertNotForged(headers, trailers);
}

function assertNotForged(headers: readonly string[], trailers: readonly string[]): void {
  assert.deepEqual(
    [...headers, ...trailers].filter((text) => text.includes(FORGED)),
    [],
  );
}

/** The names that a backend could take for the gate's. */
function sayers(headers: readonly string[]): readonly string[] {
  return headers.filter((name, index) => index % 2 === 0 && /^svc[^a-z0-9]auth/i.test(name));
}

function valuesOf(headers: readonly string[], name: string): readonly string[] {
  return headers.filter((_, index) => index % 2 === 1 && headers[index - 1]!.toLowerCase() === name);
}
