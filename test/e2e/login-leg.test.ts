// The last leg of a login over TLS, with two workers (contract 4.1): what lies between the callback and the
// share may be a restart, a logout or another browser. On both engines.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { walkLogin, type Browser } from '../support/browser-by-hand.ts';
import { onEngines } from '../support/on-engines.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;

onEngines('the last leg of a login', ({ storeUrl }) => {
  before(async () => {
    const sections = { gateway: { workers: 2 } };
    service = await startTestService({ tls: true, storeUrl: await storeUrl(), sections });
  });
  after(() => service.close());

  test('a session opens nothing before its browser confirmed it; then it opens, at every worker (4.1)', async () => {
    const { url, browser, begin } = await upToBegin('leg');
    assert.equal(begin.origin, new URL(url).origin);
    assert.equal((await browser.open(`${url}/early`)).status, 302);
    const begun = await browser.open(begin);
    assert.deepEqual([begun.status, begun.location?.href], [302, `${url}/page?q=1`]);
    for (let request = 0; request < 8; request++)
      assert.equal((await browser.open(`${url}/page`)).status, 200);
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
    await out.browser.open(
      `${service.endpointUrl}/corp/logout?redirect_url=${service.endpointUrl}/logged-out`,
    );
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

  test('a login link of another browser opens nothing in either, and leaves the login that the visitor has (A session counts in the browser that logged in)', async () => {
    const { url } = await service.share('lured');
    const [eve, ada] = [service.browser(), service.browser()];
    assert.equal((await walkLogin(ada, `${url}/mine`, { email: 'ada@example.com' })).last.status, 200);
    const { location: link } = await eve.open(`${url}/payslip`);
    assert.ok(link);
    const { stopped } = await walkLogin(ada, link, { email: 'ada@example.com', until: isBegin });
    assert.ok(stopped !== null);
    for (const cookie of ada.jar.all())
      if (!cookie.name.startsWith('__Host-svc-auth-bind')) eve.jar.put(cookie);
    assert.equal(
      (await eve.open(`${url}/stolen`)).status,
      302,
      'the session cookie beside the other binding',
    );
    assert.equal((await ada.open(stopped)).location?.href, `${url}/payslip`);
    assert.equal((await ada.open(`${url}/mine`)).status, 200, 'hers was not replaced');
    assert.equal((await eve.open(`${url}/stolen`)).status, 302, 'nor was the other confirmed');
  });
});

/** A login that was answered by the callback, and stopped there. */
async function upToBegin(
  name: string,
): Promise<{ readonly url: string; readonly browser: Browser; readonly begin: URL }> {
  const { url } = await service.share(name);
  const browser = service.browser();
  const { stopped } = await walkLogin(browser, `${url}/page?q=1`, {
    email: 'ada@example.com',
    until: isBegin,
  });
  assert.ok(stopped !== null, 'the callback leads to the leg');
  return { url, browser, begin: stopped };
}

const isBegin = ({ pathname }: URL) => pathname === '/.svc/begin';
