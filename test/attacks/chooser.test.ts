// THREATS "Open redirect", "Login CSRF": the page where visitors choose a provider takes what the gate sealed
// and nothing else. It leads nowhere else, lets nobody choose what was not offered, shows names as text, and
// believes no cookie.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type LoginChoice, sealLoginChoice } from '../../src/login/login-choice.ts';
import { sealLoginRequest } from '../../src/login/login-request.ts';
import { createSeal } from '../../src/login/seal.ts';
import { sealKeys } from '../../src/serve/gate-settings.ts';
import type { NewShare, ShareObject } from '../../src/wire/share.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { callGate } from '../support/gate.ts';
import { startThreeProviders, type ThreeProviders } from '../support/three-providers.ts';
import type { TestService } from '../support/service.ts';

const MARKUP = '<img src=x onerror=alert(1)>"\'&';
let rig: ThreeProviders;
let service: TestService;
let share: ShareObject;

before(async () => {
  rig = await startThreeProviders({ corp: { display_name: MARKUP } });
  service = rig.service;
  share = await service.share('several', {
    oauthProvider: null,
    rules: [{ allow: { providers: ['corp', 'goog'] } }],
  });
});
after(() => rig.close());

/** The chooser's address as the gate makes it, with what a faulty gate might have put into it. */
function chooser(over: Partial<LoginChoice> = {}): URL {
  const choice: LoginChoice = {
    shareId: share.id as LoginChoice['shareId'],
    providerNames: ['corp', 'goog'],
    returnUrl: `${share.url}/`,
    bindingHash: null,
    selectAccount: false,
    addressKey: null,
    expiresAt: Date.now() + 60_000,
    ...over,
  };
  const sealed = sealLoginChoice(createSeal(sealKeys(service.config)), choice);
  return new URL(`${service.endpointUrl}/choose?request=${sealed}`);
}

async function ask(url: URL, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return callGate(service.ports.gateway, {
    method,
    path: url.pathname + url.search,
    host: url.host,
    headers: { accept: 'text/html', 'sec-fetch-dest': 'document', ...headers },
  });
}

const linksOf = (body: string) =>
  [...body.matchAll(/<li><a[^>]* href="([^"]*)"/g)].map(([, href = '']) => new URL(href));

const paths = (body: string) => linksOf(body).map(({ pathname }) => pathname);

describe('The chooser as a redirector', () => {
  test('every link of it leads to a login at the OAuth frontend, and its return address is the share’s', async () => {
    for (const returnUrl of ['https://evil.example/', '//evil.example', 'javascript:alert(1)', '']) {
      const { status, body } = await ask(chooser({ returnUrl }));
      assert.equal(status, 200, returnUrl);
      assert.doesNotMatch(body, /evil|javascript:/);
      const links = linksOf(body);
      assert.deepEqual(
        links.map(({ origin, pathname }) => origin + pathname),
        [`${service.endpointUrl}/corp/login`, `${service.endpointUrl}/goog/login`],
      );
    }
  });

  test('addresses and providers in its own address mean nothing', async () => {
    const url = chooser();
    for (const [name, value] of Object.entries({
      return_to: 'https://evil.example/',
      redirect_url: 'https://evil.example/',
      provider: 'hub',
      url: '//evil.example',
    }))
      url.searchParams.append(name, value);
    const { status, headers, body } = await ask(url);
    assert.equal(status, 200);
    assert.equal(headers['location'], undefined);
    assert.doesNotMatch(body, /evil\.example|hub/);
  });

  test('what was sealed for something else, changed, or not at all, is refused', async () => {
    const seal = createSeal(sealKeys(service.config));
    const request = sealLoginRequest(seal, {
      shareId: share.id as LoginChoice['shareId'],
      providerName: 'corp',
      returnUrl: `${share.url}/`,
      bindingHash: null,
      selectAccount: false,
      addressKey: null,
      expiresAt: Date.now() + 60_000,
    });
    const good = chooser().searchParams.get('request') ?? '';
    for (const sealed of [
      request,
      `${good}x`,
      good.slice(0, -1),
      good.toUpperCase(),
      'x',
      '',
      'x'.repeat(20_000),
    ]) {
      const { status, headers } = await ask(new URL(`${service.endpointUrl}/choose?request=${sealed}`));
      assert.ok([400, 414, 431].includes(status), `${status} for ${sealed.slice(0, 20)}`);
      assert.equal(headers['location'], undefined);
    }
    assert.equal((await ask(new URL(`${service.endpointUrl}/choose`))).status, 400);
    const old = await ask(chooser({ expiresAt: Date.now() - 1 }));
    assert.equal(old.status, 400);
    const twice = chooser();
    twice.searchParams.append('request', good);
    assert.equal((await ask(twice)).status, 400);
  });

  test('a choice starts no login by itself: its seal is none of a login request', async () => {
    const sealed = chooser().searchParams.get('request') ?? '';
    const { status } = await ask(new URL(`${service.endpointUrl}/corp/login?request=${sealed}`));
    assert.equal(status, 400);
  });
});

describe('The chooser and providers that were not offered', () => {
  test('one that no rule of the share names is not shown, whoever sealed it', async () => {
    const { body } = await ask(chooser({ providerNames: ['corp', 'hub', 'goog', 'nobody'] }));
    assert.deepEqual(
      linksOf(body).map(({ pathname }) => pathname),
      ['/corp/login', '/goog/login'],
    );
    const none = await ask(chooser({ providerNames: ['hub', 'nobody'] }));
    assert.equal(none.status, 400);
    assert.deepEqual(
      linksOf(none.body).filter(({ pathname }) => pathname.endsWith('/login')),
      [],
    );
  });

  test('a link of it counts for its own provider alone', async () => {
    const [corp] = linksOf((await ask(chooser())).body);
    for (const name of ['goog', 'hub']) {
      const moved = new URL(corp!);
      moved.pathname = `/${name}/login`;
      const { status, headers } = await ask(moved);
      assert.equal(status, 400, name);
      assert.equal(headers['set-cookie'], undefined);
    }
  });

  test('a page that is loaded ahead of the person is none, and no other method does anything', async () => {
    for (const purpose of ['prefetch', 'prefetch;prerender']) {
      const { status, body } = await ask(chooser(), { 'sec-purpose': purpose });
      assert.ok(status >= 400, purpose);
      assert.deepEqual(linksOf(body), []);
    }
    for (const method of ['POST', 'PUT', 'DELETE'])
      assert.equal((await ask(chooser(), {}, method)).status, 405, method);
  });

  test('fetch and programs are told 401 with the chooser’s address (contract 3)', async () => {
    const { host } = new URL(share.url);
    const { status, body } = await callGate(service.ports.gateway, {
      path: '/api',
      host,
      headers: {
        accept: 'application/json',
        'sec-fetch-mode': 'cors',
        'sec-fetch-site': 'same-origin',
      },
    });
    assert.equal(status, 401);
    const { login_url: url } = JSON.parse(body) as { login_url: string };
    assert.equal(new URL(url).pathname, '/choose');
    assert.equal((await ask(new URL(url))).status, 200);
  });
});

describe('Whoever is logged in and refused since', () => {
  test('is offered the other providers that could let them in, and none where no other could', async () => {
    const settings = { oauthProvider: null, rules: [{ allow: { providers: ['corp', 'goog', 'hub'] } }] };
    const { name, url } = await service.share('refused', settings);
    const browser = service.browser();
    const [, start] = linksOf((await browser.follow(url)).last.body).map((link) => link.href);
    await walkLogin(browser, start ?? '', { email: 'ada@example.com' });
    const page = async (rules: NonNullable<NewShare['rules']>) => {
      await service.client.shares.modify(name, { rules });
      const { status, body } = await browser.request(url, { headers: { accept: 'text/html' } });
      assert.equal(status, 403);
      return /href="([^"]+)">Log in with another provider</.exec(body)?.[1] ?? null;
    };
    const strict = { allow: { providers: ['goog'], emails: ['*@elsewhere.example'] } };
    assert.match((await page([strict, { allow: { providers: ['corp'] } }])) ?? '', /\/corp\/login\?/);
    assert.match((await page([strict, { allow: { providers: ['corp', 'hub'] } }])) ?? '', /\/choose\?/);
    assert.equal(await page([strict]), null);
    const elsewhere = { allow: { providers: ['corp'], addresses: ['192.0.2.0/24'] } };
    assert.equal(await page([strict, elsewhere]), null);
  });
});

describe('The chooser and what others put before it', () => {
  test('a display name with markup is text', async () => {
    const { body, headers } = await ask(chooser());
    assert.doesNotMatch(body, /<img src=x/);
    assert.match(body, /&lt;img src=x onerror=alert\(1\)&gt;&quot;&#39;&amp;/);
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    assert.doesNotMatch(body, /<script/);
  });

  test('a forged or huge cookie of the last providers orders nothing but what is offered', async () => {
    const name = 'svc-auth-last-providers';
    const inOrder = ['/corp/login', '/goog/login'];
    for (const value of [
      'hub.nobody',
      '<script>alert(1)</script>',
      '../evil',
      'x'.repeat(8_000),
      Array.from({ length: 500 }, () => 'goog').join('.'),
      '.',
      'GOOG',
      '%67oog',
    ]) {
      const { status, body, headers } = await ask(chooser(), { cookie: `${name}=${value}` });
      assert.equal(status, 200, value.slice(0, 20));
      assert.deepEqual(paths(body), inOrder, value.slice(0, 20));
      assert.equal(headers['set-cookie'], undefined);
      assert.doesNotMatch(body, /nobody|evil|last used/);
    }
    const { body } = await ask(chooser(), { cookie: `${name}=hub.goog` });
    assert.deepEqual(paths(body), inOrder.toReversed());
  });
});
