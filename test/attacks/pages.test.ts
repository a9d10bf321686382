// THREATS "Pages": every page of the service, with markup in whatever a visitor or a provider may choose.
// Nothing of it runs, nothing is framed, and what is no page is never taken for one.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ShareObject } from '../../src/wire/share.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { callGate, type TestAnswer } from '../support/gate.ts';
import { startTestService, type TestService } from '../support/service.ts';

const MARKUP = [
  '<script>alert(1)</script>',
  '<img/src=x/onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  "'onmouseover='alert(1)",
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '<!--<script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<base/href=//evil.example>',
  '<meta/http-equiv=refresh/content=0;url=//evil.example>',
  '<form/action=//evil.example><button>',
  'javascript:alert(1)',
  '`${alert(1)}`',
  '{{constructor.constructor(1)}}',
];
/** As a browser that loads a page. */
const PAGE = {
  accept: 'text/html',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'none',
};
const LOGIN_HOST = 'login.share.localhost';

let service: TestService;
let share: ShareObject;

before(async () => {
  service = await startTestService();
  share = await service.share('demo', { oauthEmailAddressPatterns: ['*@corp.com'] });
  await service.share('down', { target: 'http://127.0.0.1:1', oauthProvider: null });
});
after(() => service.close());

type PageAnswer = Pick<TestAnswer, 'status' | 'headers' | 'body'>;

/** What holds for every page of ours, whatever it is about. */
function assertSafePage({ headers, body }: PageAnswer, about: string): void {
  assert.equal(headers['content-type'], 'text/html; charset=utf-8', about);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['cache-control'], 'no-store');
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((each) => [each.split(' ', 1)[0], each.split(' ').slice(1)]),
  );
  for (const name of ['default-src', 'form-action', 'frame-ancestors', 'base-uri'])
    assert.deepEqual(policy.get(name), ["'none'"], name);
  assert.deepEqual(
    [...policy.keys()].filter((name) => /script|connect|frame-src|object|worker/.test(name ?? '')),
    [],
    'nothing opens what default-src closed',
  );
  const styles = [...body.matchAll(/<style>([^]*?)<\/style>/g)].map(([, style = '']) => style);
  const hash = createHash('sha256')
    .update(styles[0] ?? '')
    .digest('base64');
  assert.deepEqual([styles.length, policy.get('style-src')], [1, [`'sha256-${hash}'`]]);
  const tags = body.replace(styles[0] ?? '', '').matchAll(/<\/?([a-z][a-z0-9]*)\b([^>]*)>/gi);
  for (const [tag, name = '', attributes = ''] of tags) {
    assert.ok(!FORBIDDEN.has(name.toLowerCase()), `${about}: ${tag}`);
    assert.doesNotMatch(attributes, /\son[a-z]+\s*=|\sstyle\s*=|javascript:|\ssrcdoc/i, about);
    for (const [, address = ''] of attributes.matchAll(/\s(?:src|href)="([^"]*)"/g))
      assert.match(address, /^(?:data:image\/|http:\/\/[a-z]+\.share\.localhost:\d+\/|$)/, about);
  }
}

const FORBIDDEN = new Set([
  'script',
  'iframe',
  'object',
  'embed',
  'base',
  'form',
  'input',
  'button',
  'frame',
  'template',
  'video',
  'audio',
  'math',
]);

describe('Pages: markup', () => {
  test('in an address of a provider is text, at the callback and at the gate', async () => {
    const { host } = new URL(share.url);
    for (const [index, text] of MARKUP.entries()) {
      const key = `person${index}@corp.com`;
      const account = service.idp.account(key);
      account.email = `${text.replaceAll(/["\s]/g, '')}@evil.org`;
      const refused = await walkLogin(service.browser(), share.url, { email: key });
      assert.equal(refused.last.status, 403);
      assertSafePage(refused.last, text);
      assert.ok(
        !refused.last.body.includes(account.email) || !/[<>&'`]/.test(account.email),
        'written as text',
      );
      // Who got in, and is shut out later, sees the page of the gate.
      await service.client.shares.modify('demo', { oauthEmailAddressPatterns: ['*@evil.org'] });
      const browser = service.browser();
      await walkLogin(browser, share.url, { email: key });
      await service.client.shares.modify('demo', { oauthEmailAddressPatterns: ['*@corp.com'] });
      const cookie = browser.jar.header(new URL(share.url)) ?? '';
      const page = await callGate(service.ports.gateway, {
        host,
        path: `/${encodeURI(text)}`,
        headers: { ...PAGE, cookie },
      });
      assert.equal(page.status, 403);
      assertSafePage(page, text);
    }
  });

  test('in an address, a host, a query or a header is nowhere in what comes back', async () => {
    for (const text of MARKUP) {
      const path = encodeURI(text).replaceAll(/[()]/g, '');
      const query = encodeURIComponent(text);
      const calls: readonly (readonly [port: number, host: string, path: string])[] = [
        [service.ports.gateway, 'none.share.localhost', `/${path}`],
        [service.ports.gateway, 'demo.share.localhost', `/.svc/${path}`],
        [service.ports.gateway, 'down.share.localhost', `/${path}?${query}`],
        [service.ports.gateway, LOGIN_HOST, `/${path}`],
        [service.ports.gateway, LOGIN_HOST, `/${path}/login`],
        [service.ports.gateway, LOGIN_HOST, `/corp/login?request=${query}`],
        [service.ports.gateway, LOGIN_HOST, `/corp/logout?redirect_url=${query}`],
        [
          service.ports.oauth,
          'x',
          `/corp/auth/callback?error=${query}&error_description=${query}&error_uri=${query}&state=${query}`,
        ],
        [service.ports.oauth, 'x', `/corp/auth/callback?state=${'s'.repeat(22)}&code=${query}&iss=${query}`],
      ];
      for (const [port, host, target] of calls) {
        const headers = {
          ...PAGE,
          'x-request-id': text,
          'user-agent': text,
          referer: `http://x/${text}`,
          origin: text,
          'x-forwarded-host': text,
          cookie: `svc-auth-session=${query}`,
        };
        const answer = await callGate(port, { host, path: target, headers });
        assert.ok(answer.status >= 400, `${target} got ${answer.status}`);
        assertSafePage(answer, `${host}${target}`);
        for (const form of [text, path, query])
          if (form.length > 12) assert.ok(!answer.body.includes(form), `${form} came back from ${target}`);
      }
    }
  });

  test('in what a provider says of an error is nowhere, though the login was begun', async () => {
    const browser = service.browser();
    const { stopped } = await browser.follow(share.url, (next) => next.origin === service.idp.issuer);
    const state = stopped?.searchParams.get('state') ?? '';
    const query = new URLSearchParams({
      state,
      error: 'access_denied',
      error_description: MARKUP[0]!,
      error_uri: 'javascript:alert(1)',
      iss: service.idp.issuer,
    });
    const answer = await browser.open(`${service.endpointUrl}/corp/auth/callback?${query}`);
    assert.equal(answer.status, 403, answer.body);
    assertSafePage(answer, 'access_denied');
    assert.doesNotMatch(answer.body, /alert/);
  });
});

describe('Pages: what is none', () => {
  test('says so: problem documents, redirects and key sets are never sniffed into a page', async () => {
    const calls: readonly (readonly [port: number, host: string, path: string])[] = [
      [service.ports.gateway, 'none.share.localhost', '/<script>alert(1)</script>'],
      [service.ports.gateway, 'demo.share.localhost', '/.svc/session'],
      [service.ports.gateway, 'demo.share.localhost', '/<script>'],
      [service.ports.gateway, 'bad host', '/'],
      [service.ports.oauth, 'x', '/<script>/login'],
      [service.ports.oauth, 'x', '/.well-known/jwks.json'],
      [service.ports.control, 'x', '/v1/shares/<script>alert(1)</script>'],
      [service.ports.control, 'x', '/<script>alert(1)</script>'],
      [service.ports.control, 'x', '/openapi.json'],
    ];
    for (const [port, host, path] of calls) {
      const answer = await callGate(port, {
        host,
        path,
        headers: { accept: '*/*', authorization: `Bearer ${service.apiKey}` },
      });
      assert.equal(answer.headers['x-content-type-options'], 'nosniff', path);
      assert.doesNotMatch(String(answer.headers['content-type']), /html/, path);
    }
  });

  test('a redirect to log in has no body that could hold anything', async () => {
    const { status, body, headers } = await callGate(service.ports.gateway, {
      host: new URL(share.url).host,
      path: '/<script>alert(1)</script>',
      headers: PAGE,
    });
    assert.deepEqual([status, body], [302, '']);
    assert.doesNotMatch(String(headers.location), /[<>"'\s]/);
  });
});
