// Logging in to the console with an API key: whose session it is, what it may, and when it is over.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Browser, createBrowser } from '../../../test/support/browser-by-hand.ts';
import { startControl, type TestControl } from '../../../test/support/control.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

test('POST /auth/key makes a session of the key for 12 hours, which holds nothing of the key', async () => {
  const { key, id } = await keyOf({ name: 'ops', role: 'admin' });
  const browser = createBrowser();
  const answer = await logIn(browser, key);
  assert.equal(answer.status, 204, answer.body);
  const [line] = answer.setCookies;
  assert.match(line ?? '', /^svc-control=[\w-]{22}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/);
  assert.ok(!key.includes(browser.jar.find('svc-control')?.value ?? key));
  const session = await sessionOf(browser);
  assert.deepEqual(
    [session['kind'], session['member'], session['apiKey']],
    ['key', null, { id, name: 'ops', role: 'admin', scope: 'full' }],
  );
  assert.deepEqual((session['account'] as { name: string }).name, 'alice');
  assert.ok((session['may'] as readonly string[]).includes('members.write'));
  assert.ok(!JSON.stringify(session).includes(key));
  assert.equal((await browser.request(`${control.url.origin}/v1/members`)).status, 200);
  const { items } = (await control.call({ path: '/v1/audit-events?kind=console.login' })).document;
  const [event] = items as readonly Record<string, unknown>[];
  assert.deepEqual(
    [event?.['actor'], event?.['reason'], event?.['email']],
    [`api-key:${id}`, 'api_key', null],
  );
  assert.equal((await post(browser, '/auth/logout', {})).status, 204);
  assert.equal((await browser.request(`${control.url.origin}/auth/session`)).status, 401);
});

test('POST /auth/key: the session may what the key may, and says so', async () => {
  const { key } = await keyOf({ name: 'reader', role: 'member', scope: 'read' });
  const browser = createBrowser();
  await logIn(browser, key);
  const may = (await sessionOf(browser))['may'] as readonly string[];
  assert.deepEqual(
    ['shares.read', 'shares.write', 'members.read', 'oneself'].map((each) => may.includes(each)),
    [true, false, false, false],
  );
  assert.equal((await browser.request(`${control.url.origin}/v1/shares`)).status, 200);
  const share = { name: 'mine', target: 'http://127.0.0.1:3000' };
  assert.deepEqual(codeOf(await post(browser, '/v1/shares', share)), [403, 'not_allowed']);
  assert.deepEqual(codeOf(await browser.request(`${control.url.origin}/v1/members`)), [403, 'not_allowed']);
});

test('POST /auth/key: deleting the key, expiry and a suspended account end it at the next call', async () => {
  const { key, id } = await keyOf({ name: 'short', expiresIn: '1h' });
  const browser = createBrowser();
  const answer = await logIn(browser, key);
  // Never outlives the key.
  const age = Number(/Max-Age=(\d+)/.exec(answer.setCookies[0] ?? '')?.[1]);
  assert.ok(age > 3500 && age <= 3600, String(age));
  const read = async () => codeOf(await browser.request(`${control.url.origin}/v1/shares`));
  assert.equal((await read())[0], 200);
  await control.store.accounts.suspend(control.alice.id, true);
  assert.deepEqual(await read(), [403, 'not_allowed']);
  assert.deepEqual(codeOf(await logIn(createBrowser(), key)), [403, 'not_allowed']);
  await control.store.accounts.suspend(control.alice.id, false);
  assert.equal((await read())[0], 200);
  assert.equal((await control.call({ method: 'DELETE', path: `/v1/api-keys/${id}` })).status, 204);
  assert.deepEqual(await read(), [401, 'login_required']);
  assert.deepEqual(codeOf(await logIn(createBrowser(), key)), [401, 'api_key_invalid']);
});

test('POST /auth/key is for the console’s own page alone, and its former session ends (THREATS "Sibling shares")', async () => {
  const { key } = await keyOf({ name: 'guarded' });
  const body = JSON.stringify({ apiKey: key });
  const own = { origin: control.url.origin, 'content-type': 'application/json' };
  const foreign: readonly (readonly [headers: Record<string, string>, code: string])[] = [
    [{ 'content-type': 'application/json' }, 'foreign_origin'],
    [{ ...own, origin: 'null' }, 'foreign_origin'],
    [{ ...own, origin: 'https://demo.share.example.com' }, 'foreign_origin'],
    [{ ...own, 'sec-fetch-site': 'cross-site' }, 'foreign_origin'],
    [{ ...own, 'content-type': 'text/plain' }, 'unsupported_media_type'],
    [{ ...own, host: 'rebound.example.net' }, 'misdirected'],
  ];
  for (const [headers, code] of foreign) {
    const answer = await createBrowser().request(`${control.url.origin}/auth/key`, {
      method: 'POST',
      headers,
      body,
    });
    assert.equal(codeOf(answer)[1], code, JSON.stringify(headers));
    assert.deepEqual(answer.setCookies, []);
  }
  const browser = createBrowser();
  await logIn(browser, key);
  const former = browser.jar.header(control.url) ?? '';
  await logIn(browser, key);
  const old = await createBrowser().request(`${control.url.origin}/v1/shares`, {
    headers: { cookie: former },
  });
  assert.equal(old.status, 401);
});

test('POST /auth/key refuses an agent’s key and what is no key, and slows guessing down (DESIGN "Rate limits")', async () => {
  await using other = await startControl();
  const { document } = await other.call({ path: '/v1/api-keys', json: { name: 'agent', scope: 'tunnel' } });
  const at = (json: unknown) =>
    createBrowser().request(`${other.url.origin}/auth/key`, {
      method: 'POST',
      headers: { origin: other.url.origin, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
  assert.deepEqual(codeOf(await at({ apiKey: document['key'] })), [403, 'not_allowed']);
  for (const json of [null, [], {}, { apiKey: 1 }, { apiKey: 'dw_x', more: 1 }])
    assert.deepEqual(codeOf(await at(json)), [422, 'validation_failed'], JSON.stringify(json));
  const statuses: number[] = [];
  for (let count = 0; count < 12; count++)
    statuses.push((await at({ apiKey: `dw_${'a'.repeat(43)}` })).status);
  assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429, 429]);
  // A good one is never in the way of who guesses.
  const good = await at({ apiKey: other.alice.apiKey.reveal() });
  assert.equal(good.status, 204, good.body);
});

test('GET /auth/providers names the configuration’s providers, and no account’s', async () => {
  const answer = await createBrowser().request(`${control.url.origin}/auth/providers`);
  assert.deepEqual(JSON.parse(answer.body), {
    providers: [{ name: 'test', type: 'oidc', displayName: 'test' }],
  });
});

test('the login page lists display names, as text, and tells two that are alike apart by their names', async () => {
  await using named = await startControl();
  const { findProvider } = named.settings.console;
  const shown = { test: '<b>Staff</b>', one: 'Acme', other: 'Acme' } as const;
  Object.assign(named.settings.console, {
    configuredProviders: Object.keys(shown),
    findProvider: (name: keyof typeof shown) => ({
      ...findProvider('test'),
      name,
      appearance: { displayName: shown[name], icon: null },
    }),
  });
  const browser = createBrowser();
  const answer = await browser.request(`${named.url.origin}/auth/providers`);
  const { providers } = JSON.parse(answer.body) as { providers: readonly object[] };
  assert.deepEqual(providers[0], { name: 'test', type: 'oidc', displayName: shown.test });
  const page = await browser.open(`${named.url.origin}/auth/login`);
  const labels = [...page.body.matchAll(/provider=\w+">([^/]*?)<\/a>/g)].map(([, label]) => label);
  assert.deepEqual(labels, ['Acme (one)', 'Acme (other)']);
  assert.match(page.body, /&lt;b&gt;Staff&lt;\/b&gt;/);
  assert.doesNotMatch(page.body, /<b>Staff/);
});

test('where certificates are required, no session tries a provider without one (THREATS "Certificates")', async () => {
  await using strict = await startControl({ clientCertificates: 'required' });
  const browser = createBrowser();
  const origin = strict.url.origin;
  const answer = await browser.request(`${origin}/auth/key`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ apiKey: strict.alice.apiKey.reveal() }),
  });
  assert.equal(answer.status, 204, answer.body);
  for (const path of ['/v1/shares', '/auth/trial?provider=test'])
    assert.deepEqual(codeOf(await browser.request(`${origin}${path}`)), [403, 'certificate_required'], path);
});

async function keyOf(json: object): Promise<{ readonly key: string; readonly id: string }> {
  const { document, status } = await control.call({ path: '/v1/api-keys', json });
  assert.equal(status, 201, JSON.stringify(document));
  return { key: String(document['key']), id: String(document['id']) };
}

function logIn(browser: Browser, apiKey: string) {
  return post(browser, '/auth/key', { apiKey });
}

function post(browser: Browser, path: string, json: object) {
  return browser.request(`${control.url.origin}${path}`, {
    method: 'POST',
    headers: { origin: control.url.origin, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
}

async function sessionOf(browser: Browser): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await browser.request(`${control.url.origin}/auth/session`);
  assert.equal(status, 200, body);
  return JSON.parse(body) as Readonly<Record<string, unknown>>;
}

function codeOf({ status, body }: { readonly status: number; readonly body: string }) {
  return [status, body === '' ? '' : String((JSON.parse(body) as { code?: string }).code ?? '')] as const;
}
