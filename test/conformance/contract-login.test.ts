// Contract 5.1, 4.1, 2.5 and 2.6 through the whole service: the login point by point for each provider type,
// all three on one OAuth frontend, and the headers that the backend gets.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { walkLogin } from '../support/browser-by-hand.ts';
import type { Echo } from '../support/echo-backend.ts';
import { loggedIn, startThreeProviders, type ThreeProviders } from '../support/three-providers.ts';

const COOKIE = 'svc-auth-session';
const HEADERS = ['svc-auth-provider', 'svc-auth-email', 'svc-auth-expires'] as const;
/** As `session_lifetime` of the service under test. */
const LIFETIME_MS = 6 * 60 * 60 * 1000;

let three: ThreeProviders;
before(async () => {
  three = await startThreeProviders();
});
after(() => three?.close());

for (const type of ['oidc', 'google', 'github'] as const) {
  describe(`login with ${type}`, () => {
    const at = () => {
      const provider = three.types.find((each) => each.type === type);
      assert.ok(provider);
      return provider;
    };
    const share = (name: string, patterns: readonly string[] = []) =>
      three.service.share(`${type}-${name}`, {
        oauthProvider: at().name,
        oauthEmailAddressPatterns: patterns,
      });

    test(`${type}: without a cookie the share leads to the login page of the provider it names (3 row 1; 5.1 points 1 to 3)`, async () => {
      const browser = three.service.browser();
      const { url } = await share('start');
      const first = await browser.open(url);
      assert.equal(first.status, 302);
      assert.equal(first.location?.pathname, `/${at().name}/login`);
      const { last } = await browser.follow(first.location);
      assert.equal(last.url.origin, at().origin);
      assert.match(last.body, /<form/);
    });

    test(`${type}: the provider gets the OAuth frontend as redirect URL, and the client's own settings (2.1 endpoint_url; 2.2; 5.1 points 5 and 9)`, async () => {
      await loggedIn(three.service, await share('redirect'));
      const asked = at().authorizations().at(-1);
      assert.equal(asked?.get('redirect_uri'), `${three.service.endpointUrl}/${at().name}/auth/callback`);
      assert.equal(asked.get('client_id'), 'doorward');
      assert.equal(asked.get('code_challenge_method'), 'S256');
      assert.deepEqual(at().violations(), []);
    });

    test(`${type}: the callback makes the session, sets the cookie and redirects to the original address (4.1; 3 rows 2 and 3; 5.1 points 4 to 8)`, async () => {
      const { url } = await share('callback', ['*@example.com']);
      const browser = three.service.browser();
      const wanted = `${url}/deep/page?year=2026&q=a%20b`;
      const { answers, last } = await walkLogin(browser, wanted, { email: 'ada@example.com' });
      // One that gave no refresh token is asked once more, with consent.
      const callback = answers.findLast((each) => each.url.pathname === `/${at().name}/auth/callback`);
      assert.ok(callback);
      assert.equal(callback.url.origin, three.service.endpointUrl);
      assert.equal(callback.status, 302);
      assert.equal(callback.location?.href, wanted);
      assert.ok(callback.setCookies.some((line) => line.startsWith(`${COOKIE}=`)));
      assert.equal(last.url.href, wanted);
      assert.equal((JSON.parse(last.body) as Echo).target, '/deep/page?year=2026&q=a%20b');
    });

    test(`${type}: the backend gets provider, email and expiry on every request (2.6; 3 row 5)`, async () => {
      const made = await share('headers');
      const startedAt = Date.now();
      const { browser, echo } = await loggedIn(three.service, made, { email: 'Ada.L@example.com' });
      assert.equal(echo.headers['svc-auth-provider'], at().name);
      assert.equal(echo.headers['svc-auth-email'], 'Ada.L@example.com');
      const expires = String(echo.headers['svc-auth-expires']);
      assert.match(expires, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      const lifetime = Date.parse(expires) - startedAt;
      assert.ok(lifetime > LIFETIME_MS - 60_000 && lifetime <= LIFETIME_MS + 1000, String(lifetime));
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        await browser.request(`${made.url}/by-method`, { method, headers: { origin: made.url } });
        const seen = three.service.backend.seen.at(-1);
        assert.equal(seen?.method, method);
        for (const name of HEADERS) assert.equal(seen.headers[name], echo.headers[name], `${method} ${name}`);
      }
    });

    test(`${type}: an address that matches any one pattern gets in; globs are of the whole address (2.3; 5.1 point 7)`, async () => {
      const { url } = await share('patterns', ['*@corp.example', 'grace@*']);
      for (const email of ['ada@corp.example', 'grace@anywhere.example'])
        assert.equal((await walkLogin(three.service.browser(), url, { email })).last.status, 200, email);
    });

    test(`${type}: an address that matches no pattern gets no session, and a page that says so (3 row 4; 7)`, async () => {
      const { url } = await share('refused', ['*@corp.example', 'grace@*']);
      for (const email of ['ada@corp.example.evil.test', 'ada@example.com', 'xgrace@example.com']) {
        const browser = three.service.browser();
        const { last } = await walkLogin(browser, url, { email });
        assert.equal(last.status, 403);
        assert.ok(last.body.includes(email));
        assert.equal(browser.jar.find(COOKIE), undefined);
        assert.equal((await browser.open(url)).status, 302);
      }
    });
  });
}

test('the callback is for GET, at /<provider_name>/auth/callback of a configured provider (4.1)', async () => {
  const browser = three.service.browser();
  for (const { name } of three.types) {
    const url = `${three.service.endpointUrl}/${name}/auth/callback`;
    assert.equal((await browser.request(url, { method: 'POST' })).status, 405);
    assert.equal((await browser.request(url)).status, 400, 'without what a provider sends');
  }
  const nobody = await browser.request(`${three.service.endpointUrl}/nobody/auth/callback`);
  assert.equal(nobody.status, 404);
});

test('several providers on one OAuth frontend: each share goes to its own, in one browser (1 point 1; 2.1 providers; 2.3 --oauth-provider)', async () => {
  const browser = three.service.browser();
  for (const { name } of three.types) {
    const share = await three.service.share(`many-${name}`, { oauthProvider: name });
    const { echo } = await loggedIn(three.service, share, { browser });
    assert.equal(echo.headers['svc-auth-provider'], name);
  }
  for (const { name } of three.types) {
    const again = await browser.open(`http://many-${name}.share.localhost:${three.service.ports.gateway}/`);
    assert.equal((JSON.parse(again.body) as Echo).headers['svc-auth-provider'], name);
  }
});

test('a session is for its share: another share with the same provider starts the flow again (2.5; 8)', async () => {
  const [one, two] = [await three.service.share('one'), await three.service.share('two')];
  const { browser } = await loggedIn(three.service, one);
  const flows = three.service.idp.counts.authorizations;
  const answer = await browser.open(two.url);
  assert.equal(answer.status, 302);
  assert.equal(answer.location?.pathname, '/corp/login');
  await walkLogin(browser, two.url, { email: 'ada@example.com' });
  assert.ok(three.service.idp.counts.authorizations > flows);
  assert.equal((await browser.open(one.url)).status, 200);
});

test('the session cookie: its name, domain and age are those configured, its content is sealed (2.5)', async () => {
  const { browser } = await loggedIn(three.service, await three.service.share('cookie'));
  const cookie = browser.jar.find(COOKIE);
  assert.equal(cookie?.domain, 'share.localhost');
  assert.equal(cookie.hostOnly, false);
  assert.equal(cookie.httpOnly, true);
  assert.equal(cookie.sameSite, 'lax');
  assert.ok(cookie.expiresAt !== null && cookie.expiresAt <= Date.now() + LIFETIME_MS);
  const parts = cookie.value.split('.');
  assert.equal(parts.length, 5, 'a JWE');
  assert.doesNotMatch(Buffer.from(parts[3] ?? '', 'base64url').toString('latin1'), /ada@|example/);
});

test('a WebSocket carries the identity headers too (2.6 every request)', async () => {
  const share = await three.service.share('socket');
  const { browser } = await loggedIn(three.service, share);
  const { port } = new URL(share.url);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
    headers: {
      host: new URL(share.url).host,
      origin: share.url,
      cookie: browser.jar.header(new URL(share.url)) ?? '',
    },
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.close();
  const seen = three.service.backend.seen.find(({ target }) => target === '/socket');
  assert.equal(seen?.headers['svc-auth-email'], 'ada@example.com');
  for (const name of HEADERS) assert.ok(seen.headers[name], name);
});

test('direct access and shares without a login carry no identity headers, whatever a client sends (2.6; 5.2)', async () => {
  const forged = Object.fromEntries(HEADERS.map((name) => [name, 'forged']));
  const open = await three.service.client.shares.create({
    name: 'open',
    target: three.service.backend.url,
    open: true,
  });
  assert.equal(open.oauthProvider, null);
  const browser = three.service.browser();
  const throughGate = await browser.request(`${open.url}/open`, { headers: forged });
  const direct = await browser.request(`${three.service.backend.url}/direct`);
  for (const answer of [throughGate, direct]) {
    assert.equal(answer.status, 200);
    const { headers } = JSON.parse(answer.body) as Echo;
    for (const name of HEADERS) assert.equal(headers[name], undefined);
  }
});

test('forged identity headers on a protected share are replaced by the true ones (2.6; 5.2)', async () => {
  const share = await three.service.share('forged');
  const { browser } = await loggedIn(three.service, share);
  const answer = await browser.request(share.url, {
    headers: { 'svc-auth-email': 'boss@example.com', Svc_Auth_Provider: 'evil', 'SVC-AUTH-EXPIRES': 'never' },
  });
  const { headers } = JSON.parse(answer.body) as Echo;
  assert.equal(headers['svc-auth-email'], 'ada@example.com');
  assert.equal(headers['svc-auth-provider'], 'corp');
  assert.ok(Date.parse(String(headers['svc-auth-expires'])) > Date.now());
  assert.equal(headers['svc_auth_provider'], undefined);
});
