// The last leg of a login over TLS, with two workers (contract 4.1): what lies between the callback and the share may be a restart,
// a logout or another browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { walkLogin, type Browser } from '../support/browser-by-hand.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ tls: true, sections: { gateway: { workers: 2 } } });
});
after(() => service.close());

test('a session opens nothing before its browser confirmed it; then it opens, at every worker (4.1)', async () => {
  const { url, browser, begin } = await upToBegin('leg');
  assert.equal(begin.origin, new URL(url).origin);
  assert.equal((await browser.open(`${url}/early`)).status, 302);
  const begun = await browser.open(begin);
  assert.deepEqual([begun.status, begun.location?.href], [302, `${url}/page?q=1`]);
  for (let request = 0; request < 8; request++) assert.equal((await browser.open(`${url}/page`)).status, 200);
  const again = await browser.open(begin);
  assert.deepEqual([again.status, again.location?.href], [302, `${url}/page?q=1`], 'a reload does no harm');
  assert.equal((await browser.open(`${url}/page`)).status, 200);
});

test('the grant outlives a restart: what counts is in the store', async () => {
  const { url, browser, begin } = await upToBegin('restarted');
  await service.restart();
  assert.equal((await browser.open(begin)).status, 302);
  assert.equal((await browser.open(`${url}/page`)).status, 200);
});

test('the grant is worth nothing after a logout, and in another browser (A session counts in the browser that logged in)', async () => {
  const out = await upToBegin('left');
  await out.browser.open(`${service.endpointUrl}/corp/logout?redirect_url=${service.endpointUrl}/logged-out`);
  const kept = out.browser.jar.all();
  await out.browser.open(out.begin);
  for (const cookie of kept) out.browser.jar.put(cookie);
  assert.equal((await out.browser.open(`${out.url}/page`)).status, 302);

  const { url, browser, begin } = await upToBegin('stolen');
  const thief = service.browser();
  for (const cookie of browser.jar.all())
    if (!cookie.name.startsWith('__Host-svc-auth-bind')) thief.jar.put(cookie);
  assert.equal((await thief.open(begin)).location?.href, `${url}/page?q=1`);
  assert.equal((await thief.open(`${url}/page`)).status, 302);
  assert.equal((await browser.open(`${url}/page`)).status, 302, 'nor was it confirmed for the other');
  await browser.open(begin);
  assert.equal((await browser.open(`${url}/page`)).status, 200, 'whose grant it still is');
});

/** A login that was answered by the callback, and stopped there. */
async function upToBegin(
  name: string,
): Promise<{ readonly url: string; readonly browser: Browser; readonly begin: URL }> {
  const { url } = await service.share(name);
  const browser = service.browser();
  const { stopped } = await walkLogin(browser, `${url}/page?q=1`, {
    email: 'ada@example.com',
    until: ({ pathname }) => pathname === '/.svc/begin',
  });
  assert.ok(stopped !== null, 'the callback leads to the leg');
  return { url, browser, begin: stopped };
}
