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
import { loginWith } from '../../test/support/share-login.ts';
import { ServiceError } from '../domain/service-error.ts';
import { NO_FACTS } from '../domain/session-facts.ts';
import type { Session } from '../domain/session.ts';
import { openBeginGrant } from './begin-grant.ts';
import { openSessions } from './session-cookie.ts';

test('callback makes the session, sets the cookie and returns to the share, query included (4.1, 5.1 points 6 to 8)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare({ patterns: ['*@example.com'] });
  const browser = rig.browser();
  const bindingHash = 'A'.repeat(22);
  const answer = await logIn(browser, rig.startUrl(share, { bindingHash }), 'a@example.com');
  assert.equal(answer.status, 302);
  const [session] = cookieSessions(rig, browser);
  const begin = new URL(header(answer, 'location') ?? '');
  assert.equal(begin.origin + begin.pathname, `https://${share.hosts[0]}/.svc/begin`);
  assert.deepEqual(openBeginGrant(rig.deps.seal, begin.searchParams.get('grant') ?? ''), {
    sessionId: session!.id,
    shareId: share.id,
    bindingHash,
    returnUrl: `https://${share.hosts[0]}/page?q=1&r=a%20b`,
    addressKey: null,
    session: null,
    setOutAt: rig.clock.now,
    expiresAt: rig.clock.now + 30_000,
  });
  assert.equal(session!.shareId, share.id);
  assert.equal(session!.email, 'a@example.com');
  assert.equal(session!.bindingHash, bindingHash);
  assert.equal(session!.providerGeneration, share.login!.providers[0]!.provider!.generation);
  assert.equal(session!.expiresAt, rig.clock.now + rig.deps.oauth.sessionLifetimeMs);
  const state = await rig.store.sessions.state(session!.id);
  assert.deepEqual(state, {
    id: session!.id,
    subject: 'subject of a@example.com',
    checkedAt: rig.clock.now,
    refreshable: true,
    confirmed: false,
    ended: false,
    emailVerified: false,
  });
  assert.deepEqual(rig.reasons('login.succeeded'), [null]);
});

test('callback without a binding, over plain HTTP, returns straight to the share, and the session counts (4.1)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  const answer = await logIn(browser, rig.startUrl(share), 'a@example.com');
  assert.equal(header(answer, 'location'), `https://${share.hosts[0]}/page?q=1&r=a%20b`);
  const [session] = cookieSessions(rig, browser);
  assert.equal((await rig.store.sessions.state(session!.id))?.confirmed, true);
});

test('callback leaves the session that the browser has, in the store and in the cookie, until the new one is confirmed', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  const own = 'A'.repeat(22);
  await logIn(browser, rig.startUrl(share, { bindingHash: own }), 'a@example.com');
  const [former] = cookieSessions(rig, browser);
  const confirmation = { shareId: share.id, bindingHash: own, setOutAt: rig.clock.now, former: [] };
  await rig.store.sessions.confirm({ id: former!.id, ...confirmation, at: rig.clock.now });
  rig.clock.now += 120_000;
  await logIn(browser, rig.startUrl(share, { bindingHash: 'B'.repeat(21) + 'A' }), 'a@example.com');
  const [led, kept, ...more] = cookieSessions(rig, browser);
  assert.equal(kept?.id, former!.id);
  assert.deepEqual(more, []);
  const states = await Promise.all([led!.id, kept!.id].map((id) => rig.store.sessions.state(id)));
  assert.deepEqual(
    states.map((state) => [state?.confirmed, state?.ended]),
    [
      [false, false],
      [true, false],
    ],
  );
});

test('callback leads to no address of the service’s own: the share’s main page instead', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const home = `https://${share.hosts[0]}/`;
  for (const path of [
    '.svc/logout',
    '.svc',
    '%2Esvc/session',
    'x/..%2f.svc/begin',
    '/.svc/logout',
    'a;b/../.svc;c',
  ]) {
    const browser = rig.browser();
    const answer = await logIn(browser, rig.startUrl(share, { returnUrl: home + path }), 'a@example.com');
    assert.equal(header(answer, 'location'), home, path);
  }
});

test('callback sets the cookie with the attributes of the contract and takes the attempt away (2.5, 3 Session cookie)', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  const answer = await logIn(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
  const [session, attempt, ...others] = setCookies(answer);
  assert.match(
    session!,
    /^svc-auth-session=[\w.-]+; Domain=example\.com; Path=\/; Max-Age=21600; HttpOnly; SameSite=Lax; Secure$/,
  );
  assert.match(attempt!, /^__Host-svc-auth-attempt-[\w-]+=; .*Max-Age=0/);
  assert.deepEqual(others, []);
  assert.equal(header(answer, 'cache-control'), 'no-store');
  assert.equal(header(answer, 'referrer-policy'), 'no-referrer');
});

test('callback hands the attempt its own verifier and nonce (3 PKCE, nonce)', async () => {
  await using rig = await createLoginRig();
  await logIn(rig.browser(), rig.startUrl(await rig.addShare()), 'a@example.com');
  const { started, finished } = rig.provider('corp');
  assert.equal(finished[0]!.codeVerifier, started[0]!.codeVerifier);
  assert.equal(finished[0]!.nonce, started[0]!.nonce);
});

test('callback answers what the provider refuses or fails with its own status, and gives no session (2.2)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const cases = [
    ['access_denied', 403, 'login.refused'],
    ['provider_error', 502, 'login.failed'],
    ['provider_unreachable', 503, 'login.failed'],
    ['email_unverified', 403, 'login.refused'],
    ['email_unusable', 403, 'login.refused'],
  ] as const;
  for (const [code, status, kind] of cases) {
    for (const step of ['exchange', 'identify'] as const) {
      const browser = rig.browser();
      rig.provider('corp').script[step] = code;
      const answer = await logIn(browser, rig.startUrl(share), 'a@example.com');
      rig.provider('corp').script[step] = 'answer';
      assert.deepEqual([answer.status, codeOf(answer)], [status, code]);
      assert.equal(browser.jar.find('svc-auth-session'), undefined);
      assert.deepEqual(attempts(browser), []);
      assert.equal(rig.reasons(kind).at(-1), code);
    }
  }
  assert.equal(rig.provider('corp').revoked.length, cases.length);
});

test('callback refuses an email that matches no pattern: who, why, another account, no session, tokens revoked (3 Refused email)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare({ patterns: ['*@corp.example', 'boss@*'] });
  const browser = rig.browser();
  const callback = await callbackUrl(browser, rig.startUrl(share), 'me@elsewhere.example');
  const page = await browser.get(callback, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 403);
  assert.match(String(page.body), /me@elsewhere\.example/);
  assert.equal(browser.jar.find('svc-auth-session'), undefined);
  assert.equal(rig.provider('corp').revoked.length, 1);
  assert.deepEqual(rig.reasons('login.refused'), ['email_refused']);
  const another = /href="(https:\/\/auth\.example\.com\/corp\/login\?request=[^"]+)"/.exec(
    String(page.body),
  )![1]!;
  const answer = await logIn(browser, another, 'boss@elsewhere.example');
  assert.equal(rig.provider('corp').started.at(-1)!.selectAccount, true);
  assert.equal(header(answer, 'location'), `https://${share.hosts[0]}/page?q=1&r=a%20b`);
});

test('callback refuses who is in too many groups, or whose groups cannot be read, and says what to do: no session (too_many_groups)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  for (const code of ['too_many_groups', 'groups_unreadable'] as const) {
    const groupsFault = new ServiceError(code, 'Cannot keep the groups of a person');
    const person = { subject: 'a', email: 'a@example.com', facts: NO_FACTS, groupsFault };
    rig.provider('corp').accounts.set('a@example.com', person);
    const browser = rig.browser();
    const callback = await callbackUrl(browser, rig.startUrl(share), 'a@example.com');
    const page = await browser.get(callback, { headers: { accept: 'text/html' } });
    assert.equal(page.status, 502);
    assert.match(String(page.body), /groups[^<]*<[^]*Tell the owner/);
    assert.equal(browser.jar.find('svc-auth-session'), undefined);
    assert.equal(rig.reasons('login.failed').at(-1), code);
  }
  assert.equal(rig.provider('corp').revoked.length, 2);
});

test('callback lets any email in where no pattern is configured (3)', async () => {
  await using rig = await createLoginRig();
  const answer = await logIn(rig.browser(), rig.startUrl(await rig.addShare()), 'anyone@anywhere.example');
  assert.equal(answer.status, 302);
});

test('callback judges by the patterns of that moment (3 Bound to the share; THREATS "Email and identity": rules not applied after a change)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare({ patterns: ['*@example.com'] });
  const browser = rig.browser();
  const url = await callbackUrl(browser, rig.startUrl(share), 'a@example.com');
  rig.changeShare(share.id, (old) => ({
    ...old,
    login: { ...old.login!, emailPatterns: ['b@example.com'] },
  }));
  assert.equal(codeOf(await browser.get(url)), 'email_refused');
});

test('callback refuses an address that no header can carry, whatever the provider says (3 Email; THREATS "Email and identity")', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  for (const email of [
    'a@b@c.example',
    'a b@c.example',
    'a@c.example\r\nx: y',
    '"a"@c.example',
    '“a”@c.example',
  ]) {
    rig.provider('corp').accounts.set('a@example.com', { subject: 's', email });
    const answer = await logIn(rig.browser(), rig.startUrl(share), 'a@example.com');
    assert.deepEqual([answer.status, codeOf(answer)], [403, 'email_unusable'], email);
  }
});

test('callback gives no session for a share that changed or went while the visitor logged in (3)', async () => {
  await using rig = await createLoginRig();
  const cases = [
    ['share_unknown', () => undefined],
    ['share_unknown', (old) => ({ ...old, enabled: false })],
    ['provider_unusable', (old) => ({ ...old, login: loginWith(old, null) })],
    [
      'request_expired',
      (old) => ({
        ...old,
        login: loginWith(old, { name: 'other', generation: 'C'.repeat(22) }),
      }),
    ],
  ] as const satisfies readonly (readonly [string, Parameters<LoginRig['changeShare']>[1]])[];
  for (const [code, change] of cases) {
    const share = await rig.addShare();
    const browser = rig.browser();
    const url = await callbackUrl(browser, rig.startUrl(share), 'a@example.com');
    rig.changeShare(share.id, change);
    assert.equal(codeOf(await browser.get(url)), code);
    assert.equal(browser.jar.find('svc-auth-session'), undefined);
  }
  assert.equal(rig.provider('corp').revoked.length, cases.length);
});

test('callback returns to the share alone: an address that is no longer its own becomes its main page (THREATS "Open redirect")', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const host = share.hosts[0]!;
  for (const returnUrl of [
    'https://evil.example/',
    `https://${host}.evil.example/`,
    `https://${host}@evil.example/`,
    `https://user@${host}/`,
    `http://${host}/`,
    `https://${host}:8443/`,
    'javascript:alert(1)',
    '//evil.example',
    '',
  ]) {
    const answer = await logIn(rig.browser(), rig.startUrl(share, { returnUrl }), 'a@example.com');
    assert.equal(header(answer, 'location'), `https://${host}/`, returnUrl);
  }
});

test('callback fails closed with 503 while the store is away, and the attempt can be used afterwards (3 Gateways and store)', async () => {
  await using rig = await createLoginRig();
  let isAway = false;
  const { claim } = rig.deps.attempts;
  Object.assign(rig.deps.attempts, {
    claim: async (...claimed: Parameters<typeof claim>) => {
      if (isAway) throw new ServiceError('store_unavailable', 'Cannot claim: away');
      return claim(...claimed);
    },
  });
  const browser = rig.browser();
  const url = await callbackUrl(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
  isAway = true;
  const answer = await browser.get(url);
  assert.deepEqual([answer.status, codeOf(answer)], [503, 'store_unavailable']);
  assert.deepEqual(rig.provider('corp').exchanged, []);
  isAway = false;
  assert.equal((await browser.get(url)).status, 302);
});

test('callback never tells a fault of its own, and no page or event holds a token, code or state (THREATS "Secrets")', async () => {
  const lines: string[] = [];
  const write = (fields: unknown, message: string) => lines.push(JSON.stringify(fields) + message);
  await using rig = await createLoginRig({ log: { warn: write, error: write } });
  Object.assign(rig.provider('corp'), {
    identify: async () => {
      throw Object.assign(new Error('broken'), { response: 'access 1 secret' });
    },
  });
  const browser = rig.browser();
  const url = await callbackUrl(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
  const answer = await browser.get(url);
  assert.deepEqual([answer.status, codeOf(answer)], [500, 'internal']);
  assert.equal(lines.length, 1);
  const said = lines.join() + String(answer.body) + JSON.stringify(rig.events);
  for (const secret of ['access 1', 'code-of', url.searchParams.get('state')!])
    assert.ok(!said.includes(secret), secret);
});

function cookieSessions(rig: LoginRig, browser: RigBrowser): readonly Session[] {
  return openSessions(rig.deps.seal, browser.jar.find('svc-auth-session')?.value ?? '') ?? [];
}

function attempts(browser: RigBrowser) {
  return browser.jar.all().filter(({ name }) => name.startsWith('__Host-svc-auth-attempt-'));
}

test('callback that refuses someone does not end their session at another share (3; contract 2.5)', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  await logIn(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
  const closed = rig.startUrl(await rig.addShare({ patterns: ['*@other.example'] }));
  assert.equal((await logIn(browser, closed, 'a@example.com')).status, 403);
  assert.deepEqual(rig.provider('corp').revoked, []);
  // Somebody else's tokens are no session's, and go.
  assert.equal((await logIn(browser, closed, 'b@example.com')).status, 403);
  assert.equal(rig.provider('corp').revoked.length, 1);
});
