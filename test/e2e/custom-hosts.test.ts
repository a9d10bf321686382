// Hosts of their own with the whole service: a login at one, as visitors walk it, and what stays closed
// (DESIGN 2.3).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt } from 'jose';
import { withStore } from '../../src/cli/accounts/operator-store.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ oauth: { cookie_domain: 'localhost' } });
});
after(() => service.close());

/** As the operator, beside the running service. */
async function grant(host: string): Promise<void> {
  await withStore({ config: service.configFile }, async (store) => {
    const [account] = await store.accounts.list();
    assert.ok(account);
    await store.hosts.grant({ host, accountId: account.id, createdAt: Date.now() });
  });
}

function urlOf(host: string): string {
  return `http://${host}:${service.ports.gateway}`;
}

test('the login at a host of one’s own comes back there, and all is of that host (DESIGN 2.3, contract 2.5)', async () => {
  const host = 'wiki.localhost';
  await grant(host);
  const share = await service.share('wiki');
  const browser = service.browser();
  assert.equal((await browser.open(urlOf(host))).status, 404);
  await service.client.hosts.create({ host, share: 'wiki' });
  const page = `${urlOf(host)}/page?a=1`;
  const walk = await walkLogin(browser, page, { email: 'ada@example.com' });
  assert.deepEqual([walk.last.status, walk.last.url.href], [200, page]);
  const { headers } = JSON.parse(walk.last.body) as { headers: Readonly<Record<string, string>> };
  assert.equal(headers['host'], new URL(page).host);
  assert.equal(headers['svc-auth-email'], 'ada@example.com');
  assert.equal(decodeJwt(headers['svc-auth-assertion'] ?? '').aud, urlOf(host));
  const session = JSON.parse((await browser.open(`${urlOf(host)}/.svc/session`)).body) as object;
  assert.equal((session as { logout_url: string }).logout_url, `${urlOf(host)}/.svc/logout`);
  // A page of the share's other host is another site's to it.
  const posted = { method: 'POST', headers: { origin: new URL(share.url).origin } };
  assert.equal((await browser.request(page, posted)).status, 403);
  const own = { method: 'POST', headers: { origin: urlOf(host) } };
  assert.equal((await browser.request(page, own)).status, 200);
  await service.client.hosts.remove(host);
  assert.equal((await browser.open(page)).status, 404);
});

test('over plain HTTP a share without a login alone answers at a host outside cookie_domain, until the grant is taken back', async () => {
  const host = 'app.customer.test';
  await grant(host);
  const share = await service.share('open', { oauthProvider: null });
  await service.client.hosts.create({ host, share: share.name });
  const visit = async () =>
    (await service.browser().request(share.url, { headers: { host: `${host}:${service.ports.gateway}` } }))
      .status;
  assert.equal(await visit(), 200);
  await assert.rejects(service.client.shares.modify('open', { oauthProvider: 'corp' }), {
    code: 'host_outside_cookie_domain',
  });
  await withStore({ config: service.configFile }, async (store) => {
    const [account] = await store.accounts.list();
    assert.ok(account);
    assert.equal(await store.hosts.revoke(account.id, host, Date.now()), true);
  });
  // Any call that changes something is answered once all before it is live.
  await service.client.shares.modify('open', { enabled: true });
  assert.equal(await visit(), 404);
});
