// Logout at a share that has changed its provider since somebody logged in (contract 3, 4.2): it is that of
// the session's provider. With the whole service on both engines, with a back end of the gateway's and a
// share that agents serve.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { NewProvider } from '../../src/wire/provider.ts';
import type { ShareObject } from '../../src/wire/share.ts';
import { type Browser, walkLogin } from '../support/browser-by-hand.ts';
import { onEngines } from '../support/on-engines.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';

type Case = {
  readonly former: string;
  readonly present: string;
  /** A share that agents serve, of whom there is none: what is asked here, the gateway answers itself. */
  readonly byAgents: boolean;
};
const CASES: readonly Case[] = [
  { former: 'corp', present: 'partner', byAgents: false },
  { former: 'partner', present: 'corp', byAgents: false },
  { former: 'corp', present: 'partner', byAgents: true },
];

onEngines('logout at a share with another provider by now', ({ storeUrl }) => {
  let service: TestService;
  before(async () => {
    service = await startTestService({
      idp: { refreshTokens: 'always' },
      outboundAllow: ['127.0.0.1'],
      storeUrl: await storeUrl(),
    });
    await service.client.providers.create(definition(service, 'partner'));
  });
  after(() => service?.close());

  for (const { former, present, byAgents } of CASES)
    test(`${byAgents ? 'a share of agents' : 'a share'}: logout is at ${former}, after a change to ${present}; then there (4.2.4)`, async () => {
      const name = `from-${former}${byAgents ? '-by-agents' : ''}`;
      const target = byAgents ? { tunnel: 'reserved' as const } : { target: service.backend.url };
      const share = await service.client.shares.create({ name, oauthProvider: former, ...target });
      const browser = service.browser();
      const email = `${share.name}@example.com`;
      await walkLogin(browser, share.url, { email });
      assert.equal(await providerOf(browser, share), former);
      const revoked = service.idp.revoked.length;
      await service.client.shares.modify(share.name, { oauthProvider: present });

      const ended = await service.client.sessions.list({ share: share.name });
      assert.deepEqual(
        ended.items.map(({ active, endReason }) => [active, endReason]),
        [[false, 'provider_changed']],
      );
      await eventually('its tokens are revoked', () => service.idp.revoked.length >= revoked + 2);
      const left = await logout(browser, share, former);
      assert.equal(left.pathname, `/${former}/login`, 'no redirect_url: the provider’s login page (4.2)');
      assert.equal(service.idp.revoked.length, revoked + 2, 'none is revoked twice');

      await walkLogin(browser, share.url, { email });
      assert.equal(await providerOf(browser, share), present);
      await logout(browser, share, present);
      assert.equal(service.idp.revoked.length, revoked + 4);
      assert.equal(await providerOf(browser, share), null);
    });
});

/**
 * Logs out by the share; answers where that leads. Both redirects clear what they must, and nothing of it
 * stays.
 */
async function logout(browser: Browser, share: ShareObject, provider: string): Promise<URL> {
  const asked = await browser.open(new URL('/.svc/logout', share.url));
  assert.equal(asked.status, 302, asked.body);
  assert.equal(asked.location?.pathname, `/${provider}/logout`);
  const answer = await browser.open(asked.location);
  assert.equal(answer.status, 302, answer.body);
  assert.ok(
    answer.setCookies.some((each) => each.startsWith('svc-auth-session=;') && each.includes('Max-Age=0')),
    'the cookie is cleared (4.2.2)',
  );
  assert.ok(answer.location !== null);
  return answer.location;
}

/** Who the share says is logged in. */
async function providerOf(browser: Browser, share: ShareObject): Promise<string | null> {
  const answer = await browser.request(new URL('/.svc/session', share.url));
  return answer.status === 200 ? (JSON.parse(answer.body) as { provider: string }).provider : null;
}

/** At the provider that `corp` is, as another client. */
function definition(service: TestService, name: string): NewProvider {
  const [clientId, clientSecret] = [`client-of-${name}`, 'a secret that only the provider and we know'];
  const redirectUris = [`${service.endpointUrl}/${name}/auth/callback`];
  service.idp.addClient({ clientId, clientSecret, redirectUris });
  return {
    name,
    type: 'OIDC',
    config: { clientId, clientSecret, issuerUrl: service.idp.issuer, scopes: ['openid', 'email'] },
  };
}
