import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  callbackUrl,
  codeOf,
  createLoginRig,
  header,
  logIn,
  setCookies,
} from '../../test/support/login-rig.ts';

const base = 'https://auth.example.com';

test('createLogin() answers 404 for unknown providers and addresses (2.2)', async () => {
  await using rig = await createLoginRig();
  for (const flow of ['login', 'logout', 'auth/callback']) {
    const answer = await rig.browser().get(`${base}/nobody/${flow}`);
    assert.deepEqual([answer.status, codeOf(answer)], [404, 'provider_unknown']);
  }
  for (const path of [
    '/',
    '/corp',
    '/corp/login/',
    '/corp/auth',
    '/Corp/login',
    '/corp%2Flogin',
    '//corp/login',
    '/corp/./login/x',
  ]) {
    const answer = await rig.browser().get(base + path);
    assert.deepEqual([answer.status, codeOf(answer)], [404, 'not_found'], path);
  }
});

test('createLogin() answers 405 with Allow for wrong methods (2.2, 4.1, 4.2)', async () => {
  await using rig = await createLoginRig();
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    for (const flow of ['corp/login', 'corp/logout', 'corp/auth/callback', '.well-known/jwks.json']) {
      const answer = await rig.browser().get(`${base}/${flow}`, { method });
      assert.equal(answer.status, 405);
      assert.match(header(answer, 'allow') ?? '', /^GET/);
    }
  }
});

test('createLogin() uses nothing up for HEAD: callback and logout answer 405 and still work by GET (2.2)', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  const callback = await callbackUrl(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
  assert.equal((await browser.get(callback, { method: 'HEAD' })).status, 405);
  assert.equal((await browser.get(callback)).status, 302);
  const session = browser.jar.find('svc-auth-session');
  assert.equal((await browser.get(`${base}/corp/logout`, { method: 'HEAD' })).status, 405);
  assert.deepEqual(browser.jar.find('svc-auth-session'), session);
  assert.deepEqual(rig.provider('corp').revoked, []);
});

test('createLogin() refuses parameters given twice (RFC 6749 3.1; THREATS "Protocol": duplicated parameters)', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  const callback = await callbackUrl(browser, rig.startUrl(await rig.addShare()), 'a@example.com');
  for (const name of ['state', 'code', 'iss']) {
    const twice = new URL(callback);
    twice.searchParams.append(name, twice.searchParams.get(name) ?? 'x');
    if (name === 'iss') twice.searchParams.append(name, 'y');
    const answer = await browser.get(twice);
    assert.deepEqual([answer.status, codeOf(answer)], [400, 'bad_request']);
  }
  const logout = await browser.get(
    `${base}/corp/logout?redirect_url=https://a.example&redirect_url=https://b.example`,
  );
  assert.equal(logout.status, 400);
  assert.deepEqual(rig.provider('corp').exchanged, []);
});

test('createLogin() serves the public keys of the identity assertion (2.2)', async () => {
  await using rig = await createLoginRig();
  const answer = await rig.browser().get(`${base}/.well-known/jwks.json`);
  assert.equal(answer.status, 200);
  assert.deepEqual(JSON.parse(String(answer.body)), rig.deps.jwks);
});

test('login without a request ends on a plain page and makes no session (2.2)', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  const answer = await logIn(browser, `${base}/corp/login?prompt=login`, 'a@example.com');
  assert.equal(answer.status, 200);
  assert.match(String(answer.body), /a@example\.com/);
  assert.equal(browser.jar.find('svc-auth-session'), undefined);
  assert.equal(rig.provider('corp').started[0]!.selectAccount, true);
  assert.ok(setCookies(answer).every((cookie) => cookie.includes('Max-Age=0')));
});

test('createLogin() answers a page to people and a problem document to programs, both private (2.2)', async () => {
  await using rig = await createLoginRig();
  const url = `${base}/corp/auth/callback?state=x`;
  const page = await rig.browser().get(url, { headers: { 'sec-fetch-mode': 'navigate' } });
  const problem = await rig.browser().get(url, { headers: { accept: 'application/json' } });
  assert.match(header(page, 'content-type')!, /^text\/html/);
  assert.match(header(problem, 'content-type')!, /^application\/problem\+json/);
  for (const answer of [page, problem]) {
    assert.equal(answer.status, 400);
    assert.equal(header(answer, 'cache-control'), 'no-store');
    assert.equal(header(answer, 'referrer-policy'), 'no-referrer');
    assert.match(String(answer.body), /req-1/);
  }
});

test('the OAuth frontend does nothing ahead of the person, and counts nothing (Sec-Purpose)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  const { endpointUrl } = rig.deps.oauth;
  const callback = await callbackUrl(browser, rig.startUrl(share), 'a@example.com');
  const cookies = browser.jar.header(endpointUrl);
  for (const [name, value] of [
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'prefetch'],
    ['x-moz', 'prefetch'],
  ] as const)
    for (const url of [
      rig.startUrl(share),
      callback,
      `${endpointUrl.origin}/corp/logout`,
      `${endpointUrl.origin}/corp/logged-out`,
      `${endpointUrl.origin}/corp/login`,
    ]) {
      const answer = await browser.get(url, { headers: { [name]: value } });
      assert.equal(answer.status, 403, `${name} ${String(url)}`);
      assert.equal(codeOf(answer), 'looked_ahead');
      assert.equal(header(answer, 'location'), null);
      assert.deepEqual(setCookies(answer), []);
      assert.equal(header(answer, 'cache-control'), 'no-store');
    }
  assert.equal(browser.jar.header(endpointUrl), cookies);
  assert.deepEqual(rig.events, []);
  assert.equal((await browser.get(callback)).status, 302, 'the person’s own step works after that');
});
