// THREATS "Open redirect": a login ends on the share that it was for, a logout where the operator allows, and
// neither writes anything into an answer but one address.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sealLoginRequest, type LoginRequest } from '../../src/login/login-request.ts';
import { createSeal } from '../../src/login/seal.ts';
import { sealSessions } from '../../src/login/session-cookie.ts';
import { sealKeys } from '../../src/serve/gate-settings.ts';
import type { ShareObject } from '../../src/wire/share.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { callGate } from '../support/gate.ts';
import { startTestService, type TestService } from '../support/service.ts';

const EMAIL = 'ada@example.com';
let service: TestService;
let share: ShareObject;

before(async () => {
  service = await startTestService({
    oauth: { logout_redirect_hosts: ['app.example.com', '*.apps.example.com'] },
  });
  share = await service.share('demo');
});
after(() => service.close());

/** A login URL as the gate makes it, with what a faulty gate might have put into it. */
function loginUrl(over: Partial<LoginRequest> = {}): URL {
  const seal = createSeal(sealKeys(service.config));
  const request: LoginRequest = {
    shareId: share.id as LoginRequest['shareId'],
    providerName: 'corp',
    returnUrl: `${share.url}/`,
    bindingHash: null,
    selectAccount: false,
    addressKey: null,
    expiresAt: Date.now() + 60_000,
    ...over,
  };
  return new URL(`${service.endpointUrl}/corp/login?request=${sealLoginRequest(seal, request)}`);
}

/** Logs in from a login URL in a fresh browser; where the callback sends it. */
async function comesBackTo(start: string | URL): Promise<string> {
  const browser = service.browser();
  const { stopped } = await walkLogin(browser, start, { email: EMAIL, until: isCallback });
  assert.ok(stopped, `the provider did not send back from ${String(start)}`);
  const answer = await browser.open(stopped);
  assert.equal(answer.status, 302, answer.body);
  return String(answer.headers.location);
}

const isCallback = (next: URL) => next.pathname.endsWith('/auth/callback');

/** Unambiguously: no userinfo, no backslash, and a slash behind the host. */
function isOnShare(): RegExp {
  return new RegExp(`^${RegExp.escape(share.url)}/[!-[\\]-~]*$`);
}

describe('Open redirect: the return address', () => {
  /**
   * Request targets at the share that a browser might take for an address elsewhere, were they sent back
   * alone.
   */
  const targets = [
    '//evil.example/',
    '///evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '/%5cevil.example',
    '/%2f%2fevil.example',
    '/%09/evil.example',
    '/@evil.example',
    '/.evil.example',
    '/https://evil.example',
    '/x?redirect_url=https://evil.example&next=//evil.example',
    '/%0d%0aLocation:%20https://evil.example',
    '/%e2%80%a8https:evil.example',
    '/javascript:alert(1)',
  ];
  for (const target of targets)
    test(`of ${target} is on the share`, async () => {
      const { host } = new URL(share.url);
      const answer = await callGate(service.ports.gateway, { host, path: target });
      assert.equal(answer.status, 302);
      const location = await comesBackTo(answer.headers.location ?? '');
      assert.match(location, isOnShare());
    });

  for (const target of targets)
    test(`of ${target} is on the share when it is too long for the login, too`, async () => {
      const { host } = new URL(share.url);
      const path = `${target}${target.includes('?') ? '&' : '?'}${'long'.repeat(600)}`;
      const answer = await callGate(service.ports.gateway, { host, path });
      assert.equal(answer.status, 302);
      const browser = service.browser();
      assert.deepEqual(browser.jar.store(new URL(share.url), answer.headers['set-cookie'] ?? []), []);
      const start = answer.headers.location ?? '';
      const { stopped } = await walkLogin(browser, start, { email: EMAIL, until: isCallback });
      const leg = (await browser.open(stopped ?? '')).location;
      assert.equal(leg?.origin, new URL(share.url).origin);
      assert.match(leg.pathname, /^\/\.svc\/begin\/[\w-]{22}$/);
      const { status, headers } = await browser.open(leg);
      assert.equal(status, 302);
      assert.match(String(headers.location), isOnShare());
      assert.ok(headers.location?.endsWith('long'.repeat(600)));
    });

  test('is the share’s even when the sealed request names another', async () => {
    const { host, port } = new URL(share.url);
    for (const returnUrl of [
      'https://evil.example/',
      'http://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      `http://user@${host}/`,
      `http://${host}@evil.example/`,
      `http://${host}.evil.example/`,
      `http://evil${host}/`,
      `http://demo.share.localhost:1/`,
      `https://${host}/`,
      `http://other.share.localhost:${port}/`,
      `http://${host}\\@evil.example/`,
      `\thttp://evil.example`,
      `http://evil.example\\.${host}/`,
      `http://evil.example#.${host}/`,
      '',
      'x',
    ])
      assert.match(await comesBackTo(loginUrl({ returnUrl })), isOnShare(), returnUrl);
  });

  test('of a call is its page only when the page is on the share', async () => {
    const { host } = new URL(share.url);
    for (const referer of [
      'https://evil.example/',
      `${share.url}.evil.example/`,
      `${share.url}@evil.example/`,
      `https://${host}/`,
      '//evil.example/',
      `x ${share.url}/`,
    ]) {
      const answer = await callGate(service.ports.gateway, {
        host,
        path: '/api',
        headers: { accept: 'application/json', referer },
      });
      const { login_url: url } = JSON.parse(answer.body) as { login_url: string };
      assert.equal(await comesBackTo(url), `${share.url}/api`, referer);
    }
  });
});

describe('Open redirect: the login request', () => {
  test('starts nothing unless it was sealed here, for this, for this provider, and lately', async () => {
    const good = loginUrl().searchParams.get('request') ?? '';
    const session = sealSessions(createSeal(sealKeys(service.config)), []);
    const foreign = createSeal([{ signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(24) }]).seal(
      'login-request',
      Buffer.alloc(64),
    );
    const flips = Array.from(
      { length: good.length },
      (_, at) => `${good.slice(0, at)}${good[at] === 'A' ? 'B' : 'A'}${good.slice(at + 1)}`,
    );
    const bad = [
      '',
      'x',
      '....',
      good.slice(1),
      good.slice(0, -1),
      `${good}A`,
      `${good}=`,
      ` ${good}`,
      `${good}.`,
      session,
      foreign,
      'https://evil.example',
      'A'.repeat(30_000),
      ...flips,
    ];
    for (const request of bad) {
      const path = `/corp/login?request=${encodeURIComponent(request)}`;
      const answer = await callGate(service.ports.oauth, { host: 'login.share.localhost', path });
      assert.equal(answer.status, request.length > 20_000 ? answer.status : 400, request.slice(0, 100));
      assert.equal(answer.headers.location, undefined, request.slice(0, 100));
    }
    const expired = loginUrl({ expiresAt: Date.now() - 1 });
    for (const path of [`/corp/login?request=${good}&request=${good}`, expired.pathname + expired.search])
      assert.equal((await callGate(service.ports.oauth, { host: 'x', path })).status, 400);
  });

  test('alone says where a login leads: no other parameter does', async () => {
    const start = loginUrl();
    for (const name of [
      'redirect_url',
      'redirect_uri',
      'return_to',
      'rd',
      'next',
      'state',
      'target',
      'returnUrl',
    ])
      start.searchParams.set(name, 'https://evil.example/');
    assert.equal(await comesBackTo(start), `${share.url}/`);
    const without = await service
      .browser()
      .open(`${service.endpointUrl}/corp/login?redirect_url=https://evil.example/`);
    assert.doesNotMatch(String(without.location), /evil/);
  });
});

describe('Open redirect: redirect_url of a logout', () => {
  const refused = [
    '//app.example.com/',
    '/\\app.example.com/',
    '/',
    'app.example.com',
    'https:app.example.com',
    'https:/app.example.com',
    'https:///app.example.com',
    'https:\\\\app.example.com',
    'https://evil.example/',
    'https://app.example.com.evil.example/',
    'https://evilapp.example.com/',
    'https://app.example.com@evil.example/',
    'https://app.example.com:x@evil.example/',
    'https://user:pass@app.example.com/',
    'https://@app.example.com/',
    'https://evil.example\\.app.example.com/',
    'https://evil.example\\@app.example.com/',
    'https://evil.example#@app.example.com/',
    'https://evil.example?.app.example.com/',
    'https://evil.example%23.app.example.com/',
    'https://apps.example.com/',
    'https://a.b.apps.example.com/',
    'https://.apps.example.com/',
    'https://x.apps.example.com.evil.example/',
    'https://app.example.com..evil.example/',
    'https://app\u3002example\u3002com/',
    'https://\u24d0pp.example.com/',
    'https://app.exam\u00adple.com/',
    ' https://app.example.com/',
    '\thttps://app.example.com/',
    'ht\ntps://app.example.com/',
    'https://app.example.com/\r\nSet-Cookie: svc-auth-session=x',
    'https://app.example.com/%\nx',
    'https://app.example.com/\0',
    'https://app.example.com/\u2028',
    'https://app.example.com/a b',
    'javascript:alert(1)',
    'javascript://app.example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'ftp://app.example.com/',
    'file://app.example.com/etc/passwd',
    'blob:https://app.example.com/x',
    `https://app.example.com/${'a'.repeat(5_000)}`,
    '',
  ];

  test('is refused, and nothing ends, unless it is an absolute address on an allowed host', async () => {
    const browser = service.browser();
    await walkLogin(browser, share.url, { email: EMAIL });
    for (const redirectUrl of refused)
      for (const base of [`${service.endpointUrl}/corp/logout`, `${share.url}/.svc/logout`]) {
        const { last, answers } = await browser.follow(
          `${base}?redirect_url=${encodeURIComponent(redirectUrl)}`,
        );
        assert.equal(last.status, 400, redirectUrl);
        assert.ok(
          answers.every(({ url }) => url.hostname.endsWith('.share.localhost')),
          redirectUrl,
        );
        assert.ok(
          answers.every(({ setCookies }) => setCookies.length === 0),
          redirectUrl,
        );
      }
    assert.equal((await browser.open(share.url)).status, 200, 'still logged in');
    const twice = `${service.endpointUrl}/corp/logout?redirect_url=https://app.example.com/&redirect_url=https://evil.example/`;
    assert.equal((await browser.open(twice)).status, 400);
  });

  test('is followed byte for byte when it is one', async () => {
    for (const redirectUrl of [
      'https://app.example.com/',
      'http://app.example.com:8080/a?b=c#d',
      'https://x.apps.example.com',
      'HTTPS://APP.example.com/%0d%0a',
    ]) {
      const answer = await service
        .browser()
        .open(`${service.endpointUrl}/corp/logout?redirect_url=${encodeURIComponent(redirectUrl)}`);
      assert.equal(answer.status, 302);
      assert.equal(answer.headers.location, redirectUrl);
    }
  });
});
