// THREATS "Sibling shares": shares are same-site to each other, so the visitor's cookies come with whatever a
// page of one sends to another. What a page can send, header by header as browsers write it; Chromium itself
// is in test/e2e.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Share } from '../../src/domain/share.ts';
import { startTestGate, testLogin, testShare, type TestGate, type TestLogin } from '../support/gate.ts';
import { rawBackend, type RawBackend } from '../support/raw-backend.ts';

const HOST = 'demo.share.localhost';
const OWN = 'https://demo.share.localhost';
const SIBLING = 'https://evil.share.localhost';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

let backend: RawBackend;
let answer = OK;
let gate: TestGate;
let login: TestLogin;
let requests = 0;

before(async () => {
  backend = await rawBackend((socket) => {
    requests++;
    socket.write(answer, 'latin1');
  });
  const target = `http://127.0.0.1:${backend.port}`;
  const share: Share = testShare('demo', target, {
    login: testLogin(),
    allowOrigins: ['https://friend.share.localhost'],
  });
  gate = await startTestGate({
    shares: [share, testShare('open', target)],
    settings: {
      publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
      endpointUrl: 'https://auth.share.localhost',
    },
  });
  login = gate.login(share);
});
after(async () => {
  await gate.close();
  await backend.close();
});
beforeEach(() => {
  requests = 0;
  answer = OK;
});

type Headers = Readonly<Record<string, string>>;

async function send(method: string, headers: Headers, path = '/'): Promise<number> {
  return (await gate.call({ host: HOST, method, path, headers: { cookie: login.cookie, ...headers } }))
    .status;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
const NOT_NAVIGATIONS = [
  ...['cors', 'no-cors', 'same-origin', 'websocket', ''].flatMap((mode) =>
    [
      'empty',
      'image',
      'script',
      'style',
      'font',
      'audio',
      'video',
      'track',
      'manifest',
      'object',
      'embed',
      'report',
      'worker',
      'serviceworker',
      'document',
      'json',
      '',
    ].map((dest) => ({ mode, dest })),
  ),
  ...['iframe', 'frame', 'fencedframe', 'object', 'embed', 'empty', 'image', ''].map((dest) => ({
    mode: 'navigate',
    dest,
  })),
  { mode: 'nested-navigate', dest: 'document' },
];

describe('Sibling shares: what a page of one sends to another with the visitor’s cookies', () => {
  test('is refused whatever it is, but for a page that is opened as a whole', async () => {
    for (const site of [
      'same-site',
      'cross-site',
      '',
      'none, same-site',
      'SAME-ORIGIN',
      'same-origin, same-origin',
    ])
      for (const { mode, dest } of NOT_NAVIGATIONS)
        for (const method of ['GET', 'POST']) {
          const fetch = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
          assert.equal(await send(method, fetch), 403, `${method} ${JSON.stringify(fetch)}`);
        }
    assert.equal(requests, 0);
  });

  test('is refused as a page, too, when it would do something', async () => {
    const navigation = {
      'sec-fetch-site': 'same-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      'sec-fetch-user': '?1',
    };
    for (const method of METHODS) {
      const expected = method === 'GET' || method === 'HEAD' ? 200 : 403;
      assert.equal(await send(method, { ...navigation, origin: SIBLING }), expected, method);
      assert.equal(await send(method, navigation), expected, method);
    }
    assert.equal(await send('GET', { ...navigation, 'sec-purpose': 'prefetch' }), 403);
    assert.equal(await send('GET', { ...navigation, 'sec-purpose': 'prefetch;prerender' }), 403);
  });

  test('is told from the share’s own by its origin where a browser says no more', async () => {
    for (const origin of [
      SIBLING,
      'null',
      '',
      `${OWN}.evil.example`,
      'https://demo.share.localhost:444',
      'http://demo.share.localhost',
      `${OWN}/`,
      'HTTPS://demo.share.localhost',
      `${SIBLING}, ${OWN}`,
      `${OWN} ${SIBLING}`,
      'https://friend.share.localhost.evil.example',
      'https://FRIEND.share.localhost',
    ])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])
        assert.equal(await send(method, { origin }), 403, `${method} ${origin}`);
    assert.equal(requests, 0);
    for (const origin of [OWN, 'https://friend.share.localhost'])
      assert.equal(await send('POST', { origin }), 200, origin);
  });

  test('is not let in by headers that a page may choose', async () => {
    const chosen = {
      'x-requested-with': 'XMLHttpRequest',
      referer: `${OWN}/`,
      'x-csrf-token': 'x',
      'content-type': 'text/plain',
      accept: 'text/html',
      'x-forwarded-host': HOST,
      'x-http-method-override': 'GET',
    };
    assert.equal(await send('POST', { ...chosen, origin: SIBLING }), 403);
    assert.equal(
      await send('GET', {
        ...chosen,
        'sec-fetch-site': 'same-site',
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-dest': 'script',
      }),
      403,
    );
    assert.equal(requests, 0);
  });

  test('learns nothing: neither who is logged in, nor by what a refusal says to its scripts', async () => {
    const fetch = {
      'sec-fetch-site': 'same-site',
      'sec-fetch-mode': 'cors',
      'sec-fetch-dest': 'empty',
      origin: SIBLING,
    };
    for (const path of ['/.svc/session', '/', '/.svc/x']) {
      const { status, headers } = await gate.call({
        host: HOST,
        path,
        headers: { cookie: login.cookie, ...fetch },
      });
      assert.ok(status === 403 || status === 404, `${path} ${status}`);
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
    const withSession = await gate.call({ host: HOST, headers: { cookie: login.cookie, ...fetch } });
    const without = await gate.call({ host: HOST, headers: fetch });
    assert.equal(withSession.status, without.status, 'with and without a session alike');
  });

  test('gets no preflight answered, unless the share allows its origin', async () => {
    for (const origin of [
      SIBLING,
      'null',
      `${OWN}.evil.example`,
      'https://friend.share.localhost.evil.example',
      'https://xfriend.share.localhost',
    ]) {
      const { status, headers } = await gate.call({
        host: HOST,
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'x-a',
          'sec-fetch-site': 'same-site',
          'sec-fetch-mode': 'cors',
        },
      });
      assert.equal(status, 403, origin);
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
    assert.equal(requests, 0);
  });

  test('opens no WebSocket, whoever it says it is', async () => {
    for (const origin of [
      `Origin: ${SIBLING}\r\n`,
      'Origin: null\r\n',
      '',
      `Origin: ${SIBLING}\r\nOrigin: ${OWN}\r\n`,
      `Origin: ${OWN}:443\r\n`,
      'Origin:\r\n',
    ])
      for (const site of [
        '',
        'Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: websocket\r\n',
        'Sec-Fetch-Site: same-origin\r\n',
      ]) {
        const head = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${login.cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n`;
        assert.match(await gate.raw(`${head}${origin}${site}\r\n`, 3_000), /^HTTP\/1\.1 403 /, origin + site);
      }
    assert.equal(requests, 0);
  });
});

/** The Set-Cookie values that a visitor gets of one that a backend sets. */
async function setCookie(value: string): Promise<readonly string[]> {
  answer = `HTTP/1.1 200 OK\r\nSet-Cookie: ${value}\r\nContent-Length: 2\r\n\r\nok`;
  return (await gate.call({ host: 'open.share.localhost' })).headers['set-cookie'] ?? [];
}

describe('Sibling shares: what a backend answers', () => {
  test('sets none of the gate’s cookies, however their names are written', async () => {
    const names = [
      'svc-auth-session',
      'SVC-AUTH-SESSION',
      'Svc-Auth-Session',
      '__Host-svc-auth-bind',
      '__Host-svc-auth-bind-abcdef',
      '__HOST-svc-auth-bind',
      '__Host-svc-auth-browser',
    ];
    for (const name of names)
      for (const value of [
        `${name}=x`,
        ` ${name} =x`,
        `${name}\t=x; Path=/`,
        `=${name}=x`,
        `= ${name}=x; Path=/deep`,
        `==${name}=x`,
        `${name}`,
        `${name}=; Max-Age=0`,
        `;${name}=x`,
      ])
        assert.deepEqual(
          (await setCookie(value)).filter((each) => /^[\s=]*[_a-z-]*svc-auth/i.test(each)),
          [],
          value,
        );
  });

  test('sets no cookie for its siblings: a Domain that is wider than its host goes', async () => {
    for (const attribute of [
      'Domain=share.localhost',
      'Domain=.share.localhost',
      'domain=SHARE.localhost',
      'DOMAIN =share.localhost',
      ' Domain= share.localhost ',
      '\tdomain=\t.share.localhost',
      'Domain="share.localhost"',
      'Domain=localhost',
      'Domain=evil.share.localhost',
      'Domain=demo.share.localhost',
      'Domain=open.share.localhost.',
      'Domain=open.share.localhost; Domain=share.localhost',
      'Domain=share.localhost; Domain=open.share.localhost',
      'Domain=share.localhost=x',
      'Domain',
      'Domain=',
    ]) {
      const [cookie = ''] = await setCookie(`a=b; Path=/; ${attribute}; HttpOnly`);
      assert.match(cookie, /^a=b; Path=\/;/, attribute);
      const domains = cookie
        .split(';')
        .filter((each) => /^\s*domain\s*=/i.test(each))
        .map((each) => each.split('=')[1]?.trim().toLowerCase());
      assert.ok(
        domains.every((domain) => domain === 'open.share.localhost'),
        `${attribute} became ${cookie}`,
      );
    }
    const [own] = await setCookie('a=b; Domain=open.share.localhost; Secure');
    assert.equal(own, 'a=b; Domain=open.share.localhost; Secure', 'its own host may stand there');
  });

  test('neither clears the cookies of all, nor moves the host to another address', async () => {
    for (const value of [
      '"*"',
      '"cookies"',
      '"cookies", "storage"',
      '"COOKIES"',
      '"storage","cookies"',
      '*',
      'cookies',
      '"cache", "*"',
    ]) {
      answer = `HTTP/1.1 200 OK\r\nClear-Site-Data: ${value}\r\nclear-site-data: "cookies"\r\nAlt-Svc: h2="evil.example:443"; persist=1\r\nContent-Length: 2\r\n\r\nok`;
      const { headers } = await gate.call({ host: 'open.share.localhost' });
      assert.doesNotMatch(String(headers['clear-site-data']), /cookies|\*/i, value);
      assert.equal(headers['alt-svc'], undefined);
    }
  });

  test('does none of it in trailers, hints, or an answer that names its own headers as of this hop', async () => {
    const hostile =
      'Set-Cookie: svc-auth-session=x; Domain=share.localhost\r\nClear-Site-Data: "cookies"\r\nAlt-Svc: h2=":1"\r\n';
    answer = `HTTP/1.1 103 Early Hints\r\n${hostile}Link: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: x-frame-options\r\nTrailer: Set-Cookie\r\n\r\n2\r\nok\r\n0\r\n${hostile}X-Sum: 1\r\n\r\n`;
    const heard = await gate.raw(
      'GET / HTTP/1.1\r\nHost: open.share.localhost\r\nTE: trailers\r\nConnection: close\r\n\r\n',
    );
    assert.match(heard, /X-Sum: 1/i);
    assert.doesNotMatch(heard, /svc-auth-session=|clear-site-data|alt-svc/i);
  });
});
