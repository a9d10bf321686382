// Who may serve a share no more serves nothing within 2 s, and what runs through the tunnel ends with it: one
// service with two workers, on both engines. `test/e2e/tunnel-gateways.test.ts` asks the same of two
// gateways.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import type { ShareObject } from '../../src/wire/share.ts';
import { newApiKey, hashApiKey } from '../../src/domain/api-key.ts';
import { newId } from '../../src/domain/id.ts';
import { providerGeneration } from '../../src/domain/provider-ref.ts';
import type { Secret } from '../../src/domain/secret.ts';
import { createNodeClient } from '../../src/client/node-client.ts';
import { readMasterKey } from '../../src/store/sealing/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { startAgent } from '../../src/tunnel/agent.ts';
import { placesOf } from '../../src/tunnel/gateway-place.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { callGate } from '../support/gate.ts';
import { onEngines } from '../support/on-engines.ts';
import { addAccount, startTestService, type TestService } from '../support/service.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const TIMED = { timeout: 60_000 };
const WORKERS = 2;
let service: TestService;

type Scene = {
  readonly share: ShareObject;
  readonly keyId: string;
  readonly memberId: string | null;
  readonly account: string;
  readonly store: Store;
};

/** A key of its own unless said, and what takes it away. */
const ENDS: Readonly<
  Record<
    string,
    {
      readonly member?: true;
      /** The provider of the account that the login was at which the key came from. */
      readonly login?: string;
      readonly end: (scene: Scene) => Promise<unknown>;
    }
  >
> = {
  'its API key is deleted': { end: ({ keyId }) => service.client.apiKeys.remove(keyId) },
  'the member whose key it is is removed': {
    member: true,
    end: ({ memberId }) => service.client.members.remove(memberId ?? ''),
  },
  'its share is deleted': { end: ({ share }) => service.client.shares.remove(share.name) },
  'its share is disabled': {
    end: ({ share }) => service.client.shares.modify(share.name, { enabled: false }),
  },
  'the provider is deleted at which the login was that its API key came from': {
    login: 'left',
    end: () => service.client.providers.remove('left'),
  },
  'another client of the provider takes the place of the one that the login of its API key was by': {
    login: 'changed',
    end: () =>
      service.client.providers.modify('changed', { config: { clientId: 'other', clientSecret: 'its' } }),
  },
};

/** Of an account, which no test logs in at. */
async function loginAt(name: string) {
  const issuerUrl = 'https://issuer.example';
  const scopes = ['openid', 'email'];
  const config = { clientId: 'first', clientSecret: 'secret', issuerUrl, scopes };
  await service.client.providers.create({ name, type: 'OIDC', config });
  const parts = { name, type: 'oidc', issuer: issuerUrl, clientId: 'first' } as const;
  return { provider: name, generation: providerGeneration(parts), emailVerified: true };
}

onEngines('tunnels', ({ storeUrl }) => {
  before(async () => {
    service = await startTestService({
      storeUrl: await storeUrl(),
      sections: { gateway: { workers: WORKERS } },
    });
  });
  after(() => service.close());

  for (const [what, { member, login, end }] of Object.entries(ENDS))
    test(`Tunnel: when ${what}, its tunnels and open streams end within 2 s`, TIMED, async (t) => {
      const store = await openedStore(t);
      const account = (await store.accounts.list()).find(({ name }) => name.startsWith('acme'));
      assert.ok(account);
      const name = `gone-${Object.keys(ENDS).indexOf(what)}`;
      const share = await service.client.shares.create({ name, tunnel: 'reserved', open: true });
      const memberId = member === true ? newId('mem') : null;
      const createdAt = Date.now();
      if (memberId !== null)
        await store.members.invite(
          {
            id: memberId,
            accountId: account.id,
            email: `${name}@acme.test`,
            role: 'member',
            createdAt,
            by: 'test',
          },
          { id: newId('inv'), hash: name, createdAt, expiresAt: createdAt + 60_000 },
        );
      const apiKey = newApiKey();
      const keyId = newId('key');
      const limits = { role: 'member', scope: 'tunnel', expiresAt: null, createdBy: null } as const;
      const from = login === undefined ? null : await loginAt(login);
      await store.apiKeys.create(
        {
          id: keyId,
          accountId: account.id,
          name,
          hash: hashApiKey(apiKey),
          createdAt,
          memberId,
          login: from,
          ...limits,
        },
        null,
      );
      await servedBy(t, share, apiKey);
      const tookMs = await timeToEnd(t, share, () =>
        end({ share, keyId, memberId, account: account.id, store }),
      );
      assert.ok(tookMs < PROMPTLY_MS, `${tookMs} ms`);
      assert.notEqual((await visit(share)).status, 200);
    });

  test(
    'Tunnel: when its account is suspended, its tunnels and open streams end within 2 s',
    TIMED,
    async (t) => {
      const apiKey = await addAccount(service.config, 'short-lived', 's@short.test');
      const client = createNodeClient({ url: new URL(`http://127.0.0.1:${service.ports.control}`), apiKey });
      const share = await client.shares.create({ name: 'suspended', tunnel: 'reserved', open: true });
      const store = await openedStore(t);
      const account = (await store.accounts.list()).find(({ name }) => name === 'short-lived');
      assert.ok(account);
      await servedBy(t, share, apiKey);
      const tookMs = await timeToEnd(t, share, () => store.accounts.suspend(account.id, true));
      assert.ok(tookMs < PROMPTLY_MS, `${tookMs} ms`);
    },
  );
});

/** As another process of the operator's. */
async function openedStore(t: TestContext): Promise<Store> {
  const { store } = service.config;
  const opened = await openStore({
    engine: store.engine,
    masterKey: await readMasterKey(store.masterKeyFile),
    now: Date.now,
    exclusive: false,
  });
  t.after(() => opened.close());
  return opened;
}

/** Resolves once an agent has both workers. */
async function servedBy(t: TestContext, share: ShareObject, apiKey: Secret): Promise<void> {
  const both = Promise.withResolvers<void>();
  const agent = startAgent({
    gateways: async () => placesOf(await service.client.gateways()),
    share: share.id,
    apiKey,
    target: parseLocalTarget(service.backend.url),
    onRequest: () => {},
    onState: ({ connected }) => {
      if (connected === WORKERS) both.resolve();
    },
    onRefused: () => {},
  });
  t.after(() => agent.stop(0));
  await agent.ready;
  await both.promise;
}

/** Until the last of some streams through the tunnel is closed. */
async function timeToEnd(t: TestContext, share: ShareObject, end: () => Promise<unknown>): Promise<number> {
  const closed: Promise<unknown>[] = [];
  for (let count = 0; count < 8; count++) {
    const socket = connect(service.ports.gateway, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    closed.push(once(socket, 'close'));
    socket.write(`GET /stream HTTP/1.1\r\nHost: ${share.name}.share.localhost\r\n\r\n`);
    await once(socket, 'data');
    socket.resume();
  }
  const startedAt = performance.now();
  await end();
  await Promise.all(closed);
  return performance.now() - startedAt;
}

function visit(share: ShareObject) {
  return callGate(service.ports.gateway, { host: `${share.name}.share.localhost` });
}
