// Tokens at the provider when nobody logs out: of sessions that ran out, or whose share, provider or account
// went. With the whole service and a certified provider that says what was revoked, on both engines.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import type { NewProvider } from '../../src/wire/provider.ts';
import type { ShareObject } from '../../src/wire/share.ts';
import { Secret } from '../../src/domain/secret.ts';
import { type Browser, walkLogin } from '../support/browser-by-hand.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';

const ENGINES: readonly (readonly [string, () => Promise<TestPostgres | null>])[] = [
  ['SQLite', async () => null],
  ['PostgreSQL', startPostgres],
];

for (const [engine, start] of ENGINES)
  describe(`tokens that are owed to the provider, on ${engine}`, () => {
    let postgres: TestPostgres | null = null;
    let service: TestService;
    const serviceWith = async (options: TestServiceOptions = {}) =>
      startTestService({
        idp: { refreshTokens: 'always' },
        outboundAllow: ['127.0.0.1'],
        ...options,
        ...(postgres === null
          ? {}
          : { sections: { store: { url: (await postgres.formedPlace()).reveal() } } }),
      });
    before(async () => {
      postgres = await start();
      service = await serviceWith();
    });
    after(async () => {
      await service?.close();
      await postgres?.[Symbol.asyncDispose]();
    });

    const enter = (share: ShareObject, email: string) => logIn(service, share, email);

    test('a deleted share revokes both tokens of each of its sessions, also when the service stops at once (4.2)', async () => {
      const share = await service.share('deleted');
      await enter(share, 'ada@example.com');
      await enter(share, 'bob@example.com');
      const count = service.idp.revoked.length;
      await service.client.shares.remove('deleted');
      await service.restart();
      await revokedSince(service, count, 4);
    });

    test('a share with another provider ends its sessions and revokes their tokens', async () => {
      await service.client.providers.create(definition(service, 'second'));
      const share = await service.share('moved');
      const browser = await enter(share, 'kim@example.com');
      const count = service.idp.revoked.length;
      await service.client.shares.modify('moved', { oauthProvider: 'second' });
      await service.client.shares.modify('moved', { oauthProvider: 'corp' });
      assert.equal((await browser.open(share.url)).status, 302);
      await revokedSince(service, count, 2);
    });

    test('a definition that becomes another identity source revokes what its sessions had, as it was before', async () => {
      await service.client.providers.create(definition(service, 'changing'));
      const share = await service.share('changes', { oauthProvider: 'changing' });
      await enter(share, 'lin@example.com');
      const count = service.idp.revoked.length;
      const { config } = definition(service, 'changing', 'client-of-later');
      await service.client.providers.modify('changing', { config });
      await revokedSince(service, count, 2);
    });

    test('a suspended account’s sessions end, and their tokens are revoked at its own provider, too', async () => {
      await service.client.providers.create(definition(service, 'own'));
      const share = await service.share('by-own', { oauthProvider: 'own' });
      const browser = await enter(share, 'max@example.com');
      const count = service.idp.revoked.length;
      await operate(service, 'suspend');
      await revokedSince(service, count, 2);
      await operate(service, 'resume');
      const answer = await eventually('the share is back', async () => {
        const opened = await browser.open(share.url);
        return opened.status !== 404 && opened;
      });
      assert.equal(answer.status, 302, 'whoever was logged in logs in again');
    });

    test('session_lifetime over: the tokens are revoked, though nobody came again (2.1)', async (t) => {
      const short = await serviceWith({ oauth: { session_lifetime: '3s' } });
      t.after(() => short.close());
      await logIn(short, await short.share('short'), 'ada@example.com');
      await revokedSince(short, 0, 2);
    });

    test('tokens are not revoked while the same person has another session at the provider (2.2)', async () => {
      const [leaving, kept] = [await service.share('leaving'), await service.share('kept')];
      await enter(leaving, 'sam@example.com');
      const sam = await enter(kept, 'sam@example.com');
      await enter(leaving, 'zoe@example.com');
      const count = service.idp.revoked.length;
      await service.client.shares.remove('leaving');
      // Both were looked at when one was done.
      await revokedSince(service, count, 2);
      assert.equal((await sam.open(kept.url)).status, 200);
    });
  });

async function logIn(service: TestService, share: ShareObject, email: string): Promise<Browser> {
  const browser = service.browser();
  const { last } = await walkLogin(browser, share.url, { email });
  assert.equal(last.status, 200, last.body);
  return browser;
}

/** All of them, and none more. */
async function revokedSince({ idp }: TestService, former: number, more: number): Promise<void> {
  await eventually('the tokens are revoked', () => idp.revoked.length >= former + more);
  assert.equal(idp.revoked.length, former + more);
  assert.equal(new Set(idp.revoked.slice(former)).size, more);
}

/** Of the provider that `corp` is, registered there. */
function definition(service: TestService, name: string, clientId = `client-of-${name}`): NewProvider {
  const clientSecret = 'a secret that only the provider and we know';
  service.idp.addClient({
    clientId,
    clientSecret,
    redirectUris: [`${service.endpointUrl}/${name}/auth/callback`],
  });
  const scopes: NewProvider['config']['scopes'] = ['openid', 'email'];
  return { name, type: 'OIDC', config: { clientId, clientSecret, issuerUrl: service.idp.issuer, scopes } };
}

async function operate(service: TestService, verb: 'suspend' | 'resume'): Promise<void> {
  const code = await main(['account', verb, 'acme', '--config', service.configFile], {
    out: () => undefined,
    err: () => undefined,
    env: {},
    readSecret: async () => new Secret(''),
  });
  assert.equal(code, 0);
}
