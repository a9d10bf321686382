// A change lands on the thing that was judged. Between the moment in which a call finds a thing by its name
// and the moment in which it writes, another call deletes that thing and makes one of the same name: the
// change must not reach the new one. And of changes that nobody makes conditional none is refused because
// another was made at the same time.

import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { newId } from '../../src/domain/id.ts';
import { type Secret, randomToken } from '../../src/domain/secret.ts';
import type { Store } from '../../src/store/store.ts';
import type { ShareRow } from '../../src/store/shares/share.ts';
import { hashApiKey, newApiKey } from '../../src/domain/api-key.ts';
import { addShare } from '../../src/store/suite/bench.test-support.ts';
import { startControl, startControlOn, type TestControl } from '../support/control.ts';
import { openPostgresTestStore, startPostgres, type TestPostgres } from '../support/postgres.ts';

for (const engine of ['SQLite', 'PostgreSQL'] as const)
  describe(`what has the name of another by now, on ${engine}`, () => {
    let server: TestPostgres | null = null;
    let control: TestControl<Store>;
    before(async () => {
      if (engine === 'PostgreSQL') server = await startPostgres();
      control =
        server === null ? await startControl() : await startControlOn(await openPostgresTestStore(server));
    });
    after(async () => {
      await control[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    const etagOf = async (path: string) => (await control.call({ path })).headers.get('etag') ?? '';

    test('a PATCH with a good If-Match does not take the login from a share that took the name meanwhile', async (t) => {
      for (const conditional of [true, false]) {
        const name = `wiki-${conditional}`;
        const judged = await addShare(control.store, shareNamed(name));
        const path = `/v1/shares/${name}`;
        const headers = conditional ? { 'if-match': await etagOf(path) } : {};
        const other = whenFound(t, { judged, becomes: {} });
        const answer = await control.call({
          method: 'PATCH',
          path,
          headers,
          json: { oauthProvider: null, open: true },
        });
        assert.deepEqual([answer.status, answer.document['code']], [404, 'share_unknown']);
        const left = await control.store.shares.findById((await other()).id);
        assert.deepEqual([left?.oauthProvider, left?.version], ['test', 1]);
      }
    });

    test('a delete by a tunnel key takes its ephemeral share, never a reserved one that took the name', async (t) => {
      const as = { id: control.alice.id, apiKey: await tunnelKey() };
      const judged = await addShare(control.store, {
        ...shareNamed('agents-own'),
        target: null,
        tunnel: 'ephemeral',
      });
      const other = whenFound(t, { judged, becomes: { tunnel: 'reserved' } });
      const answer = await control.call({ method: 'DELETE', path: '/v1/shares/agents-own', as });
      assert.equal(answer.status, 404);
      assert.equal((await control.store.shares.findById((await other()).id))?.tunnel, 'reserved');
    });

    test('a PATCH and a DELETE of a provider with a good If-Match leave the one alone that took the name', async (t) => {
      const { providerDefinitions } = control.store;
      for (const method of ['PATCH', 'DELETE']) {
        const name = `corp-${method.toLowerCase()}`;
        const path = `/v1/auth-providers/${name}`;
        const json = { name, type: 'OIDC', config: CONFIG };
        const made = await control.call({ path: '/v1/auth-providers', json });
        assert.equal(made.status, 201);
        const find = providerDefinitions.find.bind(providerDefinitions);
        const found = t.mock.method(
          providerDefinitions,
          'find',
          async (...asked: Parameters<typeof find>) => {
            found.mock.restore();
            const definition = await find(...asked);
            await control.call({ method: 'DELETE', path });
            await control.call({ path: '/v1/auth-providers', json });
            return definition;
          },
        );
        const answer = await control.call({
          method,
          path,
          headers: { 'if-match': made.headers.get('etag') ?? '' },
          ...(method === 'PATCH' ? { json: { config: { ...CONFIG, clientId: 'taken-over' } } } : {}),
        });
        assert.deepEqual([answer.status, answer.document['code']], [404, 'provider_unknown']);
        const left = await find(control.alice.id, name);
        assert.deepEqual([left?.config.clientId, left?.version], ['client', 1]);
      }
    });

    test('the proof of a host is not another share’s, which claimed the host again meanwhile', async (t) => {
      const { hosts } = control.store;
      const accountId = control.alice.id;
      const judged = await addShare(control.store, { accountId, oauthProvider: null });
      const other = await addShare(control.store, { accountId, oauthProvider: 'test' });
      const host = 'app.elsewhere.test';
      const claimFor = ({ id: shareId }: ShareRow) =>
        hosts.claim({ id: newId('hst'), accountId, shareId, host, createdAt: 1, most: 9 });
      await claimFor(judged);
      await hosts.grant({ host, accountId, createdAt: 1 });
      const find = hosts.find.bind(hosts);
      const found = t.mock.method(hosts, 'find', async (...asked: Parameters<typeof find>) => {
        found.mock.restore();
        const claim = await find(...asked);
        await hosts.remove(accountId, host, 1);
        await claimFor(other);
        return claim;
      });
      const answer = await control.call({ path: `/v1/hosts/${host}/verification`, json: {} });
      assert.equal(answer.status, 404);
      assert.deepEqual((await control.store.shares.findById(other.id))?.hosts, []);
    });

    test('of parallel PATCHes without If-Match all succeed, of one share and of one provider', async () => {
      await addShare(control.store, shareNamed('busy'));
      const json = { name: 'busy', type: 'OIDC', config: CONFIG };
      assert.equal((await control.call({ path: '/v1/auth-providers', json })).status, 201);
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => [
          control.call({ method: 'PATCH', path: '/v1/shares/busy', json: { enabled: index % 2 === 0 } }),
          control.call({ method: 'PATCH', path: '/v1/auth-providers/busy', json: { config: CONFIG } }),
        ]).flat(),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
      // Each made a version of its own: none was lost, none counted twice.
      const versions = answers.map(({ headers }) => headers.get('etag'));
      assert.equal(new Set(versions).size, answers.length);
    });

    /**
     * The next time that the share is found, it goes, and another takes its name before who asked goes on.
     */
    function whenFound(
      t: TestContext,
      { judged, becomes }: { readonly judged: ShareRow; readonly becomes: Partial<ShareRow> },
    ): () => Promise<ShareRow> {
      const { shares } = control.store;
      const find = shares.find.bind(shares);
      const made = Promise.withResolvers<ShareRow>();
      const found = t.mock.method(shares, 'find', async (...asked: Parameters<typeof find>) => {
        found.mock.restore();
        const row = await find(...asked);
        await shares.remove(judged.accountId, judged.id);
        made.resolve(await addShare(control.store, { ...judged, ...becomes, id: newId('shr') }));
        return row;
      });
      return () => made.promise;
    }

    function shareNamed(name: string): Partial<ShareRow> {
      return {
        accountId: control.alice.id,
        name,
        oauthProvider: 'test',
        clientCertificate: null,
        access: 'all',
        oauthEmailAddressPatterns: [],
      };
    }

    async function tunnelKey(): Promise<Secret> {
      const key = newApiKey();
      await control.store.apiKeys.create(
        {
          id: newId('key'),
          accountId: control.alice.id,
          name: `agent-${randomToken().slice(0, 8).toLowerCase()}`,
          hash: hashApiKey(key),
          createdAt: Date.now(),
          role: 'member',
          scope: 'tunnel',
          expiresAt: null,
          memberId: null,
          createdBy: 'operator',
        },
        null,
      );
      return key;
    }
  });

const CONFIG = {
  clientId: 'client',
  clientSecret: 'secret',
  issuerUrl: 'https://127.0.0.1/',
  scopes: ['openid', 'email'],
};
