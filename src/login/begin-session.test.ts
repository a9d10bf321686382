import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  callbackUrl,
  createLoginRig,
  logIn,
  setCookies,
  type LoginRig,
  type RigBrowser,
} from '../../test/support/login-rig.ts';
import type { Session } from '../domain/session.ts';
import { parseCookies } from '../http/cookies.ts';
import { createLogin } from './login.ts';
import { openSessions } from './session-cookie.ts';

test('callback keeps the sessions of other shares in the cookie, newest first (3 Session cookie)', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  const shares = [await rig.addShare(), await rig.addShare(), await rig.addShare({ provider: 'other' })];
  for (const share of shares) {
    rig.clock.now += 120_000;
    await logIn(browser, rig.startUrl(share), 'a@example.com');
  }
  const kept = cookieSessions(rig, browser).map(({ shareId }) => shareId);
  assert.deepEqual(kept, shares.map(({ id }) => id).toReversed());
});

test('callback keeps what the browser says of itself, and not more than is of use', async () => {
  await using rig = await createLoginRig();
  const [one, two] = [await rig.addShare(), await rig.addShare()];
  for (const [share, sent, kept] of [
    [one, `Mozilla/5.0 ${'x'.repeat(10_000)}`, `Mozilla/5.0 ${'x'.repeat(244)}`],
    [two, undefined, null],
  ] as const) {
    const browser = rig.browser();
    const callback = await callbackUrl(browser, rig.startUrl(share), 'a@example.com');
    await browser.get(callback, sent === undefined ? {} : { headers: { 'user-agent': sent } });
    const [session] = cookieSessions(rig, browser);
    assert.equal((await rig.store.sessions.find(session!.id))?.userAgent, kept);
  }
});

test('callback drops sessions from the cookie that ended or expired meanwhile (3 One browser, many logins)', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  const [one, two, three] = [await rig.addShare(), await rig.addShare(), await rig.addShare()];
  await logIn(browser, rig.startUrl(one), 'a@example.com');
  const [first] = cookieSessions(rig, browser);
  rig.clock.now += 120_000;
  await rig.store.sessions.end([first!.id], { reason: 'ended', at: rig.clock.now });
  await logIn(browser, rig.startUrl(two), 'a@example.com');
  assert.deepEqual(
    cookieSessions(rig, browser).map(({ shareId }) => shareId),
    [two.id],
  );
  const old = browser.jar.find('svc-auth-session')!;
  rig.clock.now += rig.deps.oauth.sessionLifetimeMs;
  browser.jar.put({ ...old, expiresAt: null });
  await logIn(browser, rig.startUrl(three), 'a@example.com');
  assert.deepEqual(
    cookieSessions(rig, browser).map(({ shareId }) => shareId),
    [three.id],
  );
});

test('callback ends the session that it replaces, also one that another browser cookie made (THREATS "Session and cookie": fixation)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  await logIn(browser, rig.startUrl(share), 'a@example.com');
  const [first] = cookieSessions(rig, browser);
  browser.jar.remove('__Host-svc-auth-browser');
  // All in one transaction: were the service to stop between two, both sessions would live.
  Object.assign(rig.deps.sessions, { end: () => assert.fail('ended in a transaction of its own') });
  await logIn(browser, rig.startUrl(share), 'b@example.com');
  const sessions = cookieSessions(rig, browser);
  assert.deepEqual(
    sessions.map(({ email }) => email),
    ['b@example.com'],
  );
  assert.equal((await rig.store.sessions.state(first!.id))!.ended, true);
  rig.clock.now += 60_000;
  await logIn(browser, rig.startUrl(share), 'c@example.com');
  assert.equal((await rig.store.sessions.state(sessions[0]!.id))!.ended, true);
});

test('callbacks of five tabs at once lose no session (3 One browser, many logins)', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  const urls: URL[] = [];
  for (let tab = 0; tab < 5; tab++)
    urls.push(await callbackUrl(browser, rig.startUrl(await rig.addShare()), 'a@example.com'));
  const answers = await Promise.all(urls.map((url) => browser.get(url)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [302, 302, 302, 302, 302],
  );
  assert.equal(cookieSessions(rig, browser).length, 5);
});

test('callbacks of five tabs of one share at once let each tab in, without a loop (3 One browser, many logins)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  const urls: URL[] = [];
  for (let tab = 0; tab < 5; tab++)
    urls.push(await callbackUrl(browser, rig.startUrl(share), 'a@example.com'));
  rig.clock.now += 1;
  const answers = await Promise.all(urls.map((url) => browser.get(url)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [302, 302, 302, 302, 302],
  );
  const sessions = cookieSessions(rig, browser);
  assert.equal(sessions.length, 5);
  for (const { id } of sessions) assert.equal((await rig.store.sessions.state(id))!.ended, false);
  rig.clock.now += 60_000;
  await logIn(browser, rig.startUrl(share), 'a@example.com');
  assert.equal(cookieSessions(rig, browser).length, 1, 'a later login replaces them all');
});

test('callback counts a login from when the gate sent the visitor away (3 One browser, many logins)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  const [first, second] = [rig.startUrl(share), rig.startUrl(share)];
  rig.clock.now += 1;
  await logIn(browser, first, 'a@example.com');
  rig.clock.now += 1;
  await logIn(browser, second, 'a@example.com');
  assert.equal(cookieSessions(rig, browser).length, 2);
});

test('callback explains instead of logging in for the third time in 30 seconds (3 One browser, many logins)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  for (const status of [302, 302, 409]) {
    const answer = await logIn(browser, rig.startUrl(share), 'a@example.com');
    assert.equal(answer.status, status);
  }
  // The person is logged in from the logins before: revoking would take their grant away.
  assert.equal(rig.provider('corp').revoked.length, 0);
  assert.deepEqual(rig.reasons('login.failed'), ['login_loop']);
  rig.clock.now += 31_000;
  assert.equal((await logIn(browser, rig.startUrl(share), 'a@example.com')).status, 302);
});

test('callback marks sessions of providers without refresh as not to be checked (3, "provider does not support refresh")', async () => {
  await using rig = await createLoginRig();
  const { refresh: _, ...without } = rig.provider('corp');
  const deps = { ...rig.deps, provider: () => without };
  const browser = rig.browser();
  const url = await callbackUrl(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
  const answer = await createLogin(deps)({
    method: 'GET',
    path: url.pathname,
    query: url.searchParams,
    rawQuery: url.search.slice(1),
    headers: {},
    cookies: parseCookies(browser.jar.header(url)!),
    ip: null,
    requestId: 'req-2',
  });
  browser.jar.store(url, setCookies(answer));
  const [session] = cookieSessions(rig, browser);
  assert.equal((await rig.store.sessions.state(session!.id))!.refreshable, false);
});

function cookieSessions(rig: LoginRig, browser: RigBrowser): readonly Session[] {
  return openSessions(rig.deps.seal, browser.jar.find('svc-auth-session')?.value ?? '') ?? [];
}
