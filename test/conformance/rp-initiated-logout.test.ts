// RP-initiated logout with the certified provider (`rp_initiated_logout`; docs/decisions/provider-logout.md),
// and without it contract 4.2 to the letter.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ShareObject } from '../../src/wire/share.ts';
import { type Browser, walkLogin } from '../support/browser-by-hand.ts';
import { logOutAt } from '../support/providers/log-out-at.ts';
import { corpClient, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ corp: { rp_initiated_logout: true } });
  service.idp.addClient({
    ...corpClient(service.endpointUrl),
    postLogoutRedirectUris: [`${service.endpointUrl}/corp/logged-out`],
  });
});
after(() => service.close());

async function enter(share: ShareObject): Promise<Browser> {
  const browser = service.browser();
  const walk = await walkLogin(browser, share.url, { email: 'ada@example.com' });
  assert.equal(walk.last.status, 200);
  return browser;
}

/** Logs out here, says yes at the provider, and answers where the browser is sent then. */
async function logOut(browser: Browser, query: string): Promise<URL> {
  const first = await browser.open(`${service.endpointUrl}/corp/logout${query}`);
  assert.equal(first.status, 302);
  assert.ok(first.location);
  assert.equal(`${first.location.origin}${first.location.pathname}`, `${service.idp.issuer}/session/end`);
  const sent = first.location.searchParams;
  assert.equal(sent.get('post_logout_redirect_uri'), `${service.endpointUrl}/corp/logged-out`);
  assert.match(sent.get('id_token_hint') ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/);
  const back = await logOutAt(browser, first.location);
  assert.ok(back.location);
  assert.ok(back.location.href.startsWith(`${service.endpointUrl}/corp/logged-out?`), back.location.href);
  const last = await browser.open(back.location);
  assert.deepEqual([last.status, last.headers['cache-control']], [302, 'no-store']);
  assert.ok(last.location);
  return last.location;
}

test('a logout goes on to the provider, which forgets the person, and ends where redirect_url says (4.2)', async () => {
  const share = await service.share('one');
  const browser = await enter(share);
  const target = `${share.url}/bye?a=1&b=%20x`;
  const at = await logOut(browser, `?redirect_url=${encodeURIComponent(target)}`);
  assert.equal(at.href, target);
  assert.equal((await browser.open(share.url)).status, 302, 'the session here is over');
  const again = await browser.follow(share.url, (next) => next.pathname.endsWith('/auth/callback'));
  assert.equal(again.stopped, null, 'the provider asks who it is');
});

test('without redirect_url it ends at the provider’s login page (4.2)', async () => {
  const share = await service.share('two');
  const at = await logOut(await enter(share), '');
  assert.equal(`${at.origin}${at.pathname}`, `${service.endpointUrl}/corp/login`);
  assert.match(at.search, /^\?request=/);
});

test('a logout without a session goes nowhere but where it was meant to lead (4.2 point 6)', async () => {
  const target = 'https://elsewhere.example/';
  const answer = await service
    .browser()
    .open(`${service.endpointUrl}/corp/logout?redirect_url=${encodeURIComponent(target)}`);
  assert.equal(answer.location?.href, target);
});

test('/<provider>/logged-out without a good state says that the person is logged out, and offers a login (4.2; THREATS "Open redirect")', async () => {
  for (const state of ['', '?state=', '?state=https://evil.example/', '?state=a.b.c.d.e']) {
    const answer = await service.browser().open(`${service.endpointUrl}/corp/logged-out${state}`);
    assert.deepEqual([answer.status, answer.location], [200, null], 'nobody is logged in again unasked');
    assert.match(answer.body, /You are logged out/);
    assert.ok(answer.body.includes(`href="${service.endpointUrl}/corp/login?prompt=login"`), answer.body);
    assert.match(answer.body, /Log in again/);
  }
  const twice = await service.browser().open(`${service.endpointUrl}/corp/logged-out?state=a&state=b`);
  assert.equal(twice.status, 400);
});

test('a provider that cannot be asked keeps nobody from logging out (4.2 point 5)', async () => {
  const share = await service.share('away');
  const browser = await enter(share);
  const target = `${share.url}/bye`;
  await service.restart();
  await service.idp.close();
  const answer = await browser.open(
    `${service.endpointUrl}/corp/logout?redirect_url=${encodeURIComponent(target)}`,
  );
  assert.equal(answer.location?.href, target);
  assert.equal((await browser.open(share.url)).status, 302);
});
