import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  callbackUrl,
  codeOf,
  createLoginRig,
  header,
  logIn,
  setCookies,
  type LoginRig,
  type RigBrowser,
} from '../../test/support/login-rig.ts';
import type { SessionId } from '../domain/id.ts';
import { randomToken } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import { parseCookies } from '../http/cookies.ts';
import { createOwedEnds } from '../store/sessions/owed-ends.ts';
import { claimAll } from '../store/suite/bench.test-support.ts';
import { createLogin } from './login.ts';
import { openLoginRequest } from './login-request.ts';
import { openSessions } from './session-cookie.ts';

const base = 'https://auth.example.com';
const bye = 'https://bye.example/?x=1#y';

test('logout revokes the token at the provider (4.2 point 1)', async () => {
  await using rig = await createLoginRig();
  const browser = await loggedIn(rig);
  await browser.get(`${base}/corp/logout`);
  assert.deepEqual(rig.provider('corp').revoked, ['access 1 a@example.com']);
});

test('logout expires the session cookie immediately and ends the session in the store (4.2 point 2; THREATS "Session and cookie": copied cookie)', async () => {
  await using rig = await createLoginRig();
  const browser = await loggedIn(rig);
  const [session] = sessionsOf(rig, browser);
  const answer = await browser.get(`${base}/corp/logout`);
  const [cookie, ...others] = setCookies(answer);
  assert.match(cookie!, /^svc-auth-session=; Domain=example\.com; Path=\/; Max-Age=0; .*Secure$/);
  assert.deepEqual(others, []);
  assert.equal(browser.jar.find('svc-auth-session'), undefined);
  const row = (await rig.store.sessions.find(session!.id))!;
  assert.deepEqual([row.endedAt, row.endReason], [rig.clock.now, 'logout']);
  const event = rig.events.find(({ kind }) => kind === 'logout');
  assert.deepEqual([event!.sessionId, event!.email], [session!.id, 'a@example.com']);
});

test('logout redirects to redirect_url if supplied (4.2 point 3)', async () => {
  await using rig = await createLoginRig();
  const browser = await loggedIn(rig);
  const answer = await browser.get(`${base}/corp/logout?redirect_url=${encodeURIComponent(bye)}`);
  assert.equal(answer.status, 302);
  assert.equal(header(answer, 'location'), bye);
  assert.equal(header(answer, 'cache-control'), 'no-store');
});

test("logout redirects to the provider's login page otherwise, which asks for an account (4.2 point 3; 3 Logout)", async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  const bindingHash = randomToken();
  await logIn(browser, rig.startUrl(share, { bindingHash }), 'a@example.com');
  const answer = await browser.get(`${base}/corp/logout`);
  const location = new URL(header(answer, 'location')!);
  assert.equal(location.origin + location.pathname, `${base}/corp/login`);
  const request = openLoginRequest(rig.deps.seal, location.searchParams.get('request')!)!;
  assert.equal(request.returnUrl, `https://${share.hosts[0]}/`);
  assert.equal(request.bindingHash, bindingHash);
  assert.equal(request.selectAccount, true);
  assert.equal((await logIn(browser, location.href, 'b@example.com')).status, 302);
  assert.equal(rig.provider('corp').started.at(-1)!.selectAccount, true);
});

test('logout of several shares, or of none, redirects to a login page without a share (3 Logout)', async () => {
  await using rig = await createLoginRig();
  const browser = await loggedIn(rig);
  await logIn(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
  for (const status of [302, 302]) {
    const answer = await browser.get(`${base}/corp/logout`);
    assert.equal(answer.status, status);
    assert.equal(header(answer, 'location'), `${base}/corp/login?prompt=login`);
  }
  assert.equal(rig.provider('corp').revoked.length, 2);
});

test('logout of a share that has another provider by now leads to no login that would be refused (3, 4.2 point 3)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  await logIn(browser, rig.startUrl(share, { bindingHash: randomToken() }), 'a@example.com');
  const provider = rig.provider('other');
  rig.changeShare(share.id, (former) => ({
    ...former,
    login: { ...former.login!, providers: [{ name: 'other', provider }], named: ['other'] },
  }));
  const answer = await browser.get(`${base}/corp/logout`);
  assert.equal(header(answer, 'location'), `${base}/corp/login?prompt=login`);
  assert.deepEqual(rig.provider('corp').revoked, ['access 1 a@example.com']);
});

test('logout leaves sessions of other providers alone: their cookie is sealed again without the ended ones (4.2 point 4)', async () => {
  await using rig = await createLoginRig();
  const browser = await loggedIn(rig);
  const other = await rig.addShare({ provider: 'other' });
  await logIn(browser, rig.startUrl(other), 'a@example.com');
  await browser.get(`${base}/corp/logout`);
  assert.deepEqual(
    sessionsOf(rig, browser).map(({ shareId }) => shareId),
    [other.id],
  );
  assert.deepEqual(rig.provider('other').revoked, []);
  assert.equal((await rig.store.sessions.state(sessionsOf(rig, browser)[0]!.id))!.ended, false);
});

test('logout at another provider ends, revokes and changes nothing, and still redirects (4.2 point 4)', async () => {
  await using rig = await createLoginRig();
  const browser = await loggedIn(rig);
  const before = browser.jar.find('svc-auth-session');
  const answer = await browser.get(`${base}/other/logout?redirect_url=${encodeURIComponent(bye)}`);
  assert.equal(header(answer, 'location'), bye);
  assert.deepEqual(setCookies(answer), []);
  assert.deepEqual(browser.jar.find('svc-auth-session'), before);
  assert.deepEqual([rig.provider('other').revoked, rig.provider('corp').revoked], [[], []]);
  assert.equal((await rig.store.sessions.state(sessionsOf(rig, browser)[0]!.id))!.ended, false);
});

test('logout clears the local session although revocation fails (4.2 point 5, 7)', async () => {
  await using rig = await createLoginRig();
  rig.provider('corp').script.revoke = 'fail';
  const browser = await loggedIn(rig);
  const [session] = sessionsOf(rig, browser);
  assert.equal((await browser.get(`${base}/corp/logout`)).status, 302);
  assert.equal(browser.jar.find('svc-auth-session'), undefined);
  assert.equal((await rig.store.sessions.state(session!.id))!.ended, true);
});

test(
  'logout does not wait longer than 3 seconds for a provider that never answers (4.2 point 5; 3 Logout)',
  { timeout: 60_000 },
  async (context) => {
    await using rig = await createLoginRig();
    Object.assign(rig.provider('corp'), { revoke: () => new Promise(() => undefined) });
    const browser = await loggedIn(rig);
    const { promise: armed, resolve } = Promise.withResolvers<void>();
    const { end } = rig.deps.sessions;
    Object.assign(rig.deps.sessions, {
      end: async (...ended: Parameters<typeof end>) => {
        const done = await end(...ended);
        context.mock.timers.enable({ apis: ['setTimeout'] });
        setImmediate(resolve);
        return done;
      },
    });
    const answer = browser.get(`${base}/corp/logout`);
    await armed;
    context.mock.timers.tick(3000);
    assert.equal((await answer).status, 302);
    assert.equal(browser.jar.find('svc-auth-session'), undefined);
  },
);

test('logout keeps the session of a login that was completed while the provider revoked (2.5; 3 One browser, many logins)', async () => {
  await using rig = await createLoginRig();
  const browser = await loggedIn(rig);
  const [left] = sessionsOf(rig, browser);
  const [share, other] = [await rig.addShare(), await rig.addShare({ provider: 'other' })];
  const urls = [
    await callbackUrl(browser, rig.startUrl(share), 'a@example.com'),
    await callbackUrl(browser, rig.startUrl(other), 'a@example.com'),
  ];
  const { revoke } = rig.provider('corp');
  Object.assign(rig.provider('corp'), {
    revoke: async (...revoked: Parameters<NonNullable<typeof revoke>>) => {
      for (const url of urls) assert.equal((await browser.get(url)).status, 302);
      await revoke!(...revoked);
    },
  });
  await browser.get(`${base}/corp/logout`);
  assert.deepEqual(
    new Set(sessionsOf(rig, browser).map(({ shareId }) => shareId)),
    new Set([share.id, other.id]),
  );
  assert.equal((await rig.store.sessions.state(left!.id))!.ended, true);
});

test('logout clears the cookie although the store goes away after the session was ended (4.2 point 2)', async () => {
  await using rig = await createLoginRig();
  const browser = await loggedIn(rig);
  Object.assign(rig.deps.sessions, {
    recent: () => Promise.reject(new ServiceError('store_unavailable', 'Cannot read: away')),
  });
  assert.equal((await browser.get(`${base}/corp/logout`)).status, 302);
  assert.equal(browser.jar.find('svc-auth-session'), undefined);
});

test('logout is idempotent: repeated, or without any session, it redirects without an error and sets no cookie (4.2 point 6, 3, 7)', async () => {
  await using rig = await createLoginRig();
  const browser = await loggedIn(rig);
  await browser.get(`${base}/corp/logout`);
  for (const visitor of [browser, rig.browser()]) {
    const answer = await visitor.get(`${base}/corp/logout?redirect_url=${encodeURIComponent(bye)}`);
    assert.deepEqual([answer.status, header(answer, 'location')], [302, bye]);
    assert.deepEqual(setCookies(answer), []);
  }
  assert.equal(rig.provider('corp').revoked.length, 1);
});

test('logout may lead to the page that says so, whatever hosts are allowed besides (4.2 point 3; issue: pages)', async () => {
  await using rig = await createLoginRig({ oauth: { logoutRedirectHosts: ['app.example.org'] } });
  const browser = await loggedIn(rig);
  const page = `${base}/logged-out`;
  const answer = await browser.get(`${base}/corp/logout?redirect_url=${encodeURIComponent(page)}`);
  assert.deepEqual([answer.status, header(answer, 'location')], [302, page]);
  const said = await browser.get(page);
  assert.equal(said.status, 200);
  assert.match(String(said.body), /You are logged out/);
});

test('logout with a bad redirect_url answers 400 and ends nothing (3 Logout)', async () => {
  await using rig = await createLoginRig({ oauth: { logoutRedirectHosts: ['*.example.com'] } });
  const browser = await loggedIn(rig);
  const [session] = sessionsOf(rig, browser);
  for (const url of [
    '',
    '/relative',
    '//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'https://x@app.example.com',
  ]) {
    const answer = await browser.get(`${base}/corp/logout?redirect_url=${encodeURIComponent(url)}`);
    assert.deepEqual([answer.status, codeOf(answer)], [400, 'redirect_refused'], url);
    assert.deepEqual(setCookies(answer), []);
  }
  assert.equal((await rig.store.sessions.state(session!.id))!.ended, false);
  const good = await browser.get(`${base}/corp/logout?redirect_url=https://app.example.com/bye`);
  assert.equal(header(good, 'location'), 'https://app.example.com/bye');
});

test('logout ends sessions of this browser that the cookie no longer names, and those of the cookie without the browser (3 Ended sessions)', async () => {
  await using rig = await createLoginRig();
  const lost = await loggedIn(rig);
  const [first] = sessionsOf(rig, lost);
  lost.jar.remove('svc-auth-session');
  const answer = await lost.get(`${base}/corp/logout`);
  assert.match(setCookies(answer)[0]!, /Max-Age=0/);
  assert.equal((await rig.store.sessions.state(first!.id))!.ended, true);

  const unknown = await loggedIn(rig);
  const [second] = sessionsOf(rig, unknown);
  unknown.jar.remove('__Host-svc-auth-browser');
  await unknown.get(`${base}/corp/logout`);
  assert.equal((await rig.store.sessions.state(second!.id))!.ended, true);
  assert.equal(rig.provider('corp').revoked.length, 2);
});

test('logout with a cookie of another browser ends what the cookie names and nothing else there', async () => {
  await using rig = await createLoginRig();
  const owner = await loggedIn(rig);
  const [named] = sessionsOf(rig, owner);
  const copied = owner.jar.find('svc-auth-session')!;
  rig.clock.now += 120_000;
  await logIn(owner, rig.startUrl(await rig.addShare()), 'a@example.com');
  const other = sessionsOf(rig, owner).find(({ id }) => id !== named!.id)!;
  const thief = rig.browser();
  thief.jar.put(copied);
  await thief.get(`${base}/corp/logout`);
  assert.equal((await rig.store.sessions.state(named!.id))!.ended, true);
  assert.equal((await rig.store.sessions.state(other.id))!.ended, false);
});

test('logout clears a cookie whose session of the provider ended elsewhere (4.2 point 2)', async () => {
  await using rig = await createLoginRig();
  const browser = await loggedIn(rig);
  await rig.store.sessions.end([sessionsOf(rig, browser)[0]!.id], { reason: 'ended', at: rig.clock.now });
  await browser.get(`${base}/corp/logout`);
  assert.equal(browser.jar.find('svc-auth-session'), undefined);
  assert.deepEqual(rig.provider('corp').revoked, []);
});

async function loggedIn(rig: LoginRig): Promise<RigBrowser> {
  const browser = rig.browser();
  await logIn(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
  return browser;
}

function sessionsOf(rig: LoginRig, browser: RigBrowser) {
  return openSessions(rig.deps.seal, browser.jar.find('svc-auth-session')?.value ?? '') ?? [];
}

for (const [how, broken] of [
  ['away', ['find', 'state', 'ofBrowser', 'recent', 'end']],
  ['read-only', ['end']],
] as const)
  test(`logout always logs out: with the store ${how} the cookie goes, and the end is owed (4.2)`, async () => {
    const faults = { now: true };
    await using rig = await createLoginRig();
    const share = await rig.addShare();
    const other = await rig.addShare({ provider: 'other' });
    const browser = rig.browser();
    await logIn(browser, rig.startUrl(other), 'a@example.com');
    await logIn(browser, rig.startUrl(share), 'a@example.com');
    const sessions = new Proxy(rig.store.sessions, {
      get: (table, name, receiver) =>
        faults.now && (broken as readonly unknown[]).includes(name)
          ? async () => {
              throw new ServiceError('store_unavailable', 'Cannot use the store: away');
            }
          : Reflect.get(table, name, receiver),
    });
    const refused: SessionId[] = [];
    const log = { warn: () => undefined, error: () => undefined };
    const owedEnds = createOwedEnds({ refuse: (ids) => refused.push(...ids), log });
    let told = 0;
    const tokensOwed = () => void told++;
    const login = createLogin({ ...rig.deps, sessions, owedEnds, tokensOwed });
    const before = openSessions(rig.deps.seal, browser.jar.find('svc-auth-session')?.value ?? '') ?? [];
    const id = before.find(({ shareId }) => shareId === share.id)!.id;
    const url = new URL(`${rig.deps.oauth.endpointUrl.origin}/corp/logout`);
    const answer = await login({
      method: 'GET',
      path: url.pathname,
      query: url.searchParams,
      rawQuery: '',
      headers: {},
      cookies: parseCookies(browser.jar.header(url) ?? undefined),
      ip: '192.0.2.1',
      requestId: 'req-1',
    });
    assert.equal(answer.status, 302);
    browser.jar.store(url, setCookies(answer));
    const left = openSessions(rig.deps.seal, browser.jar.find('svc-auth-session')?.value ?? '') ?? [];
    assert.deepEqual(
      left.map(({ shareId }) => shareId),
      [other.id],
    );
    assert.deepEqual(refused, [id]);
    assert.ok(owedEnds.has(id));
    await owedEnds.settle();
    assert.ok(owedEnds.has(id), 'the store is still away');
    assert.deepEqual(rig.reasons('logout'), []);
    faults.now = false;
    await Promise.all([owedEnds.settle(), owedEnds.settle()]);
    assert.ok(!owedEnds.has(id));
    assert.deepEqual(rig.reasons('logout'), [null]);
    assert.equal(told, 1);
    const owed = await claimAll(rig.store);
    assert.deepEqual(
      owed.map(({ row }) => row.id),
      [id],
    );
    assert.equal((await rig.store.sessions.state(id))?.ended, true);
    assert.equal((await rig.store.sessions.state(left[0]!.id))?.ended, false);
  });
