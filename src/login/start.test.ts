import assert from 'node:assert/strict';
import { test } from 'node:test';

import { callbackUrl, codeOf, createLoginRig, header, setCookies } from '../../test/support/login-rig.ts';
import { loginWith } from '../../test/support/share-login.ts';
import { createSeal } from './seal.ts';
import { sealLoginRequest } from './login-request.ts';

test('login sends the browser to the provider of the share with state, nonce and PKCE (5.1 point 3)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const answer = await rig.browser().get(rig.startUrl(share));
  assert.equal(answer.status, 302);
  const location = new URL(header(answer, 'location')!);
  assert.equal(location.hostname, 'corp.idp.example');
  assert.equal(location.searchParams.get('redirect_uri'), 'https://auth.example.com/corp/auth/callback');
  assert.match(location.searchParams.get('state')!, /^[\w-]{22}$/);
  const [started] = rig.provider('corp').started;
  assert.match(started!.nonce, /^[\w-]{22}$/);
  assert.match(started!.codeVerifier!, /^[\w-]{43}$/);
  assert.equal(started!.selectAccount, false);
  assert.equal(header(answer, 'cache-control'), 'no-store');
  assert.equal(header(answer, 'referrer-policy'), 'no-referrer');
  assert.deepEqual(rig.events, []);
});

test('login keeps each attempt in a host-only cookie of at most 1.8 KB that names no secret (3 Attempts)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const returnUrl = `https://${share.hosts[0]}/?${'q'.repeat(1024 - 60)}`;
  const bindingHash = 'A'.repeat(22);
  const answer = await rig.browser().get(rig.startUrl(share, { returnUrl, bindingHash }));
  const state = new URL(header(answer, 'location')!).searchParams.get('state')!;
  const attempt = setCookies(answer).find((cookie) => cookie.startsWith('__Host-svc-auth-attempt-'))!;
  assert.ok(attempt.split(';')[0]!.length <= 1843, String(attempt.length));
  assert.match(attempt, /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
  assert.ok(!attempt.includes(state));
});

test('login keeps at most six attempts: the oldest leave (3 Attempts)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  const callbacks: URL[] = [];
  for (let tab = 0; tab < 8; tab++) {
    rig.clock.now += 1000;
    callbacks.push(await callbackUrl(browser, rig.startUrl(share), `tab${tab}@example.com`));
  }
  const cookies = browser.jar.all().filter(({ name }) => name.includes('attempt'));
  const { seal } = rig.deps;
  assert.equal(cookies.filter(({ value }) => seal.open('login-attempt', value) !== null).length, 6);
  assert.equal((await browser.get(callbacks[1]!)).status, 400);
  assert.equal((await browser.get(callbacks[2]!)).status, 302);
  assert.equal((await browser.get(callbacks[7]!)).status, 302);
});

test('callback of an attempt that left for newer ones says so and links to its share (3 Attempts)', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  const asPage = { headers: { accept: 'text/html' } };
  const tabs: { readonly address: string; readonly url: URL }[] = [];
  for (let tab = 0; tab < 16; tab++) {
    rig.clock.now += 1000;
    const share = await rig.addShare();
    const returnUrl = `https://${share.hosts[0]}/page?tab=${tab}`;
    const url = await callbackUrl(browser, rig.startUrl(share, { returnUrl }), 'a@example.com');
    tabs.push({ address: returnUrl, url });
  }
  const notes = browser.jar.all().filter(({ value }) => rig.deps.seal.open('left-attempt', value) !== null);
  assert.equal(notes.length, 6);
  for (const { value } of notes) assert.ok(value.length < 500, `${value.length}`);
  for (const { address, url } of tabs.slice(4, 10)) {
    const page = await browser.get(url, asPage);
    assert.equal(page.status, 400);
    assert.match(String(page.body), /Too many logins were open at once/);
    assert.ok(String(page.body).includes(`href="${address}"`), String(page.body));
  }
  assert.deepEqual(rig.provider('corp').exchanged, []);
  assert.deepEqual(
    rig.reasons('login.failed'),
    Array.from({ length: 6 }, () => 'state_left'),
  );
  assert.equal(codeOf(await browser.get(tabs[3]!.url)), 'state_missing');
  for (const { address, url } of tabs.slice(10))
    assert.equal(header(await browser.get(url), 'location'), address);
});

test('login drops attempt cookies that are none of ours, and shortens a long address in the note of one that left (3 Attempts)', async () => {
  await using rig = await createLoginRig();
  const browser = rig.browser();
  const share = await rig.addShare();
  const returnUrl = `https://${share.hosts[0]}/long?${'q'.repeat(400)}`;
  const first = await callbackUrl(browser, rig.startUrl(share, { returnUrl }), 'a@example.com');
  const attempt = browser.jar.all().find(({ name }) => name.includes('attempt'));
  browser.jar.put({ ...attempt!, name: '__Host-svc-auth-attempt-planted000', value: 'x' });
  for (let tab = 0; tab < 6; tab++) {
    rig.clock.now += 1000;
    await callbackUrl(browser, rig.startUrl(share), 'a@example.com');
  }
  assert.equal(browser.jar.find('__Host-svc-auth-attempt-planted000'), undefined);
  const page = await browser.get(first, { headers: { accept: 'text/html' } });
  assert.ok(String(page.body).includes(`href="https://${share.hosts[0]}/long"`));
});

test('login sets the browser cookie once and keeps an existing one (3 One browser, many logins)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  await browser.get(rig.startUrl(share));
  const first = browser.jar.find('__Host-svc-auth-browser')!;
  await browser.get(rig.startUrl(share));
  assert.deepEqual(browser.jar.find('__Host-svc-auth-browser'), first);
  assert.ok(first.hostOnly && first.httpOnly && first.secure);
});

test('login refuses requests that were not sealed here, are for another provider, or too old (2.2; THREATS "Open redirect")', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const forged = sealLoginRequest(
    createSeal([{ signingKey: 'x'.repeat(32), encryptionKey: 'y'.repeat(24) }]),
    {
      shareId: share.id,
      providerName: 'corp',
      returnUrl: 'https://evil.example/',
      bindingHash: null,
      selectAccount: false,
      addressKey: null,
      expiresAt: rig.clock.now + 1000,
    },
  );
  const url = rig.startUrl(share);
  const over = rig.startUrl(share, { expiresAt: rig.clock.now });
  const cases: readonly (readonly [string, string])[] = [
    [`https://auth.example.com/corp/login?request=${forged}`, 'request_invalid'],
    ['https://auth.example.com/corp/login?request=', 'request_invalid'],
    [url.replace('/corp/', '/other/'), 'request_invalid'],
    [`${url}&request=x`, 'bad_request'],
    [over, 'request_expired'],
  ];
  for (const [address, code] of cases) {
    const answer = await rig.browser().get(address);
    assert.deepEqual([answer.status, codeOf(answer)], [400, code], address);
    assert.deepEqual(setCookies(answer), []);
  }
  assert.deepEqual(rig.provider('corp').started, []);
});

test('login says clearly when the share is gone, disabled, without usable provider, or changed (3 Bound to the share)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const url = rig.startUrl(share);
  const cases = [
    [undefined, 404, 'share_unknown'],
    [{ ...share, enabled: false }, 404, 'share_unknown'],
    [{ ...share, login: loginWith(share, null) }, 503, 'provider_unusable'],
    [{ ...share, login: null }, 400, 'request_expired'],
    [{ ...share, login: loginWith(share, { generation: 'B'.repeat(22) }) }, 400, 'request_expired'],
  ] as const;
  for (const [changed, status, code] of cases.toReversed()) {
    rig.changeShare(share.id, () => changed);
    const answer = await rig.browser().get(url);
    assert.deepEqual([answer.status, codeOf(answer)], [status, code]);
  }
});

test('login answers 503 with a way to try again while the provider is away (2.2)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  rig.provider('corp').script.authorize = 'provider_unreachable';
  const url = rig.startUrl(share);
  const page = await rig.browser().get(url, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 503);
  assert.ok(String(page.body).includes(new URL(url).search.slice(1)));
});

test('login over plain HTTP uses cookies without the prefix, which would have no force there (3 Bound to the browser)', async () => {
  await using rig = await createLoginRig({
    oauth: { endpointUrl: new URL('http://auth.localhost:8081') },
    shareBase: { scheme: 'http', domain: 'share.localhost', port: 8080 },
  });
  const share = await rig.addShare();
  const answer = await rig.browser().get(rig.startUrl(share));
  const names = setCookies(answer).map((cookie) => cookie.split('=')[0]);
  assert.equal(names[0], 'svc-auth-browser');
  assert.match(names[1]!, /^svc-auth-attempt-/);
  assert.ok(setCookies(answer).every((cookie) => !cookie.includes('Secure')));
});
