// `doorward account suspend` and `resume` beside a service that runs, on both engines: what is the account's
// own comes back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { Secret } from '../../src/domain/secret.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { onEngines } from '../support/on-engines.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';

onEngines('an account that is resumed', ({ storeUrl }) => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ storeUrl: await storeUrl(), outboundAllow: ['127.0.0.1'] });
  });
  after(() => service.close());

  test('has its own providers back at once, with its shares (2.4, DESIGN 3)', async () => {
    const client = { clientId: 'resumed', clientSecret: 'a secret of the definition' };
    service.idp.addClient({
      ...client,
      redirectUris: [`${service.endpointUrl}/resumed/auth/callback`],
    });
    const config = { ...client, issuerUrl: service.idp.issuer, scopes: ['openid', 'email'] };
    await service.client.providers.create({ name: 'resumed', type: 'OIDC', config });
    const { url } = await service.share('for-resumed', { oauthProvider: 'resumed' });
    const first = async () =>
      (await service.browser().open(url, { headers: { accept: 'text/html' } })).status;
    await operate(service, 'suspend');
    await eventually('the gateway hears of it', async () => (await first()) === 404);
    // The gateway reads its definitions while those of the account are none.
    await service.restart();
    await operate(service, 'resume');
    await eventually('the share is back', async () => (await first()) !== 404);
    assert.equal(await first(), 302);
    const { last } = await walkLogin(service.browser(), url, { email: 'pat@partner.test' });
    assert.equal(last.status, 200, last.body);
  });
});

async function operate({ configFile }: TestService, verb: 'suspend' | 'resume'): Promise<void> {
  const code = await main(['account', verb, 'acme', '--config', configFile], {
    out: () => undefined,
    err: () => undefined,
    env: {},
    readSecret: async () => new Secret(''),
  });
  assert.equal(code, 0);
}
