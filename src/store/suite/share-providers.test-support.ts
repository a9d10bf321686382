// The suite's part on shares whose provider an account defines: no share is left with a definition that is
// gone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientCredential } from '../../domain/client-credential.ts';
import { newId, type ProviderDefinitionId, type ShareId } from '../../domain/id.ts';
import { namedProviders } from '../../domain/named-providers.ts';
import { Secret } from '../../domain/secret.ts';
import type { Store } from '../store.ts';
import type { StoredDefinition } from '../providers/definition.ts';
import type { ShareRow } from '../shares/share.ts';
import { START, type OpenBench, addAccount, addShare, benchOf, shareOf } from './bench.test-support.ts';

export function shareProvidersSuite(open: OpenBench): void {
  test('shares.create() and modify() refuse a definition that is gone, and another account’s', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const accountId = await addAccount(bench.store);
    await addDefinition(bench.store, { accountId: await addAccount(bench.store), name: 'theirs' });
    const share = await addShare(bench.store, { accountId, oauthProvider: null });
    for (const name of ['nobodys', 'theirs']) {
      const unknown = { code: 'provider_unknown' };
      await assert.rejects(
        shares.create(shareOf(accountId, { oauthProvider: name }), { definitions: [name] }),
        unknown,
      );
      await assert.rejects(shares.modify(settingOf(share, name)), unknown);
    }
    assert.deepEqual(await shares.list(accountId, { after: null, limit: 10 }), {
      shares: [share],
      next: null,
    });
  });

  test('a definition is changed and deleted by its id, not as what has its name by now', async () => {
    await using bench = await benchOf(open);
    const { providerDefinitions } = bench.store;
    const accountId = await addAccount(bench.store);
    const named = { accountId, name: 'corp' };
    const judged = await addDefinition(bench.store, named);
    assert.equal(await providerDefinitions.remove(accountId, judged), true);
    const other = await addDefinition(bench.store, named);
    const { type, config } = (await providerDefinitions.find(accountId, 'corp')) ?? assert.fail();
    const become = () => ({ type, config: { ...config, clientId: 'changed' }, endsSessions: true });
    const change = { accountId, become, credential: null, at: START };
    assert.equal(await providerDefinitions.modify({ ...change, id: judged }), null);
    assert.equal(await providerDefinitions.remove(accountId, judged), false);
    const found = await providerDefinitions.find(accountId, 'corp');
    assert.deepEqual([found?.id, found?.config.clientId, found?.version], [other, 'client', 1]);
  });

  test('definitions are read in pages or by id, none of a suspended account, and no secret before it is asked for', async () => {
    await using bench = await benchOf(open);
    const { accounts, providerDefinitions } = bench.store;
    const accountId = await addAccount(bench.store);
    const count = 501;
    const ids = await bench.store.together(async () => {
      const made: ProviderDefinitionId[] = [];
      for (let n = 0; n < count; n++)
        made.push(await addDefinition(bench.store, { accountId, name: `corp-${n}` }));
      return made;
    });
    const all = await providerDefinitions.all();
    assert.deepEqual(new Set(all.map(({ definition }) => definition.id)), new Set(ids));
    assert.equal(all.length, count);
    const [one, other] = [ids[7]!, ids[500]!];
    const found = await providerDefinitions.among([one, other, newId('prv')]);
    assert.deepEqual(new Set(found.map(({ definition }) => definition.id)), new Set([one, other]));
    assert.equal(found[0]?.openCredential().clientSecret?.reveal(), 'secret');
    await accounts.suspend(accountId, true);
    assert.deepEqual([await providerDefinitions.all(), await providerDefinitions.among([one])], [[], []]);
  });

  test('a definition has a secret or a private key, each in place of the other, and keeps it through other changes', async () => {
    await using bench = await benchOf(open);
    const { providerDefinitions } = bench.store;
    const accountId = await addAccount(bench.store);
    const id = await addDefinition(bench.store, { accountId, name: 'corp' });
    const { type, config } = (await providerDefinitions.find(accountId, 'corp')) ?? assert.fail();
    const become = () => ({ type, config, endsSessions: false });
    const clientKey = { pem: new Secret('a key'), keyId: 'key-1' };
    const credentials = [{ clientSecret: null, clientKey }, null, { clientSecret: new Secret('next') }, null];
    const seen: unknown[] = [];
    for (const credential of credentials) {
      await providerDefinitions.modify({ accountId, id, become, credential, at: START });
      const [found] = await providerDefinitions.among([id]);
      const opened = found?.openCredential();
      seen.push([opened?.clientSecret?.reveal(), opened?.clientKey?.pem.reveal(), opened?.clientKey?.keyId]);
    }
    const keyed = [undefined, 'a key', 'key-1'];
    const plain = ['next', undefined, undefined];
    assert.deepEqual(seen, [keyed, keyed, plain, plain]);
  });

  test('shares.all() and shares.each() read page after page, and let others have their turn', async () => {
    await using bench = await benchOf(open);
    const accountId = await addAccount(bench.store);
    const rows = Array.from({ length: 1001 }, (_, n) => shareOf(accountId, { description: `${n}` }));
    await bench.store.together(async () => {
      for (const row of rows) await bench.store.shares.create(row);
    });
    const all = await bench.store.shares.all();
    assert.deepEqual(
      all.map(({ id }) => id),
      rows.map(({ id }) => id).toSorted(),
    );
    const [pages, turns]: [ShareId[][], number[]] = [[], []];
    const settings = new Set<object>();
    let turn = 0;
    const counting = setInterval(() => turn++, 0);
    const late = shareOf(accountId, {});
    let adding: Promise<void> | null = null;
    await bench.store.shares.each((page) => {
      adding ??= bench.store.shares.create(late);
      pages.push(page.map(({ id }) => id));
      turns.push(turn);
      for (const row of page) settings.add(row.settings);
      const until = performance.now() + 3;
      while (performance.now() < until);
    });
    clearInterval(counting);
    await adding;
    assert.equal(settings.size, 1, 'what the gateway has of all alike is held once');
    assert.deepEqual(
      pages.flat().toSorted(),
      all.map(({ id }) => id),
      'as they were at one moment',
    );
    assert.ok(pages.length > 2 && Math.max(...pages.map(({ length }) => length)) <= 500);
    assert.equal(new Set(turns).size, turns.length);
  });

  for (const [how, settings] of Object.entries(NAMING))
    test(`a definition is deleted, or a share names it as ${how}, never both`, async () => {
      await using bench = await benchOf(open);
      const other = await bench.again();
      const { shares, providerDefinitions } = bench.store;
      const accountId = await addAccount(bench.store);
      for (let round = 0; round < ROUNDS; round++) {
        const name = `corp-${round}`;
        const definition = await addDefinition(bench.store, { accountId, name });
        const there = await addShare(bench.store, { accountId, oauthProvider: null });
        const made = shareOf(accountId, settings(name));
        const [removed] = await Promise.allSettled([
          providerDefinitions.remove(accountId, definition),
          other.shares.modify({ ...settingOf(there, name), settings: () => settings(name) }),
          other.shares.create(made, { definitions: [name] }),
        ]);
        const left = await providerDefinitions.find(accountId, name);
        const users = [await shares.findById(there.id), await shares.findById(made.id)];
        const used = users.some((row) => row !== null && namedProviders(row).includes(name));
        assert.equal(used, left !== null, `round ${round}`);
        assert.equal(removed.status === 'rejected', used);
        if (removed.status === 'rejected')
          assert.equal((removed.reason as { code?: unknown }).code, 'provider_in_use');
      }
    });

  test('definitions.remove() finds a name that a version before wrote beside others', async () => {
    await using bench = await benchOf(open);
    const { providerDefinitions } = bench.store;
    const accountId = await addAccount(bench.store);
    const definition = await addDefinition(bench.store, { accountId, name: 'second' });
    const share = await addShare(bench.store, { accountId, oauthProvider: ['first', 'second'] });
    await bench.raw(
      `UPDATE shares SET oauth_provider = 'first,second', ruled = NULL, rule_providers = NULL WHERE id = '${share.id}'`,
    );
    await assert.rejects(providerDefinitions.remove(accountId, definition), { code: 'provider_in_use' });
  });
}

function settingOf({ accountId, id }: Pick<ShareRow, 'accountId' | 'id'>, provider: string) {
  const settings = () => ({ oauthProvider: provider, oauthCheckIntervalMs: 60_000 });
  return { accountId, id, settings, definitions: [provider], at: START };
}

export async function addDefinition(
  store: Store,
  named: Pick<StoredDefinition['definition'], 'accountId' | 'name'>,
  credential: ClientCredential = { clientSecret: new Secret('secret') },
): Promise<ProviderDefinitionId> {
  const id = newId('prv');
  await store.providerDefinitions.create({
    definition: {
      ...named,
      id,
      type: 'OIDC',
      config: {
        clientId: 'client',
        issuerUrl: 'https://id.example.com',
        scopes: ['openid', 'email'],
        supportsPkce: true,
        prompt: null,
        requireVerifiedEmail: true,
        baseUrl: null,
        apiUrl: null,
        emailPatterns: [],
      },
      version: 1,
      createdAt: START,
      updatedAt: START,
    },
    ...credential,
  });
  return id;
}

const NAMING: Readonly<Record<string, (name: string) => Partial<ShareRow>>> = {
  'its provider': (name) => ({ oauthProvider: name }),
  'its second provider': (name) => ({ oauthProvider: ['google', name] }),
  'a provider of a rule': (name) => ({ oauthProvider: null, rules: [{ allow: { providers: [name] } }] }),
};

/** Enough that, without the lock, some round on PostgreSQL has both. */
const ROUNDS = 25;
