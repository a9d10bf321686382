// docs/how-to/forward-auth.md with real proxies: the files of examples/forward-auth/, a running service, and
// Chromium. What a visitor may try is tried through each.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { REAL_PROXIES, programOf } from '../support/asking-proxy.ts';
import { type BehindRig, startBehind } from '../support/behind-rig.ts';
import { type Browser, createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { logIn, startChromium, type TestChromium } from '../support/chromium.ts';
import type { Echo, EchoBackend } from '../support/echo-backend.ts';
import { OWN_FETCH, PAGE_LOAD, PROXY_SECRET } from '../support/forward-auth.ts';
import { eventually, logOf } from '../support/serve-process.ts';
import type { ServiceProcess } from '../support/service-process.ts';

const EMAIL = 'ada@example.com';
const CLAIMS: Readonly<Record<string, string>> = {
  'svc-auth-email': 'root@example.com',
  'Svc-Auth-Provider': 'root',
  svc_auth_email: 'root@example.com',
  'svc-auth_email': 'root@example.com',
  SVC_AUTH_EMAIL: 'root@example.com',
  'svc.auth.email': 'root@example.com',
  'svc-auth-groups': 'root',
  'svc-auth-cert-subject': 'CN=root',
  'svc-auth-assertion': 'root',
};

/** What apps read of the way to them, and of users and certificates where other products stand in front. */
const FORWARDING: readonly string[] = (
  'forwarded x-real-ip x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-port x-forwarded-server ' +
  'x-forwarded-scheme x-forwarded-ssl x-forwarded-prefix x-forwarded-uri x-forwarded-method x-forwarded-by ' +
  'x-forwarded-user x-forwarded-email x-forwarded-groups x-forwarded-preferred-username ' +
  'x-forwarded-access-token x-forwarded-client-cert x-forwarded-tls-client-cert x-forwarded-tls-client-cert-info ' +
  'client-cert client-cert-chain x-ssl-client-cert x-ssl-client-verify x-ssl-client-dn'
).split(' ');

for (const proxy of REAL_PROXIES)
  describe(`${proxy} asks`, { skip: programOf(proxy) === null ? `${proxy} is not installed` : false }, () => {
    let rig: BehindRig;
    let service: ServiceProcess;
    let backend: EchoBackend;
    let chromium: TestChromium;
    let port = 0;
    let ca = '';
    let url = '';

    before(async () => {
      rig = await startBehind(proxy, {
        share: {
          oauthProvider: 'corp',
          oauthEmailAddressPatterns: ['*@example.com'],
          rules: [{ allow: { tokens: ['deploy-*'] } }],
        },
      });
      ({ service, backend, port, ca, url } = rig);
      chromium = await startChromium({ ca, folder: service.folder });
    });
    after(async () => {
      await chromium?.close();
      await rig?.close();
    });

    const loggedIn = async (): Promise<Browser> => {
      const browser = createBrowser({ ca });
      const { last } = await walkLogin(browser, `${url}/`, { email: EMAIL });
      assert.equal(last.status, 200, last.body.slice(0, 300));
      return browser;
    };

    test(`${proxy}: login in Chromium, back at the address with its query, identity, logout`, async (t) => {
      const { page, profile } = await chromium.visitor(t);
      const wanted = `${url}/reports?year=2026&q=a%20b`;
      await page.goto(wanted);
      assert.equal(new URL(page.url()).origin, service.idp.issuer);
      await logIn(page, EMAIL);
      await page.waitForURL(wanted);
      const echo = JSON.parse(await page.locator('body').innerText()) as Echo;
      assert.equal(echo.target, '/reports?year=2026&q=a%20b');
      assert.equal(echo.headers['svc-auth-provider'], 'corp');
      assert.equal(echo.headers['svc-auth-email'], EMAIL);
      assert.match(String(echo.headers['svc-auth-assertion']), /^[\w-]+\.[\w-]+\.[\w-]+$/);
      assert.doesNotMatch(String(echo.headers.cookie ?? ''), /svc-auth/);
      assert.doesNotMatch(JSON.stringify(echo.headers), new RegExp(PROXY_SECRET));
      const session = await page.evaluate<number>(`fetch('/.svc/session').then((answer) => answer.status)`);
      assert.equal(session, 200);
      const posted = await page.evaluate<string>(
        `fetch('/save', { method: 'POST', body: 'a body' }).then((answer) => answer.text())`,
      );
      assert.equal((JSON.parse(posted) as Echo).body, 'a body');
      await page.goto(`${url}/.svc/logout`);
      await page.locator('input[name=email]').waitFor();
      const cookies = await profile.cookies(url);
      assert.deepEqual(
        cookies.filter(({ name }) => name === 'svc-auth-session'),
        [],
      );
    });

    test(`${proxy}: without a session nothing reaches the app: a page load, a POST, a fetch, a WebSocket`, async () => {
      const browser = createBrowser({ ca });
      const seen = backend.seen.length;
      const at = (init: object) => browser.request(`${url}/x`, init);
      assert.equal((await at({ headers: PAGE_LOAD })).status, 302);
      const fetched = await at({ headers: OWN_FETCH });
      assert.equal(fetched.status, 401);
      assert.equal((JSON.parse(fetched.body) as { code: string }).code, 'login_required');
      assert.equal((await at({ method: 'POST', headers: OWN_FETCH, body: 'x=y' })).status, 401);
      const form = { ...PAGE_LOAD, 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' };
      assert.equal((await at({ method: 'POST', headers: form, body: 'x=y' })).status, 303);
      const socket = new WebSocket(`wss://127.0.0.1:${port}/ws`, socketOptions({ origin: url }));
      const [, refused] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
      assert.equal(refused.statusCode, 401);
      assert.equal(backend.seen.length, seen);
    });

    test(`${proxy}: a WebSocket opens with a session, and not from another site`, async () => {
      const { jar } = await loggedIn();
      const cookie = jar.header(new URL(url)) ?? '';
      const fetched = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'websocket' };
      const socket = new WebSocket(
        `wss://127.0.0.1:${port}/ws`,
        socketOptions({ cookie, origin: url, ...fetched }),
      );
      await once(socket, 'open');
      socket.send('hello');
      const [echoed] = (await once(socket, 'message')) as [Buffer];
      assert.equal(echoed.toString(), 'hello');
      socket.close();
      const foreign = new WebSocket(
        `wss://127.0.0.1:${port}/ws`,
        socketOptions({
          cookie,
          origin: `https://other.share.localhost:${port}`,
          'sec-fetch-site': 'same-site',
        }),
      );
      const [, refused] = (await once(foreign, 'unexpected-response')) as [unknown, { statusCode: number }];
      assert.equal(refused.statusCode, 403);
    });

    test(`${proxy}: identity headers of a visitor reach the app in no spelling`, async () => {
      const browser = await loggedIn();
      const { headers } = echoOf(await browser.request(`${url}/`, { headers: { ...PAGE_LOAD, ...CLAIMS } }));
      assert.equal(headers['svc-auth-email'], EMAIL);
      assert.equal(headers['svc-auth-provider'], 'corp');
      assert.doesNotMatch(JSON.stringify(headers), /root/);
      const nominated = { ...PAGE_LOAD, connection: 'close, svc-auth-email, cookie' };
      const answer = await browser.request(`${url}/`, { headers: nominated });
      // Envoy and Traefik take away what is named there before they ask: nobody is logged in then.
      if (proxy === 'envoy' || proxy === 'traefik') assert.equal(answer.status, 302);
      else assert.equal(echoOf(answer).headers['svc-auth-email'], EMAIL);
    });

    test(`${proxy}: names in any of the Connection headers take no identity away`, async () => {
      const { jar } = await loggedIn();
      const headers = { cookie: jar.header(new URL(url)) ?? '', ...PAGE_LOAD };
      for (const connection of [
        ['upgrade', 'close, svc-auth-email'],
        ['close, svc-auth-email', 'upgrade'],
        ['keep-alive, upgrade', 'svc-auth-email', 'close'],
        ['upgrade, svc-auth-email', 'close'],
      ]) {
        const { echo, answer } = await reached({ target: '/', headers, connection });
        // Who sends such a thing may be refused for it.
        if (echo === null) assert.match(answer, /^HTTP\/1\.1 4/, String(connection));
        else assert.equal(echo?.headers['svc-auth-email'], EMAIL, String(connection));
      }
    });

    test(`${proxy}: a connection goes over to no protocol but WebSocket, or what it says then nobody is asked about`, async () => {
      const { jar } = await loggedIn();
      const cookie = jar.header(new URL(url)) ?? '';
      for (const upgrade of [
        'h2c',
        'H2C',
        'h2c, websocket',
        'websocket, h2c',
        'TLS/1.0',
        'websocket/13 h2c',
      ]) {
        const settings = { 'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA' };
        const headers = { cookie, ...PAGE_LOAD, upgrade, ...settings };
        for (const connection of ['Upgrade', 'Upgrade, HTTP2-Settings', 'keep-alive, Upgrade'])
          for (const more of [{}, { Upgrade: 'websocket' }]) {
            const what = `${connection}: ${upgrade} ${JSON.stringify(more)}`;
            const asked = { target: '/', headers: { ...headers, ...more }, connection: [connection] };
            const { answer, echo } = await reached({ ...asked, untilAnswer: true });
            assert.doesNotMatch(answer, /^HTTP\/1\.1 101/, what);
            assert.notEqual(echo?.method, 'UPGRADE', what);
            assert.match(echo?.headers.upgrade ?? 'websocket', /^websocket$/, what);
          }
      }
    });

    test(`${proxy}: what a visitor says of the request counts for nothing`, async () => {
      const browser = await loggedIn();
      const said = {
        ...PAGE_LOAD,
        'x-forwarded-for': '10.0.0.1',
        'x-forwarded-host': 'other.share.localhost',
        'x-forwarded-proto': 'http',
        'x-forwarded-uri': '/.svc/x',
        'x-forwarded-method': 'DELETE',
        'x-original-uri': '/free',
        'x-original-url': `https://other.share.localhost:${port}/`,
        'x-original-method': 'DELETE',
        'x-http-method-override': 'DELETE',
        'x-rewrite-url': '/free',
        'x-ssl-client-cert': 'x',
        'svc-auth-secret': 'x',
      };
      const answer = await browser.request(`${url}/told?of`, { headers: said });
      assert.equal(answer.status, 200, answer.body.slice(0, 300));
      const { target, method, headers } = echoOf(answer);
      assert.deepEqual([target, method], ['/told?of', 'GET']);
      for (const name of [
        'x-original-uri',
        'x-original-url',
        'x-original-method',
        'x-http-method-override',
        'x-rewrite-url',
        'x-ssl-client-cert',
        'svc-auth-secret',
      ])
        assert.ok(headers[name] === undefined || headers[name] === '', name);
      const line = await eventually('the log', () =>
        logOf(service).find(({ msg, path }) => msg === 'request' && path === '/told'),
      );
      assert.deepEqual([line['method'], line['authorized']], ['GET', true]);
      // Of what comes over loopback, Envoy says its own address.
      if (proxy === 'envoy') assert.notEqual(line['ip'], '10.0.0.1');
      else assert.equal(line['ip'], '127.0.0.1');
    });

    test(`${proxy}: what a visitor says of proxies, users and certificates reaches the app in no spelling`, async () => {
      const browser = await loggedIn();
      // One name at a time: all of them would be more than a proxy takes.
      for (const name of FORWARDING) {
        const spellings = [
          name,
          name.toUpperCase(),
          name.replaceAll('-', '_'),
          name.replaceAll('-', '.'),
          name.replace('-', '_'),
          name.replace(/-(?=[^-]*$)/, '_'),
        ];
        const forged = Object.fromEntries(spellings.map((spelling) => [spelling, 'forged']));
        const answer = await browser.request(`${url}/`, { headers: { ...PAGE_LOAD, ...forged } });
        assert.equal(answer.status, 200, answer.body.slice(0, 300));
        const { headers } = echoOf(answer);
        const passed = Object.entries(headers).filter(([, value]) => String(value).includes('forged'));
        assert.deepEqual(passed, []);
        assert.match(String(headers['x-forwarded-proto'] ?? 'https'), /^https$/);
      }
    });

    test(`${proxy}: the endpoint is nobody's to ask through it`, async () => {
      const browser = await loggedIn();
      for (const path of [
        '/.svc/authorize/nginx',
        '/.svc/authorize/nginx/answer',
        '/.svc/authorize/caddy',
        '/.svc/authorize/envoy/',
        '/%2esvc/authorize/traefik',
        '/.svc//authorize/traefik',
      ]) {
        const answer = await raw({
          target: path,
          headers: { cookie: browser.jar.header(new URL(url)) ?? '', ...PAGE_LOAD, ...QUESTION },
        });
        assert.doesNotMatch(answer, /^HTTP\/1\.1 2/, path);
        assert.doesNotMatch(answer, /svc-auth-(?:email|assertion)/i, path);
      }
    });

    test(`${proxy}: host, path and method are read as the app reads them, or refused`, async () => {
      const { jar } = await loggedIn();
      const headers = { cookie: jar.header(new URL(url)) ?? '', ...PAGE_LOAD };
      for (const target of ['//x', '/a%2Fb', '/a/../b', '/a;b', '/a/%2e%2e/b', '/a\\b']) {
        const { echo } = await reached({ target, headers });
        if (echo !== null) assert.equal(echo?.headers['svc-auth-email'], EMAIL, target);
      }
      for (const host of [`login.share.localhost:${port}`, 'evil.example', `other.share.localhost:${port}`]) {
        const absolute = await reached({ target: `https://app.share.localhost:${port}/abs`, headers, host });
        if (absolute.echo !== null) {
          assert.equal(absolute.echo?.headers['svc-auth-email'], EMAIL, host);
          assert.doesNotMatch(String(absolute.echo?.headers.host), /evil|login|other/, host);
        }
        const other = await reached({ target: `https://${host}/abs`, headers });
        if (other.echo !== null) assert.match(String(other.echo?.headers.host), /^app\./, host);
      }
      for (const target of ['/.svc', '/%2e%73vc/session', '/x/../.svc/session'])
        assert.equal((await reached({ target, headers })).echo, null, target);
      const long = await reached({ target: '/', headers: { ...headers, 'x-long': 'x'.repeat(65_536) } });
      assert.equal(long.echo, null);
      const smuggled = await reached({
        target: '/',
        method: 'POST',
        headers: { ...PAGE_LOAD, 'content-length': '60' },
        body: 'GET /.svc/authorize/traefik HTTP/1.1\r\nHost: a\r\nX-Pad: xxxxxx\r\n\r\n',
      });
      assert.equal(smuggled.echo, null);
    });

    test(`${proxy}: whoever another share lets in does not reach this app by that share's name`, async () => {
      const forAll = { allow: { everyone: true, paths: ['/admin'] } } as const;
      await service.client.shares.create({ name: 'other', behind: true, rules: [forAll] });
      const host = `other.share.localhost:${port}`;
      for (const request of [
        { target: '/admin', host },
        { target: '/admin', host: 'other.share.localhost' },
        { target: '/admin', host: 'OTHER.share.localhost.' },
        { target: `https://${host}/admin`, host },
        { target: `https://${host}/admin` },
        { target: `https://app.share.localhost:${port}/admin`, host },
      ]) {
        const { answer, echo } = await reached({ ...request, headers: PAGE_LOAD });
        assert.equal(echo, null, `${JSON.stringify(request)}: ${answer.slice(0, 100)}`);
      }
    });

    test(`${proxy}: a refused address gets the page, and an ended session nothing`, async () => {
      const refused = createBrowser({ ca });
      const { last } = await walkLogin(refused, `${url}/`, { email: 'eve@evil.example' });
      assert.equal(last.status, 403);
      assert.match(last.body, /does not have access/);
      const browser = await loggedIn();
      const sessions = await service.client.sessions.list({});
      for (const { id } of sessions.items) await service.client.sessions.end(id);
      const answer = await eventually('the session ends', async () => {
        const next = await browser.open(`${url}/`);
        return next.status === 302 ? next : null;
      });
      assert.equal(answer.location?.hostname, 'login.share.localhost');
    });

    test(`${proxy}: a service token lets a program in, and reaches no app`, async () => {
      const { token } = await service.client.serviceTokens.create({
        name: 'deploy-bot',
        shares: ['app'],
        expiresIn: '1h',
      });
      const program = createBrowser({ ca });
      for (const headers of [{ 'svc-auth-token': token }, { authorization: `Bearer ${token}` }]) {
        const answer = await program.request(`${url}/deploy`, { method: 'POST', headers, body: 'x' });
        assert.equal(answer.status, 200, answer.body);
        const echo = echoOf(answer);
        assert.equal(echo.headers['svc-auth-provider'], 'token');
        assert.equal(echo.headers['svc-auth-subject'], 'deploy-bot');
        assert.doesNotMatch(JSON.stringify(echo.headers), /dws_/);
      }
      const wrong = await program.request(`${url}/deploy`, { headers: { 'svc-auth-token': `${token}x` } });
      assert.equal(wrong.status, 401);
    });

    function socketOptions(headers: Readonly<Record<string, string>>) {
      return {
        agent: new Agent({ ca, servername: 'app.share.localhost' }),
        headers: { host: `app.share.localhost:${port}`, ...headers },
      };
    }

    type RawRequest = {
      readonly target: string;
      readonly method?: string;
      readonly host?: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly connection?: readonly string[];
      /** Not until the proxy closes. */
      readonly untilAnswer?: boolean;
    };

    /** What came back, and what reached the app, if anything did. */
    async function reached(request: RawRequest) {
      const seen = backend.seen.length;
      const answer = await raw(request);
      return { answer, echo: backend.seen.length > seen ? backend.seen.at(-1) : null };
    }

    /** Bytes as they are; all that came back until the proxy closed. */
    async function raw(request: RawRequest): Promise<string> {
      const { target, method = 'GET', host, headers, body = '', connection = ['close'] } = request;
      const socket = connectTls({ host: '127.0.0.1', port, ca, servername: 'app.share.localhost' });
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const given = host ?? `app.share.localhost:${port}`;
      lines.push(...connection.map((value) => `Connection: ${value}\r\n`));
      socket.on('error', () => {});
      socket.write(`${method} ${target} HTTP/1.1\r\nHost: ${given}\r\n${lines.join('')}\r\n${body}`);
      if (request.untilAnswer === true) socket.once('data', () => socket.end());
      return await text(socket).catch(() => '');
    }
  });

function echoOf({ body }: { readonly body: string }): Echo {
  return JSON.parse(body) as Echo;
}

/** A question, as a visitor may write one. */
const QUESTION: Readonly<Record<string, string>> = {
  'x-original-method': 'GET',
  'x-original-uri': '/',
  'x-forwarded-method': 'GET',
  'x-forwarded-uri': '/',
  'x-forwarded-host': 'app.share.localhost',
  'x-forwarded-proto': 'https',
  'x-forwarded-for': '10.0.0.1',
  'svc-auth-secret': 'guessed-by-a-visitor-of-thirty-two-characters',
};
