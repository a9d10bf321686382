// Nobody's change is lost to another administrator's (DESIGN 2.5: ETag and If-Match), on both engines, by the
// client that the console uses: of two who saw the same thing and change it at once, one is told.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Condition, Versioned } from '../../src/client/call.ts';
import type { Client } from '../../src/client/client.ts';
import { createNodeClient } from '../../src/client/node-client.ts';
import { openApiDocument } from '../../src/control/openapi.ts';
import type { ServiceError } from '../../src/domain/service-error.ts';
import type { Store } from '../../src/store/store.ts';
import { startControl, startControlOn, type TestControl } from '../support/control.ts';
import { openPostgresTestStore, startPostgres, type TestPostgres } from '../support/postgres.ts';

type Thing = {
  readonly make: (client: Client) => Promise<string>;
  readonly read: (client: Client, named: string) => Promise<Versioned<unknown>>;
  /** Two changes, each of which makes it another. */
  readonly changes: readonly ((client: Client, named: string, condition: Condition) => Promise<unknown>)[];
  readonly remove: ((client: Client, named: string, condition: Condition) => Promise<unknown>) | null;
};

let count = 0;
const unused = (word: string) => `${word}-${(count += 1)}`;

const THINGS = {
  share: {
    make: async ({ shares }) =>
      (await shares.create({ name: unused('share'), target: 'http://127.0.0.1:3000', open: true })).name,
    read: ({ shares }, named) => shares.read(named),
    changes: [
      ({ shares }, named, condition) => shares.modify(named, { enabled: false }, condition),
      ({ shares }, named, condition) =>
        shares.modify(named, { allowOrigins: ['https://a.example'] }, condition),
    ],
    remove: ({ shares }, named, condition) => shares.remove(named, condition),
  },
  provider: {
    make: async ({ providers }) =>
      (
        await providers.create({
          name: unused('provider'),
          type: 'OIDC',
          config: {
            clientId: 'c',
            clientSecret: 's',
            issuerUrl: 'https://127.0.0.1/',
            scopes: ['openid', 'email'],
          },
        })
      ).name,
    read: ({ providers }, named) => providers.read(named),
    changes: ['openid email', 'openid email profile'].map(
      (scopes): Change =>
        ({ providers }, named, condition) =>
          providers.modify(
            named,
            {
              config: {
                clientId: 'other',
                clientSecret: 's',
                issuerUrl: 'https://127.0.0.1/',
                scopes: scopes.split(' '),
              },
            },
            condition,
          ),
    ),
    remove: ({ providers }, named, condition) => providers.remove(named, condition),
  },
  member: {
    make: async ({ members }) => (await members.create({ email: `${unused('ann')}@example.com` })).member.id,
    read: ({ members }, named) => members.read(named),
    changes: [
      ({ members }, named, condition) => members.modify(named, { role: 'admin' }, condition),
      ({ members }, named, condition) => members.invite(named, { expiresIn: '2d' }, condition),
    ],
    remove: ({ members }, named, condition) => members.remove(named, condition),
  },
  webhook: {
    make: async ({ webhooks }) => (await webhooks.create({ url: 'https://127.0.0.1/hook' })).id,
    read: ({ webhooks }, named) => webhooks.read(named),
    changes: [
      ({ webhooks }, named, condition) =>
        webhooks.modify(named, { enabled: false, url: 'https://127.0.0.1/other' }, condition),
      ({ webhooks }, named, condition) => webhooks.rotateSecret(named, { overlap: 'none' }, condition),
    ],
    remove: ({ webhooks }, named, condition) => webhooks.remove(named, condition),
  },
  'certificate policy': {
    make: async () => '',
    read: ({ certificates }) => certificates.readPolicy(),
    changes: [
      ({ certificates }, _named, condition) => certificates.setPolicy({ organization: 'Corp' }, condition),
      ({ certificates }, _named, condition) => certificates.setPolicy({ maxValidity: '10d' }, condition),
    ],
    remove: null,
  },
} satisfies Record<string, Thing>;

type Change = Thing['changes'][number];

for (const engine of ['SQLite', 'PostgreSQL'] as const)
  describe(`If-Match on ${engine}`, () => {
    let server: TestPostgres | null = null;
    let control: TestControl<Store>;
    let client: Client;
    before(async () => {
      if (engine === 'PostgreSQL') server = await startPostgres();
      control =
        server === null ? await startControl() : await startControlOn(await openPostgresTestStore(server));
      client = createNodeClient({ url: control.url, apiKey: control.alice.apiKey });
    });
    after(async () => {
      await control[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    for (const [kind, { make, read, changes, remove }] of Object.entries(THINGS)) {
      test(`of two changes of one ${kind} at once one is made, and the other is told`, async () => {
        const named = await make(client);
        const { etag } = await read(client, named);
        const outcomes = await Promise.all(
          changes.map((change) => outcomeOf(change(client, named, { ifMatch: etag }))),
        );
        assert.deepEqual(outcomes.toSorted(), ['done', 'precondition_failed']);
        const now = await read(client, named);
        assert.notEqual(now.etag, etag);
        const again = changes.find((_change, index) => outcomes[index] !== 'done');
        assert.equal(await outcomeOf(again?.(client, named, { ifMatch: now.etag })), 'done');
      });

      if (remove !== null)
        test(`a ${kind} that was changed meanwhile is not deleted by who saw it before`, async () => {
          const named = await make(client);
          const seen = await read(client, named);
          await changes[0]?.(client, named, {});
          assert.equal(await outcomeOf(remove(client, named, { ifMatch: seen.etag })), 'precondition_failed');
          const { etag } = await read(client, named);
          assert.equal(await outcomeOf(remove(client, named, { ifMatch: etag })), 'done');
        });
    }

    test('changes of different fields of one provider at once all stay, each by whoever did not name a version', async () => {
      const { make } = THINGS.provider;
      const name = await make(client);
      const changes = [
        { prompt: 'login' },
        { supportsPkce: false },
        { requireVerifiedEmail: true },
        { rpInitiatedLogout: true },
        { emailPatterns: ['*@a.test'] },
        { scopes: ['openid', 'email', 'profile'] },
      ];
      await Promise.all(changes.map((config) => client.providers.modify(name, { config })));
      const { config } = await client.providers.show(name);
      for (const change of changes) assert.partialDeepStrictEqual(config, change);
    });

    test('an API key and a host are not deleted by who saw another of that name', async () => {
      await client.apiKeys.create({ name: 'ci' });
      const key = await client.apiKeys.read('ci');
      await client.apiKeys.remove('ci', { ifMatch: key.etag });
      await client.apiKeys.create({ name: 'ci' });
      assert.equal(
        await outcomeOf(client.apiKeys.remove('ci', { ifMatch: key.etag })),
        'precondition_failed',
      );
      const share = await THINGS.share.make(client);
      const host = 'app.if-match.example';
      await client.hosts.create({ host, share });
      const claimed = await client.hosts.read(host);
      await client.hosts.remove(host, { ifMatch: claimed.etag });
      await client.hosts.create({ host, share });
      assert.equal(
        await outcomeOf(client.hosts.remove(host, { ifMatch: claimed.etag })),
        'precondition_failed',
      );
    });
  });

test('each operation that changes a thing answers its ETag, takes If-Match, and has a GET that tells the ETag', () => {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, Described>> };
  for (const [path, methods] of Object.entries(paths)) {
    if (methods['patch'] === undefined) continue;
    for (const method of ['patch', 'delete'].filter((each) => methods[each] !== undefined))
      assert.ok(
        methods[method]?.parameters?.some(({ name }) => name === 'If-Match'),
        `${method} ${path}`,
      );
    for (const method of ['get', 'patch'])
      assert.ok(methods[method]?.responses['200']?.headers?.['ETag'], `${method} ${path}`);
  }
});

type Described = {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly headers?: Readonly<Record<string, unknown>> }>>;
};

function outcomeOf(doing: Promise<unknown> | undefined): Promise<string> {
  assert.ok(doing);
  return doing.then(
    () => 'done',
    (error: ServiceError) => error.code,
  );
}
