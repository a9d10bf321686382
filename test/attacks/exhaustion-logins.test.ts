// THREATS "Exhaustion" of a provider that many share: neither one visitor nor strangers without any
// credential keep others from logging in there, or from having their sessions checked.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { UnsecuredJWT } from 'jose';
import { newId, type SessionId } from '../../src/domain/id.ts';
import type { AuditEvent } from '../../src/domain/audit-event.ts';
import { ServiceError } from '../../src/domain/service-error.ts';
import type { Answer } from '../../src/http/answer.ts';
import { createFailureEvents } from '../../src/login/failure-events.ts';
import type { LoginHttpRequest } from '../../src/login/login-deps.ts';
import { createProviderPlaces, FAILED_CODES } from '../../src/login/provider-places.ts';
import { createRecheck } from '../../src/login/recheck.ts';
import { openSessions } from '../../src/login/session-cookie.ts';
import type { CallbackResponse } from '../../src/providers/provider.ts';
import { callbackUrl, createLoginRig, logIn, type LoginRig } from '../support/login-rig.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { CHECK_INTERVAL_MS, type LoginFrontend, startLoginFrontend } from '../support/login-frontend.ts';
import { CLIENT, providerSettings } from '../support/providers/log-in-at.ts';
import { sendJson } from '../support/providers/loopback-server.ts';
import { startOpenIdStandIn, type OpenIdHooks } from '../support/providers/openid-stand-in.ts';

const HOUR_MS = 60 * 60 * 1000;
/** As a logout token may look, of nobody's making. */
const SHAPED_TOKEN = new UnsecuredJWT({ iss: 'https://idp.example', aud: 'doorward' }).encode();

test('Exhaustion: a limit that one visitor’s token has used up stops nobody else’s session check, and no login', async (t) => {
  await using frontend = await startLoginFrontend();
  let limited = false;
  await useStandIn(t, frontend, {
    intercept(_request, response, path) {
      if (!limited || path !== '/userinfo') return false;
      response.setHeader('retry-after', '3600');
      sendJson(response, 503, {});
      return true;
    },
  });
  const share = await frontend.addShare({ provider: 'corp' });
  const session = async (email: string): Promise<SessionId> => {
    const browser = frontend.browser();
    await walkLogin(browser, frontend.startUrl(share), { email });
    const [found] = frontend.sessions(browser);
    assert.ok(found);
    return found.id;
  };
  const ofVisitor = await session('visitor@example.com');
  const ofOther = await session('other@example.com');
  frontend.clock.aheadMs = CHECK_INTERVAL_MS;
  const recheck = frontend.newRecheck();
  limited = true;
  assert.deepEqual(await recheck(ofVisitor), { kind: 'unavailable' });
  assert.deepEqual(await frontend.newRecheck()(ofVisitor), { kind: 'unavailable' });
  limited = false;
  await session('third@example.com');
  assert.equal((await recheck(ofOther)).kind, 'session');
});

test('Exhaustion: strangers who end logins with made-up codes take neither logins nor checks of a provider from others', async () => {
  await using rig = await createLoginRig({ places: createProviderPlaces() });
  const share = await rig.addShare({ intervalMs: 2 * HOUR_MS });
  const member = rig.browser();
  await logIn(member, rig.startUrl(share), 'member@example.com');
  const [session] = openSessions(rig.deps.seal, member.jar.find('svc-auth-session')?.value ?? '') ?? [];
  rig.clock.now += 2 * HOUR_MS;
  const { peak, open, release } = slowExchanges(rig);
  const answers: Promise<Answer>[] = [];
  for (let stranger = 0; stranger < 300; stranger++) answers.push(forgedLogin(rig, '2001:db8::1'));
  await until(() => open() > 0 && answers.length === 300);
  await settled();
  assert.ok(peak() <= 7, `${peak()} calls of one network at once`);
  const colleague = rig.browser();
  const url = await callbackUrl(colleague, rig.startUrl(share), 'colleague@example.com');
  const logged = colleague.get(url, { ip: '192.0.2.7' });
  const recheck = createRecheck(rig.deps);
  assert.ok(session);
  assert.equal((await recheck(session.id)).kind, 'session', 'a check waits for no login');
  assert.equal((await logged).status, 302, 'with every call of the strangers still under way');
  release();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  assert.ok(statuses.filter((status) => status === 429).length >= 90, String(statuses));
});

test('Exhaustion: a network whose codes were worth nothing has few logins at once, and its people still log in', async () => {
  await using rig = await createLoginRig({ places: createProviderPlaces() });
  const share = await rig.addShare();
  const { exchange } = rig.provider('corp');
  rig.provider('corp').script.exchange = 'provider_error';
  for (let stranger = 0; stranger < FAILED_CODES; stranger++)
    assert.equal((await forgedLogin(rig, '192.0.2.1')).status, 502);
  rig.provider('corp').script.exchange = 'answer';
  const colleagues = Array.from({ length: 4 }, (_, number) =>
    logIn(rig.browser(), rig.startUrl(share), `colleague-${number}@example.com`),
  );
  for (const answer of await Promise.all(colleagues)) assert.equal(answer.status, 302);
  Object.assign(rig.provider('corp'), { exchange });
  const { open, release } = slowExchanges(rig);
  const flood = Array.from({ length: 20 }, () => forgedLogin(rig, '192.0.2.1'));
  await until(() => open() === 4);
  const other = await logIn(rig.browser(), rig.startUrl(share), 'other@example.com').catch(String);
  assert.equal(typeof other === 'string' ? other : other.status, 429, 'beyond the few');
  release();
  const refused = (await Promise.all(flood)).filter(({ status }) => status === 429);
  assert.equal(refused.length, 16);
  for (const { headers } of refused) assert.ok(headers.some(([name]) => name === 'retry-after'));
  assert.equal((await logIn(rig.browser(), rig.startUrl(share), 'other@example.com')).status, 302);
});

test('Exhaustion: the service refuses what made-up codes of one address are too many, and a colleague behind it logs in', async (t) => {
  const service = await startTestService();
  t.after(service.close);
  const issuer = encodeURIComponent(service.idp.issuer);
  const begun = async () => {
    const browser = service.browser();
    const { location } = await browser.open(`${service.endpointUrl}/corp/login`);
    const state = location?.searchParams.get('state') ?? '';
    const callback = `${service.endpointUrl}/corp/auth/callback?code=x&state=${state}&iss=${issuer}`;
    return async () => (await browser.open(callback)).status;
  };
  const endings = await Promise.all(Array.from({ length: FAILED_CODES + 40 }, begun));
  for (const end of endings.slice(40)) assert.equal(await end(), 502);
  const statuses = await Promise.all(endings.slice(0, 40).map((end) => end()));
  assert.deepEqual([...new Set(statuses)].toSorted(), [429, 502]);
  const share = await service.share('shared');
  const { last } = await walkLogin(service.browser(), new URL(share.url), { email: 'colleague@example.com' });
  assert.equal(last.status, 200);
});

test('Exhaustion: failed logins are written down within a budget for each network and share, and the rest is counted', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const told: AuditEvent[] = [];
  const auditFailure = createFailureEvents(
    (event) => told.push(event),
    () => 0,
  );
  await using rig = await createLoginRig({ auditFailure });
  rig.provider('corp').script.exchange = 'provider_error';
  for (let stranger = 0; stranger < 300; stranger++) await forgedLogin(rig, `2001:db8:${stranger % 30}::1`);
  assert.equal(told.length, 100);
  assert.equal(rig.events.length, 0);
  const share = await rig.addShare();
  assert.equal((await logIn(rig.browser(), rig.startUrl(share), 'a@example.com')).status, 502);
  assert.equal(told.at(-1)?.shareId, share.id, 'another’s are told of all the same');
  t.mock.timers.tick(60_000);
  const omitted = told.filter(({ kind }) => kind === 'refusals.omitted');
  assert.deepEqual(
    omitted.map(({ provider, reason, ip }) => ({ provider, reason, ip })),
    [{ provider: 'corp', reason: '200 refusals', ip: null }],
  );
});

test('Exhaustion: failures that name nobody, of kinds and networks whatever, hide nobody whom a provider names', async () => {
  const told: AuditEvent[] = [];
  const auditFailure = createFailureEvents(
    (event) => told.push(event),
    () => 0,
  );
  await using rig = await createLoginRig({ auditFailure });
  const share = await rig.addShare({ patterns: ['*@corp.example'] });
  for (let stranger = 0; stranger < 120; stranger++) {
    const ip = `198.51.100.${stranger}`;
    const browser = rig.browser();
    const url = await callbackUrl(browser, rig.startUrl(share), 'stranger@example.com');
    rig.provider('corp').script.exchange = stranger % 2 === 0 ? 'provider_error' : 'access_denied';
    await browser.get(url, { ip });
  }
  assert.equal(told.length, 100);
  rig.provider('corp').script.exchange = 'answer';
  assert.equal((await logIn(rig.browser(), rig.startUrl(share), 'eve@example.com')).status, 403);
  assert.deepEqual(
    [told[100]?.kind, told[100]?.email, told[100]?.reason],
    ['login.refused', 'eve@example.com', 'email_refused'],
  );
});

test('Exhaustion: logout tokens at an account’s own provider are judged a few at a time, and those beyond are told to come again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await using rig = await createLoginRig({ places: createProviderPlaces() });
  const released = Promise.withResolvers<void>();
  let judged = 0;
  const verifyLogoutToken = async () => {
    judged++;
    await released.promise;
    return disbelieve();
  };
  Object.assign(rig.provider('corp'), { accountId: newId('acc'), verifyLogoutToken });
  const answers = Array.from({ length: 300 }, (_, number) =>
    rig.login(logoutRequest(`logout_token=${SHAPED_TOKEN}`, `192.0.2.${number % 100}`)),
  );
  const refused = await Promise.all(answers.slice(260));
  assert.deepEqual([...new Set(refused.map(({ status }) => status))], [429]);
  assert.equal(judged, 4);
  released.resolve();
  for (let round = 0; round < 80; round++) {
    t.mock.timers.tick(200);
    await settled();
  }
  const statuses = (await Promise.all(answers.slice(0, 260))).map(({ status }) => status);
  assert.deepEqual([...new Set(statuses)], [400]);
});

test('Exhaustion: what cannot be a logout token is refused before it takes a place', async () => {
  let entered = 0;
  const forLogoutToken = async () => {
    entered++;
    return () => undefined;
  };
  await using rig = await createLoginRig({ places: { ...createProviderPlaces(), forLogoutToken } });
  Object.assign(rig.provider('corp'), { verifyLogoutToken: disbelieve });
  const shapeless = [
    '',
    'logout_token=x',
    'logout_token=a.b.c',
    'logout_token=a.b.c.d.e',
    `logout_token=${SHAPED_TOKEN}&logout_token=${SHAPED_TOKEN}`,
    `logout_token=${new UnsecuredJWT({ iss: 'https://idp.example' }).encode()}`,
    `logout_token=${new UnsecuredJWT({ aud: 'doorward' }).encode()}`,
  ];
  for (const body of shapeless) assert.equal((await rig.login(logoutRequest(body, '192.0.2.1'))).status, 400);
  assert.equal(entered, 0);
  await rig.login(logoutRequest(`logout_token=${SHAPED_TOKEN}`, '192.0.2.1'));
  assert.equal(entered, 1);
});

async function disbelieve(): Promise<never> {
  throw new ServiceError('provider_error', 'Cannot accept the logout token: as scripted');
}

function logoutRequest(body: string, ip: string): LoginHttpRequest {
  return {
    method: 'POST',
    path: '/corp/backchannel-logout',
    query: new URLSearchParams(),
    rawQuery: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
    cookies: [],
    ip,
    requestId: 'req-1',
  };
}

/** Begins a login that is for nothing, and ends it with a code that nobody gave out. */
async function forgedLogin(rig: LoginRig, ip: string): Promise<Answer> {
  const browser = rig.browser();
  const url = await callbackUrl(browser, 'https://auth.example.com/corp/login', 'stranger@example.com');
  return browser.get(url, { ip });
}

/** Those of strangers do not end before `release`. */
function slowExchanges(rig: LoginRig) {
  const corp = rig.provider('corp');
  const { exchange } = corp;
  const released = Promise.withResolvers<void>();
  const state = { open: 0, peak: 0 };
  Object.assign(corp, {
    exchange: async (response: CallbackResponse) => {
      if (response.url.searchParams.get('code') !== 'code-of-stranger@example.com') return exchange(response);
      state.open++;
      state.peak = Math.max(state.peak, state.open);
      await released.promise;
      state.open--;
      throw new ServiceError('provider_error', 'Cannot exchange the code: it is worth nothing');
    },
  });
  return { peak: () => state.peak, open: () => state.open, release: released.resolve };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function useStandIn(t: TestContext, frontend: LoginFrontend, hooks: OpenIdHooks) {
  const clients = [{ ...CLIENT, redirectUris: [frontend.redirectUri('corp')] }];
  const standIn = await startOpenIdStandIn({ clients }, hooks);
  t.after(standIn.close);
  frontend.useProviders([providerSettings({ issuer: standIn.issuer })]);
  return standIn;
}
