import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  callbackUrl,
  codeOf,
  createLoginRig,
  header,
  logIn,
  type LoginRig,
} from '../../test/support/login-rig.ts';
import type { Answer } from '../http/answer.ts';
import { type CookiePair, parseCookies } from '../http/cookies.ts';
import { createCallbackLimit } from './callback-limit.ts';
import { createProviderPlaces } from './provider-places.ts';

test('createCallbackLimit() counts a /48 of IPv6 as four networks, at each back channel by itself (3 Rate limits)', () => {
  const limit = createCallbackLimit(3);
  for (let site = 0; site < 12; site++) limit.failed(`2001:db8:0:${site.toString(16)}::1`, 'corp');
  const blocked = (ip: string, provider: string | null = 'corp') =>
    limit.blockedSeconds(ip, provider) !== null;
  assert.deepEqual(
    [blocked('2001:db8:0:ffff::1'), blocked('2001:db8:0:ffff::1', null), blocked('2001:db8:1::1')],
    [true, false, false],
  );
});

test('callback answers 429 with Retry-After once too many of an address failed, and never to a login that this browser began (3 Rate limits)', async () => {
  await using rig = await createLoginRig({ limiter: createCallbackLimit(3) });
  const share = await rig.addShare();
  for (let login = 0; login < 5; login++)
    assert.equal((await logIn(rig.browser(), rig.startUrl(share), 'a@example.com')).status, 302);
  const browser = rig.browser();
  const url = await callbackUrl(browser, rig.startUrl(share), 'a@example.com');
  const forged = new URL(url);
  forged.searchParams.set('state', 'x');
  for (let failure = 0; failure < 3; failure++) assert.equal((await browser.get(forged)).status, 400);
  const answer = await browser.get(forged);
  assert.deepEqual([answer.status, codeOf(answer)], [429, 'rate_limited']);
  assert.match(header(answer, 'retry-after')!, /^[1-9]\d?$/);
  assert.equal((await browser.get(url)).status, 302, 'a colleague behind the same address logs in');
  const stranger = await rig.browser().get(url);
  assert.equal(stranger.status, 429, 'whoever has the address of a login alone waits');
});

test('callback counts an attempt that is over, used up or of a former definition as no login of this browser: it waits with the rest, and takes no place (3 Rate limits)', async () => {
  let placesTaken = 0;
  const forLogin = async () => {
    placesTaken++;
    return () => undefined;
  };
  const places = { ...createProviderPlaces(), forLogin };
  const cases = {
    over: (rig: LoginRig) => void (rig.clock.now += rig.deps.oauth.intermediateLifetimeMs),
    redefined: (rig: LoginRig) => void Object.assign(rig.provider('corp'), { generation: 'C'.repeat(22) }),
    'used up': async (_rig: LoginRig, ask: () => Promise<Answer>) => {
      assert.equal((await ask()).status, 302);
      placesTaken--;
    },
  };
  for (const [name, change] of Object.entries(cases)) {
    placesTaken = 0;
    await using rig = await createLoginRig({ limiter: createCallbackLimit(3), places });
    const browser = rig.browser();
    const url = await callbackUrl(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
    const cookies = parseCookies(browser.jar.header(url) ?? undefined);
    const ask = () => askWith(rig, { url, cookies });
    await change(rig, ask);
    for (let failure = 0; failure < 3; failure++) assert.equal((await ask()).status, 400, name);
    assert.equal((await ask()).status, 429, name);
    assert.equal(placesTaken, 0, name);
  }
});

test('callback asks the store once whether an attempt was used up, however often it comes unseen', async () => {
  await using rig = await createLoginRig({ limiter: createCallbackLimit(3) });
  let claims = 0;
  const { claim } = rig.deps.attempts;
  Object.assign(rig.deps.attempts, {
    claim: (...claimed: Parameters<typeof claim>) => {
      claims++;
      return claim(...claimed);
    },
  });
  const browser = rig.browser();
  const url = await callbackUrl(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
  const cookies = parseCookies(browser.jar.header(url) ?? undefined);
  const headers = { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' };
  assert.equal((await askWith(rig, { url, cookies })).status, 302);
  for (let replay = 0; replay < 5; replay++)
    assert.equal(codeOf(await askWith(rig, { url, cookies, headers })), 'state_replayed');
  assert.equal(claims, 1);
});

test('callback counts nothing that any page may have a browser ask for unseen (3 Rate limits)', async () => {
  await using rig = await createLoginRig({ limiter: createCallbackLimit(3) });
  const browser = rig.browser();
  const forged = 'https://auth.example.com/corp/auth/callback?state=x&code=y';
  const unseen = [
    { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' },
  ];
  for (const headers of [...unseen, ...unseen])
    assert.equal((await browser.get(forged, { headers })).status, 400);
  const seen = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
  for (let failure = 0; failure < 3; failure++)
    assert.equal((await browser.get(forged, { headers: seen })).status, 400);
  assert.equal((await browser.get(forged, { headers: seen })).status, 429);
});

test('createCallbackLimit() counts a /64 of IPv6 and a mapped IPv4 address as one', async () => {
  const limit = createCallbackLimit(1);
  await limit.failed('2001:db8:0:1::5');
  await limit.failed('::ffff:192.0.2.7');
  await limit.failed(null);
  for (const ip of [
    '2001:db8:0:1:ffff::1',
    '2001:DB8::1:0:0:0:9',
    '2001:0db8:0000:0001::',
    '192.0.2.7',
    null,
  ])
    assert.notEqual(await limit.blockedSeconds(ip), null, String(ip));
  for (const ip of ['2001:db8:0:2::5', '2001:db8::', '192.0.2.8', '::1'])
    assert.equal(await limit.blockedSeconds(ip), null, ip);
});

type Asked = {
  readonly url: URL;
  readonly cookies: readonly CookiePair[];
  readonly headers?: Record<string, string>;
};

/** As a browser that keeps the cookies that it is asked to forget. */
function askWith(rig: LoginRig, { url, cookies, headers = {} }: Asked): Promise<Answer> {
  return rig.login({
    method: 'GET',
    path: url.pathname,
    query: url.searchParams,
    rawQuery: url.search.slice(1),
    headers,
    cookies,
    ip: '192.0.2.1',
    requestId: 'req-1',
  });
}
