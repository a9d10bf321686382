// THREATS "Path and host confusion": however an address is written, it leads to the one share that it names,
// under that share's own rules, or nowhere; and what is reserved never reaches a backend.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { makeCertificate } from '../support/certificate.ts';
import {
  callGate,
  startTestGate,
  testLogin,
  testShare,
  type TestGate,
  type TestLogin,
} from '../support/gate.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import { rawBackend, type RawBackend } from '../support/raw-backend.ts';
import { startTestService } from '../support/service.ts';

const HOST = 'demo.share.localhost';
const OPEN = 'open.share.localhost';
let backend: RawBackend;
let gate: TestGate;
let secure: TestGate;
let login: TestLogin;
let seenBefore = 0;

before(async () => {
  backend = await rawBackend((socket, head) => {
    const line = head.split('\r\n', 1)[0] ?? '';
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${line.length}\r\n\r\n${line}`, 'latin1');
  });
  const target = `http://127.0.0.1:${backend.port}`;
  const share = testShare('demo', target, { login: testLogin() });
  const shares = [share, testShare('open', target)];
  gate = await startTestGate({ shares });
  secure = await startTestGate({
    shares,
    settings: { tls: true, publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 } },
    certificates: [makeCertificate(['*.share.localhost'])],
  });
  login = gate.login(share);
});
after(async () => {
  await Promise.all([gate.close(), secure.close()]);
  await backend.close();
});
beforeEach(() => {
  seenBefore = received().length;
});

function received(): string {
  return backend.received.join('');
}

function assertNothingForwarded(about: string): void {
  assert.equal(received().slice(seenBefore), '', about);
}

/** Ways to write the protected share's host that may lead to it, and then under its own rules. */
const SAME = [
  HOST,
  HOST.toUpperCase(),
  'dEmO.ShArE.lOcAlHoSt',
  `${HOST}.`,
  `${HOST}:80`,
  `${HOST}:65535`,
  `${HOST}.:1`,
];
/** Hosts that look like one of the shares, and are none. */
const OTHERS = [
  `x${HOST}`,
  `x.${HOST}`,
  `.${HOST}`,
  `${HOST}..`,
  `${HOST}.evil.example`,
  `${HOST}x`,
  `${HOST}:`,
  `${HOST}:0`,
  `${HOST}:80:80`,
  `${HOST}:080`,
  `${HOST}:80@${OPEN}`,
  `${HOST}@${OPEN}`,
  `${OPEN}@${HOST}`,
  `${HOST}:x@${OPEN}`,
  `${HOST}#${OPEN}`,
  `${HOST}?${OPEN}`,
  `${HOST}/${OPEN}`,
  `${HOST}\\${OPEN}`,
  `${HOST}, ${OPEN}`,
  `${HOST} ${OPEN}`,
  `${HOST}\t`,
  `${HOST}%00`,
  `${HOST}%2e`,
  `demo%2eshare.localhost`,
  `${HOST};`,
  `"${HOST}"`,
  `[${HOST}]`,
  `demo\xe9.share.localhost`,
  'd\xe9mo.share.localhost',
  'xn--demo-.share.localhost',
  'share.localhost',
  'localhost',
  '*.share.localhost',
  '*',
  '127.0.0.1',
  '[::1]',
  '[::1',
  '2130706433',
  'demo',
  'demo.share',
  'share.localhost.demo',
];

describe('Path and host confusion: hosts', () => {
  test('every spelling of a share’s host has the rules of that share', async () => {
    for (const host of SAME) {
      assert.match(await ask(`GET / HTTP/1.1\r\nHost: ${host}\r\n`), /^HTTP\/1\.1 302 /, host);
      assertNothingForwarded(host);
    }
    for (const host of SAME)
      assert.match(
        await ask(`GET /in HTTP/1.1\r\nHost: ${host}\r\nCookie: ${login.cookie}\r\n`),
        /GET \/in HTTP/,
        host,
      );
  });

  test('what only looks like a share’s host is none, with a session or without', async () => {
    for (const host of OTHERS)
      for (const cookie of ['', `Cookie: ${login.cookie}\r\n`]) {
        const answer = await ask(`GET / HTTP/1.1\r\nHost: ${host}\r\n${cookie}`);
        // A blank at the end of a header is none of the value.
        const expected = host.trim() === HOST ? /^HTTP\/1\.1 (?:302|200) / : /^HTTP\/1\.1 40[04] /;
        assert.match(answer, expected, `${host}: ${answer.slice(0, 200)}`);
      }
  });

  test('a target that names a host counts only when it names the same', async () => {
    for (const target of [
      `http://${OPEN}/`,
      `https://${OPEN}/`,
      `http://${OPEN}:80/`,
      `http://${HOST}@${OPEN}/`,
      `http://${OPEN}\\@${HOST}/`,
      `http:///${OPEN}/`,
      `//${OPEN}/x`,
      `http:/${HOST}/`,
      `ws://${HOST}/`,
      `${HOST}:80`,
    ]) {
      const answer = await ask(`GET ${target} HTTP/1.1\r\nHost: ${HOST}\r\n`);
      // Two slashes begin an ordinary path.
      assert.match(answer, target.startsWith('//') ? /^HTTP\/1\.1 302 / : /^HTTP\/1\.1 400 /, target);
      assertNothingForwarded(target);
    }
    assert.match(
      await ask(
        `GET HTTP://${HOST.toUpperCase()}:1/x?y HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${login.cookie}\r\n`,
      ),
      /GET \/x\?y HTTP\/1\.1$/,
    );
  });

  test('over HTTP/2 the authority decides, not the name of the TLS connection', async (t) => {
    const visitor = await openHttp2(t, secure.port, OPEN);
    assert.equal((await visitor.ask({ ':authority': OPEN })).status, 200);
    seenBefore = received().length;
    for (const authority of SAME)
      assert.equal((await visitor.ask({ ':authority': authority })).status, 302, authority);
    for (const headers of [
      { ':authority': HOST, host: OPEN },
      { ':authority': OPEN, host: HOST },
    ]) {
      const another = await openHttp2(t, secure.port, OPEN);
      assert.equal((await another.ask(headers)).status, 400);
    }
    assertNothingForwarded('HTTP/2');
  });

  test('the hosts of the service itself are no share’s, and a control API on a port of its own is not behind the public one', async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    for (const host of ['login.share.localhost', 'LOGIN.share.localhost.', 'login.share.localhost:1'])
      assert.equal(
        (await callGate(service.ports.gateway, { host, path: '/.well-known/jwks.json' })).status,
        200,
        host,
      );
    for (const host of [
      '127.0.0.1',
      `127.0.0.1:${service.ports.control}`,
      'localhost',
      `[::1]:${service.ports.control}`,
    ]) {
      const answer = await callGate(service.ports.gateway, {
        host,
        path: '/v1/shares',
        headers: { authorization: `Bearer ${service.apiKey}` },
      });
      assert.equal(answer.status, 404, host);
      assert.match(answer.body, /share_unknown/);
    }
    for (const path of [
      '/corp/login/',
      '//corp/login',
      '/corp//login',
      '/corp/login/../login',
      '/corp/%6cogin',
      '/CORP/login',
      '/corp/login;x',
      '/corp/auth/callback/',
      '/../corp/login',
      '/corp\\login',
    ])
      assert.equal(
        (await callGate(service.ports.gateway, { host: 'login.share.localhost', path })).status,
        404,
        path,
      );
  });
});

describe('Path and host confusion: paths', () => {
  const paths = [
    '/ // /. /.. /../.. /%2e%2e/ /a/..%2f..%2f /a%00b /a;b /a?b=/public /a? /?a?b /a\\b /% /%zz',
    '/%c0%af /a%23b /a%3fb /public/../admin /.well-known/acme-challenge/x /a//b /a/./b /* /a@b',
    '/a:b /a\'b /a"b /<a> /{a} /a|b /a^b /a`b /~a /!a$&()*+,=:@',
  ].flatMap((some) => some.split(' '));

  test('no path of a protected share is free', async () => {
    for (const path of paths) {
      assert.match(await ask(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n`), /^HTTP\/1\.1 302 /, path);
      assertNothingForwarded(path);
    }
  });

  test('a path reaches the backend byte for byte as it was decided about', async () => {
    for (const path of paths) {
      const answer = await ask(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${login.cookie}\r\n`);
      assert.equal(answer.slice(answer.indexOf('\r\n\r\n') + 4), `GET ${path} HTTP/1.1`);
    }
  });

  test('what no path has is refused: fragments, blanks, control characters, bytes beyond ASCII', async () => {
    for (const path of [
      '/a#b',
      '/#',
      '/a b',
      '/a\tb',
      '/a\x0bb',
      '/a\x7f',
      '/\x01',
      '/\xe9',
      '/a\0',
      'a',
      '?a',
      '#',
      '.',
      '..',
      '\\',
      '/a\rb',
      '*',
      'http:',
      'javascript:alert(1)',
    ]) {
      assert.match(
        await ask(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${login.cookie}\r\n`),
        /^HTTP\/1\.1 400 /,
        JSON.stringify(path),
      );
      assertNothingForwarded(path);
    }
  });

  test('no spelling of a reserved path reaches a backend (property)', async () => {
    const spelt = fc
      .constantFrom('/.svc', '/.svc/', '/.svc/other', '/.svc/session/x', '/.svc/logout/')
      .chain((path) => fc.tuple(...Array.from(path, spellings)))
      .map((pieces) => pieces.join(''))
      // A target begins with a slash that is written as one.
      .map((path) => (path.startsWith('/') ? path : `/${path}`));
    await fc.assert(
      fc.asyncProperty(spelt, fc.constantFrom('', '?a=b', '?/'), async (path, query) => {
        for (const host of [HOST, OPEN]) {
          const answer = await ask(
            `GET ${path}${query} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${login.cookie}\r\n`,
          );
          assert.match(answer, /^HTTP\/1\.1 404 /, path);
        }
        assertNothingForwarded(path);
      }),
      { numRuns: 150 },
    );
  });

  test('reserved paths are not reached through the absolute form, HTTP/2, or another method either', async (t) => {
    const visitor = await openHttp2(t, secure.port, OPEN);
    for (const path of ['/.svc/x', '/%2esvc/x', '/a/../.svc/x', '/.svc%2Fx']) {
      assert.match(await ask(`GET http://${OPEN}${path} HTTP/1.1\r\nHost: ${OPEN}\r\n`), /^HTTP\/1\.1 404 /);
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE', 'PROPFIND', 'TRACE'])
        assert.equal(
          (await visitor.ask({ ':authority': OPEN, ':path': path, ':method': method })).status,
          404,
          `${method} ${path}`,
        );
    }
    assertNothingForwarded('reserved');
  });
});

/** A character of a path in every way that some reader takes for it. */
function spellings(char: string) {
  const hex = char.charCodeAt(0).toString(16);
  const forms = [char, `%${hex}`, `%${hex.toUpperCase()}`];
  return fc.constantFrom(...(char === '/' ? [...forms, ...SLASHES] : forms));
}

const SLASHES = ['\\', '%5c', '//', '/./', '/%2e/', '/x/../', '/;a=b/'];

/** One request on its own connection; `head` without the empty line. */
function ask(head: string): Promise<string> {
  return gate.raw(`${head}Connection: close\r\n\r\n`, 3_000);
}

test('a rule that denies a path denies what many backends take for it, in any case and with a slash at its end', async () => {
  const denied = testShare('denied', `http://127.0.0.1:${backend.port}`, {
    rules: [{ allow: { everyone: true } }, { deny: { paths: ['/admin', '/Reports/*'] } }],
  });
  gate.tell({ type: 'shares', upsert: [denied], remove: [] });
  const host = 'denied.share.localhost';
  const statusOf = async (path: string) => (await callGate(gate.port, { host, path })).status;
  for (const path of ['/admin', '/ADMIN', '/Admin/', '/reports', '/REPORTS/2030', '/reports/'])
    assert.equal(await statusOf(path), 403, path);
  assertNothingForwarded('denied');
  for (const path of ['/', '/admin/users', '/administrator', '/reportsx'])
    assert.equal(await statusOf(path), 200, path);
  gate.tell({ type: 'shares', upsert: [], remove: [denied.id] });
});
