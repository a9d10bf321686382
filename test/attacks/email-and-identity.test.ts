// THREATS "Email and identity": nobody gets in by an address that could be read as another, that the provider
// does not vouch for, or that the rules of this moment do not allow.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { walkLogin, type Browser } from '../support/browser-by-hand.ts';
import type { OidcAccount } from '../support/providers/oidc-provider.ts';
import { startTestService, type TestService } from '../support/service.ts';
import type { ShareObject } from '../../src/wire/share.ts';
import { readMasterKey } from '../../src/store/sealing/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

let service: TestService;
let share: ShareObject;
let logins = 0;

before(async () => {
  service = await startTestService();
  share = await service.share('demo', { oauthEmailAddressPatterns: ['*@corp.com'] });
});
after(() => service.close());

const isCallback = (next: URL) => next.pathname.endsWith('/callback');

type Claims = { readonly email?: unknown; readonly emailVerified?: unknown; readonly subject?: string };

/** Somebody whose provider says these claims; `key` is what they type to log in. */
function somebody(claims: Claims): { readonly key: string; readonly account: OidcAccount } {
  const key = `person-${++logins}@corp.com`;
  const account = service.idp.account(key);
  Object.assign(account, claims);
  return { key, account };
}

async function logIn(claims: Claims, url = share.url) {
  const browser = service.browser();
  const { key, account } = somebody(claims);
  const { last } = await walkLogin(browser, `${url}/`, { email: key });
  return { browser, last, account };
}

function assertKeptOut(
  browser: Browser,
  last: { readonly status: number; readonly body: string },
  about: string,
): void {
  assert.equal(last.status, 403, `${about}: ${last.status} ${last.body.slice(0, 300)}`);
  assert.ok(!browser.jar.header(new URL(share.url))?.includes('svc-auth-session='), about);
}

describe('Email and identity: addresses', () => {
  const unusable: readonly unknown[] = [
    'attacker@evil.com@corp.com',
    '"attacker@corp.com"@evil.com',
    'attacker@evil.com,ada@corp.com',
    'attacker@evil.com ada@corp.com',
    'attacker@evil.com\tada@corp.com',
    'ada@corp.com\r\nsvc-auth-email: root@corp.com',
    'ada@corp.com\n',
    'ada@corp.com\0',
    'ada\0@corp.com',
    ' ada@corp.com',
    'ada@corp.com ',
    'Ada <ada@corp.com>',
    'ada@corp.com\u200b',
    'ada@corp.com\u2028',
    '\u202eada@corp.com',
    'ad\u00e4\u200d@corp.com',
    '\uff41da@corp.com',
    'ada@\uff43orp.com',
    'ada@\u24d2orp.com',
    'ada@corp\u3002com',
    'ada\uff20corp.com',
    '\u212aada@corp.com',
    '@corp.com',
    'ada@',
    'ada',
    '@',
    '',
    `${'a'.repeat(246)}@corp.com`,
    ['ada@corp.com'],
    { email: 'ada@corp.com' },
    12,
    true,
  ];
  test('that are none, or could be read as two, are refused', async () => {
    for (const email of unusable) {
      const { browser, last } = await logIn({ email });
      assertKeptOut(browser, last, JSON.stringify(email));
      assert.match(last.body, /no usable email address/, JSON.stringify(email));
    }
  });

  test('that only look like those of a pattern are not allowed', async () => {
    for (const email of [
      'ada@corp.com.evil.org',
      'ada@c\u043erp.com',
      'ada@c\u00f6rp.com',
      'ada@corp.c\u043em',
      'ada@evilcorp.com',
      'ada@sub.corp.com',
      'ada@corp.com.',
      'ada@corpXcom',
      'ada@corp.comm',
      'ada@corp',
      'ada@xn--crp-fna.com',
      'ada@corp.com%40evil.org',
      'corp.com@evil.org',
      'ada%40corp.com@evil.org',
      '*@evil.org',
      'ada@corp.com/',
      '<ada@corp.com>',
      'ada@[corp.com]',
    ]) {
      const { browser, last } = await logIn({ email });
      assertKeptOut(browser, last, email);
      assert.match(last.body, /does not have access/, email);
    }
    const { last } = await logIn({ email: 'Ada@CORP.com' });
    assert.equal(last.status, 200);
  });

  test('that the provider does not vouch for are refused, however it says so', async () => {
    for (const emailVerified of [
      false,
      'false',
      'FALSE',
      '',
      'no',
      '0',
      0,
      1,
      null,
      [true],
      { verified: true },
    ]) {
      const { browser, last } = await logIn({ emailVerified });
      assertKeptOut(browser, last, JSON.stringify(emailVerified));
      assert.match(last.body, /not verified/, JSON.stringify(emailVerified));
    }
  });

  test('whose verification is not spoken of are refused where that is required', async (t) => {
    const strict = await startTestService({ corp: { require_verified_email: true } });
    t.after(() => strict.close());
    const { url } = await strict.share('strict');
    strict.idp.account('ada@corp.com').emailVerified = undefined;
    const { last } = await walkLogin(strict.browser(), url, { email: 'ada@corp.com' });
    assert.equal(last.status, 403);
    assert.equal((await walkLogin(strict.browser(), url, { email: 'bea@corp.com' })).last.status, 200);
  });

  test('are not matched with patterns that mean too much: these are refused with their place', async () => {
    const tooMuch = [`${'*a'.repeat(17)}b@corp.com`, `${'{a,aa}'.repeat(20)}@x`];
    const patterns = ['*@corp.com', ...tooMuch];
    const refused = {
      code: 'validation_failed',
      message: /oauthEmailAddressPatterns\.1: .*more than 16 "\*"; the one at character 33 .*, and 1 more/,
    };
    await assert.rejects(service.share('slow-new', { oauthEmailAddressPatterns: patterns }), refused);
    await service.share('slow-changed');
    const asItWas = await service.client.shares.show('slow-changed');
    const change = { oauthEmailAddressPatterns: patterns };
    await assert.rejects(service.client.shares.modify('slow-changed', change), refused);
    assert.deepEqual(await service.client.shares.show('slow-changed'), asItWas);
  });

  test('are matched in time that does not grow with what a pattern could mean', async () => {
    const worstAllowed = Array.from(
      { length: 100 },
      (_, n) => `${'*a'.repeat(16)}${'a'.repeat(n)}b@corp.com`,
    );
    const slow = await service.share('slow', { oauthEmailAddressPatterns: worstAllowed });
    // Written before there was a limit: these count as they did.
    const worstStored = Array.from(
      { length: 100 },
      (_, n) => `${'*a'.repeat(110)}${'*'.repeat(n % 20)}b@corp.com`,
    );
    const old = await service.share('slow-old');
    await storePatterns(old, [...worstStored, '*aaa*@old.example']);
    for (const { url } of [slow, old]) {
      const startedAt = performance.now();
      const { last } = await logIn({ email: `${'a'.repeat(240)}@corp.com` }, url);
      assert.equal(last.status, 403);
      assert.ok(performance.now() - startedAt < PROMPTLY_MS);
    }
    assert.equal((await logIn({ email: 'aaaa@old.example' }, old.url)).last.status, 200);
  });
});

/** As a version of the service wrote them that refused none. */
async function storePatterns({ id }: ShareObject, patterns: readonly string[]): Promise<void> {
  const { store: settings } = service.config;
  const masterKey = await readMasterKey(settings.masterKeyFile);
  const store = await openStore({ engine: settings.engine, masterKey, now: Date.now, exclusive: false });
  try {
    const written = { oauthEmailAddressPatterns: patterns };
    const row = (await store.shares.all()).find((one) => one.id === id);
    assert.ok(row !== undefined);
    await store.shares.modify({ ...row, settings: () => written, at: Date.now() });
  } finally {
    await store.close();
  }
  // A change by the API is answered once the gates have all that was written before it.
  await service.client.shares.modify('slow', { enabled: true });
}

describe('Email and identity: rules of this moment', () => {
  test('patterns that change shut out whoever they no longer match, on the next request', async () => {
    const changing = await service.share('changing', { oauthEmailAddressPatterns: ['*@corp.com'] });
    const { browser, last } = await logIn({}, changing.url);
    assert.equal(last.status, 200);
    await service.client.shares.modify('changing', { oauthEmailAddressPatterns: ['boss@corp.com'] });
    assert.equal((await browser.open(changing.url)).status, 403);
    assert.equal(
      (await browser.open(`${changing.url}/.svc/session`, { headers: { accept: 'application/json' } }))
        .status,
      403,
    );
    await service.client.shares.modify('changing', { enabled: false });
    assert.equal((await browser.open(changing.url)).status, 404);
  });

  test('patterns that change during a login are those that count', async () => {
    const racing = await service.share('racing', { oauthEmailAddressPatterns: ['*@corp.com'] });
    const browser = service.browser();
    const { stopped } = await walkLogin(browser, racing.url, { email: somebody({}).key, until: isCallback });
    await service.client.shares.modify('racing', { oauthEmailAddressPatterns: ['boss@corp.com'] });
    const answer = await browser.open(stopped ?? '');
    assertKeptOut(browser, answer, 'changed during the login');
  });

  test('a share that gets a login lets nobody in without one, also who was there before', async () => {
    const open = await service.share('opened', { oauthProvider: null });
    const browser = service.browser();
    assert.equal((await browser.open(open.url)).status, 200);
    await service.client.shares.modify('opened', { oauthProvider: 'corp' });
    assert.equal((await browser.open(open.url)).status, 302);
  });

  test('a pattern is a glob, and nothing of a regular expression', async () => {
    const globs = await service.share('globs', {
      oauthEmailAddressPatterns: [
        '.*@corp.com',
        '^x|.+$@corp.com',
        'a+@corp.com',
        '(b)@corp.com',
        '\\w@corp.com',
      ],
    });
    const { last } = await logIn({ email: 'ada@corp.com' }, globs.url);
    assert.equal(last.status, 403);
  });

  test('what a check finds changed ends the session: subject, address, verification, grant', async () => {
    const checked = await service.share('checked', {
      oauthEmailAddressPatterns: ['*@corp.com'],
      oauthCheckInterval: '1s',
    });
    const changes: readonly Claims[] = [
      { subject: 'somebody-else' },
      { email: 'ada@evil.org' },
      { email: 'other@corp.com' },
      { email: 'a@b@corp.com' },
      { emailVerified: false },
    ];
    const visitors = await Promise.all(
      changes.map(async (change) => {
        const { browser, account, last } = await logIn({}, checked.url);
        return { change, browser, account, last };
      }),
    );
    for (const { last } of visitors) assert.equal(last.status, 200);
    for (const { account, change } of visitors) Object.assign(account, change);
    await pause(1_100);
    const seen = service.backend.seen.length;
    for (const { browser, change } of visitors) {
      const answer = await browser.request(checked.url, { headers: { accept: 'application/json' } });
      assert.ok(
        answer.status === 401 || answer.status === 503,
        `${JSON.stringify(change)}: ${answer.status}`,
      );
      assert.notEqual((await browser.open(checked.url)).status, 200, JSON.stringify(change));
    }
    assert.equal(service.backend.seen.length, seen, 'nothing was forwarded');
  });
});
