// THREATS "Session and cookie" through whole logins and logouts, over TLS with the certified provider:
// fixation, sessions that outlive their end, and cookies that go where they should not.

import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, test, type TestContext } from 'node:test';
import { openSessions } from '../../src/login/session-cookie.ts';
import { createSeal } from '../../src/login/seal.ts';
import { sealKeys } from '../../src/serve/gate-settings.ts';
import type { Echo } from '../support/echo-backend.ts';
import { walkLogin, type Browser } from '../support/browser-by-hand.ts';
import type { JarCookie } from '../support/cookie-jar.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const SESSION = 'svc-auth-session';
let service: TestService;

before(async () => {
  service = await startTestService({ tls: true });
});
after(() => service.close());

async function logIn(browser: Browser, url: string, email: string): Promise<void> {
  const { last } = await walkLogin(browser, url, { email });
  assert.equal(last.status, 200, last.body.slice(0, 500));
  assert.equal((JSON.parse(last.body) as Echo).headers['svc-auth-email'], email);
}

/** Another browser with all the cookies of this one. */
function thief(browser: Browser): Browser {
  const other = service.browser();
  for (const cookie of browser.jar.all()) other.jar.put(cookie);
  return other;
}

const isCallback = (next: URL) => next.pathname.endsWith('/callback');

function cookieOf(browser: Browser, name = SESSION): JarCookie {
  const cookie = browser.jar.find(name);
  assert.ok(cookie, `there is no ${name}`);
  return cookie;
}

function sessionIds(browser: Browser): readonly string[] {
  const sessions = openSessions(createSeal(sealKeys(service.config)), cookieOf(browser).value) ?? [];
  return sessions.map(({ id }) => id);
}

test('Session and cookie: a login makes a new session whatever cookie was there, and ends the one it replaces', async () => {
  const { url } = await service.share('fixation');
  const attacker = service.browser();
  await logIn(attacker, url, 'eve@example.com');
  const victim = service.browser();
  victim.jar.put({ ...cookieOf(attacker), path: '/' });
  await logIn(victim, url, 'ada@example.com');
  // The cookie keeps what it had until the new session is confirmed; by now that is over.
  const [begun] = sessionIds(victim);
  assert.ok(begun !== undefined && !sessionIds(attacker).includes(begun));
  assert.notEqual((await attacker.open(url)).status, 200, 'the planted session is over');
  const copy = thief(victim);
  assert.equal((await copy.open(url)).status, 200);
  for (const cookie of victim.jar.all())
    if (cookie.name.startsWith('__Host-svc-auth-bind')) victim.jar.remove(cookie.name);
  await logIn(victim, url, 'ada@example.com');
  await within(PROMPTLY_MS, async () => (await copy.open(url)).status === 302);
});

test('Session and cookie: a cookie that was planted or stolen opens nothing without the browser’s own binding', async () => {
  const { url } = await service.share('bound');
  const attacker = service.browser();
  await logIn(attacker, url, 'eve@example.com');
  for (const path of ['/', '/deep/path']) {
    const victim = service.browser();
    victim.jar.put({ ...cookieOf(attacker), path, hostOnly: false });
    const answer = await victim.open(`${url}/deep/path`);
    assert.equal(answer.status, 302, 'the victim is not taken for the attacker');
  }
  const binding = attacker.jar.all().find(({ name }) => name.startsWith('__Host-svc-auth-bind'));
  assert.ok(binding?.hostOnly && binding.secure && binding.httpOnly && binding.path === '/');
});

test('Session and cookie: a login link of somebody else does not log them in where they wait', async () => {
  const { url } = await service.share('linked');
  const attacker = service.browser();
  const { stopped } = await attacker.follow(url, (next) => next.pathname.endsWith('/login'));
  const victim = service.browser();
  await walkLogin(victim, stopped ?? '', { email: 'ada@example.com' });
  assert.equal((await attacker.open(url)).status, 302);
  // Nor does the attacker's answer of the provider count in the victim's browser.
  const walk = await walkLogin(attacker, url, { email: 'eve@example.com', until: isCallback });
  const planted = service.browser();
  const answer = await planted.open(walk.stopped ?? '');
  assert.equal(answer.status, 400);
  assert.equal(planted.jar.find(SESSION), undefined);
});

test('Session and cookie: a session opens one share, also when the same person could open both', async () => {
  const one = await service.share('one');
  const two = await service.share('two');
  const browser = service.browser();
  await logIn(browser, one.url, 'ada@example.com');
  assert.ok(browser.jar.header(new URL(two.url))?.includes(SESSION), 'the cookie reaches both');
  const answer = await browser.open(two.url);
  assert.equal(answer.status, 302);
  assert.match(String(answer.location), /\/corp\/login\?request=/);
  assert.equal(
    service.backend.seen.filter(({ headers }) => headers.host === new URL(two.url).host).length,
    0,
  );
});

test('Session and cookie: a share made again under an old name knows no session of the former', async () => {
  const { url } = await service.share('again');
  const browser = service.browser();
  await logIn(browser, url, 'ada@example.com');
  await service.client.shares.remove('again');
  assert.equal((await browser.open(url)).status, 404);
  await service.share('again');
  assert.equal((await browser.open(url)).status, 302);
});

test('Session and cookie: after a logout a copied cookie is dead within two seconds, and what it had open', async (t) => {
  const { url } = await service.share('copied');
  const browser = service.browser();
  await logIn(browser, url, 'ada@example.com');
  const copy = thief(browser);
  assert.equal((await copy.open(url)).status, 200);
  const open = await slowRequest(t, `${url}/slow`, copy);
  const { status } = await browser.open(`${service.endpointUrl}/corp/logout`);
  assert.equal(status, 302);
  assert.equal(browser.jar.find(SESSION), undefined);
  const startedAt = Date.now();
  await within(PROMPTLY_MS, async () => (await copy.open(url)).status === 302);
  await open.cut;
  assert.ok(Date.now() - startedAt < PROMPTLY_MS, 'the open request was cut');
  assert.equal((await copy.request(`${url}/.svc/session`)).status, 401);
  await service.restart();
  assert.equal((await copy.open(url)).status, 302, 'nor does a restart bring it back');
});

test('Session and cookie: cookies go to the hosts that they are for, no page can read them, and no token is in them', async () => {
  const { url } = await service.share('scoped');
  const browser = service.browser();
  const { answers } = await walkLogin(browser, url, { email: 'ada@example.com' });
  const own = answers
    .filter((answer) => answer.url.hostname.endsWith('share.localhost'))
    .flatMap(({ setCookies }) => setCookies);
  assert.ok(own.length >= 4);
  for (const cookie of own) {
    assert.match(cookie, /; HttpOnly; SameSite=Lax; Secure$/);
    assert.match(cookie, /; Path=\/(?:;|$)/);
    const [name = ''] = cookie.split('=', 1);
    if (name === SESSION) assert.match(cookie, /; Domain=share\.localhost;/);
    else assert.match(cookie, /^__Host-(?!.*Domain=)/i);
  }
  const longest = Math.max(...own.map((cookie) => cookie.length));
  assert.ok(longest < 4_096);
  const { headers } = JSON.parse((await browser.open(url)).body) as Echo;
  assert.doesNotMatch(String(headers.cookie), /svc-auth/);
});

/** A request that the backend has and never answers; `cut` resolves once the gate has cut it. */
async function slowRequest(t: TestContext, address: string, browser: Browser) {
  const url = new URL(address);
  const seen = service.backend.seen.length;
  const call = httpsRequest(url, {
    headers: { cookie: browser.jar.header(url) ?? '' },
    agent: false,
    ca: service.ca ?? '',
    lookup: (_host, options, done) =>
      options.all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
  }).end();
  t.after(() => call.destroy());
  const cut = Promise.withResolvers<void>();
  call.on('error', () => cut.resolve());
  call.on('response', (answer: IncomingMessage) =>
    cut.reject(new Error(`it was answered ${answer.statusCode}`)),
  );
  await within(PROMPTLY_MS, async () => service.backend.seen.length > seen);
  return { cut: cut.promise };
}

async function within(ms: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `it did not come about within ${ms} ms`);
    await pause(20);
  }
}
