// The feed on a real store: what the data plane is told, when, and in which order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOfFlat } from '../../domain/flat-shares.ts';
import { type AccountId, newId, type SessionId, type ShareId } from '../../domain/id.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import { Secret } from '../../domain/secret.ts';
import { createShareBook } from '../../domain/share-book.ts';
import type { Store } from '../../store/store.ts';
import type { ChangeFeed } from '../../store/change.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import { rotateAuthority } from '../../pki/authority.ts';
import { redeem } from '../../pki/redeem.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../../../test/support/openssl.ts';
import { addToken, testPki } from '../../../test/support/pki.ts';
import { inBatches } from '../../store/columns.ts';
import { addAccount, addShare, openTestStore } from '../../../test/support/store.ts';
import { createRouteFeed, type RouteFeedDeps } from './route-feed.ts';

const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);

type Heard = AsyncDisposable & {
  readonly events: string[];
  readonly logged: string[];
  readonly feed: ReturnType<typeof createRouteFeed>;
};

function follow(store: RouteFeedDeps['store'], deps: Partial<RouteFeedDeps> = {}): Heard {
  const events: string[] = [];
  const logged: string[] = [];
  const note = (level: string) => (_fields: object, message: string) =>
    void logged.push(`${level} ${message}`);
  const feed = createRouteFeed({
    store,
    providerRef: (name) => ({ name, type: 'oidc', generation: 'first', accountId: null, emailPatterns: [] }),
    onProviders: async () => [],
    shareBase: { scheme: 'http', domain: 'share.localhost', port: 8080 },
    cookieDomain: () => 'localhost',
    now: Date.now,
    // Long enough that only commits and calls make it poll.
    pollMs: 3_600_000,
    onShares: (upsert, remove) => {
      for (const share of upsert) events.push(`share ${share.name} ${share.enabled ? 'on' : 'off'}`);
      for (const id of remove) events.push(`gone ${id}`);
    },
    onSessions: (states) => {
      for (const state of states) events.push(`session ${state.id} ${state.ended ? 'ended' : 'lives'}`);
    },
    wallNow: Date.now,
    onKeysGone: (keys) => {
      for (const id of keys) events.push(`no tunnels by ${id}`);
    },
    onPublicCertificates: () => undefined,
    onTrust: ({ authorities, gone, revoked }) => {
      for (const { id } of authorities) events.push(`trusted ${id}`);
      for (const id of gone) events.push(`distrusted ${id}`);
      for (const { serial } of revoked) events.push(`revoked ${serial}`);
    },
    onTokens: ({ tokens, gone }) => {
      for (const { name } of tokens) events.push(`token ${name}`);
      for (const id of gone) events.push(`no token ${id}`);
    },
    onGap: () => void events.push('gap'),
    onStoreGood: () => void events.push('good'),
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
    ...deps,
  });
  return { events, logged, feed, [Symbol.asyncDispose]: feed.stop };
}

function modify(store: Store, row: ShareRow, enabled: boolean): Promise<ShareRow | null> {
  const { accountId, id } = row;
  return store.shares.modify({ accountId, id, settings: () => ({ enabled }), at: 1 });
}

test('start() answers every share and finds them by id and host (DESIGN "Gateways and store")', async () => {
  await using store = await openTestStore();
  const row = await addShare(store, { name: 'demo', oauthProvider: 'test', oauthCheckIntervalMs: 1000 });
  await using heard = follow(store);
  const { feed } = heard;
  const { shares } = await feed.start();
  assert.equal(countOfFlat(shares.flat), 1);
  const share = createShareBook(shares).find(row.id);
  assert.deepEqual(share?.hosts, ['demo.share.localhost']);
  assert.equal(share?.login?.checkIntervalMs, 1000);
  assert.deepEqual(feed.find(row.id), share);
  assert.equal(feed.findByHost('demo.share.localhost'), feed.find(row.id));
  assert.equal(feed.findByHost('other.share.localhost'), null);
});

test('caughtUp() resolves after everything committed before it was handed on (DESIGN 2.5)', async () => {
  await using store = await openTestStore();
  const held = Promise.withResolvers<void>();
  const handed = Promise.withResolvers<void>();
  await using heard = follow(store, {
    onShares: () => {
      handed.resolve();
      return held.promise;
    },
  });
  const { feed } = heard;
  await feed.start();
  const row = await addShare(store, { name: 'slow' });
  await handed.promise;
  // The run that is under way began before this change: it must not be taken for one that has seen it.
  await modify(store, row, false);
  const caughtUp = feed.caughtUp();
  const first = await Promise.race([caughtUp.then(() => 'caught up'), immediately()]);
  assert.equal(first, 'not yet');
  held.resolve();
  await caughtUp;
  assert.equal(feed.find(row.id)?.enabled, false);
});

test('the keys that serve no tunnel any more are handed on, and no others (3 Tunnel)', async () => {
  await using store = await openTestStore();
  await using heard = follow(store);
  const { feed, events } = heard;
  await feed.start();
  const { accountId } = await addShare(store, { name: 'demo' });
  const limits = { role: 'member', scope: 'tunnel', expiresAt: null } as const;
  const by = { createdAt: 0, memberId: null, createdBy: null };
  const key = { id: newId('key'), accountId, name: 'agent', hash: 'hash', ...limits, ...by };
  await store.apiKeys.create(key, null);
  await store.apiKeys.remove(accountId, 'no-such-key');
  await feed.caughtUp();
  assert.deepEqual(
    events.filter((event) => event.startsWith('no tunnels')),
    [],
  );
  await store.apiKeys.remove(accountId, key.id);
  await feed.caughtUp();
  assert.deepEqual(
    events.filter((event) => event.startsWith('no tunnels')),
    [`no tunnels by ${key.id}`],
  );
});

test('keys of a login at a provider that is another now serve no tunnel: by a definition, and by a reload (3 Tunnel)', async () => {
  await using store = await openTestStore();
  let generation = 'first';
  await using heard = follow(store, {
    providerRef: (name) => ({ name, type: 'oidc', generation, accountId: null, emailPatterns: [] }),
    onProviders: async () => ['corp'],
  });
  const { feed, events } = heard;
  await feed.start();
  const { accountId } = await addShare(store, { name: 'demo' });
  const [own, other] = [newId('key'), newId('key')];
  for (const [id, provider] of [[own, 'corp'] as const, [other, null] as const])
    await store.apiKeys.create(
      {
        id,
        accountId,
        name: provider ?? 'made',
        hash: id,
        createdAt: 0,
        role: 'member',
        scope: 'tunnel',
        expiresAt: null,
        memberId: null,
        createdBy: null,
        login: provider === null ? null : { provider, generation, emailVerified: true },
      },
      null,
    );
  const ended = () => events.splice(0).filter((event) => event.startsWith('no tunnels'));
  await feed.refreshProviders();
  assert.deepEqual(ended(), []);
  generation = 'second';
  await feed.refreshProviders();
  assert.deepEqual(ended(), [`no tunnels by ${own}`]);
  await store.providerDefinitions.create(definitionOf(accountId, 'corp'));
  await feed.caughtUp();
  assert.deepEqual(ended(), [`no tunnels by ${own}`]);
});

test('a commit of this process is handed on at once, in order (DESIGN "Gateways and store")', async () => {
  await using store = await openTestStore();
  await using heard = follow(store);
  const { feed, events } = heard;
  await feed.start();
  const row = await addShare(store, { name: 'demo' });
  await feed.caughtUp();
  await modify(store, row, false);
  await feed.caughtUp();
  await store.shares.remove(row.accountId, row.id);
  await feed.caughtUp();
  assert.deepEqual(
    events.filter((event) => event !== 'good'),
    ['share demo on', 'share demo off', `gone ${row.id}`],
  );
  assert.equal(feed.find(row.id), null);
});

test('a change of another process is seen by polling (DESIGN "Gateways and store")', async () => {
  await using store = await openTestStore();
  const unheard: ChangeFeed = { ...store.changes, onCommit: () => () => undefined };
  const seen = Promise.withResolvers<void>();
  await using heard = follow(
    { ...store, changes: unheard },
    { pollMs: 5, onShares: (upsert) => void (upsert.length > 0 && seen.resolve()) },
  );
  const { feed } = heard;
  await feed.start();
  await addShare(store, { name: 'demo' });
  await seen.promise;
});

test('a session that changed or went is told, and what went has ended (DESIGN "Ended sessions")', async () => {
  await using store = await openTestStore();
  const gone: SessionId = 'ses_00000000000000000000000001';
  let news: Awaited<ReturnType<ChangeFeed['since']>> = { upTo: 0, changes: [], gap: false };
  await using heard = follow({
    ...store,
    changes: { ...store.changes, since: async () => news },
  });
  const { feed, events } = heard;
  await feed.start();
  news = { upTo: 1, changes: [{ kind: 'session', id: gone }], gap: false };
  await feed.caughtUp();
  assert.ok(events.includes(`session ${gone} ended`));
});

test('after a gap all is read again, and sessions are forgotten (DESIGN "Gateways and store")', async () => {
  await using store = await openTestStore();
  const kept = await addShare(store, { name: 'kept' });
  const left = await addShare(store, { name: 'left' });
  let gap = false;
  const since: ChangeFeed['since'] = async () => ({ upTo: 9, changes: [], gap });
  await using heard = follow({ ...store, changes: { ...store.changes, since } });
  const { feed, events } = heard;
  await feed.start();
  await store.shares.remove(left.accountId, left.id);
  await modify(store, kept, false);
  await feed.caughtUp();
  assert.deepEqual(
    events.filter((event) => event !== 'good'),
    [],
  );
  gap = true;
  await feed.caughtUp();
  assert.deepEqual(
    events.filter((event) => event !== 'good'),
    ['gap', 'share kept off', `gone ${left.id}`],
  );
  assert.equal(feed.findByHost('left.share.localhost'), null);
});

test('refreshProviders() hands every share on with the provider of now, null when it left (DESIGN 2.1)', async () => {
  await using store = await openTestStore();
  const row = await addShare(store, { name: 'demo', oauthProvider: 'test' });
  let provider: ProviderRef | null = {
    name: 'test',
    type: 'oidc',
    generation: 'first',
    accountId: null,
    emailPatterns: [],
  };
  await using heard = follow(store, { providerRef: () => provider });
  const { feed, events } = heard;
  await feed.start();
  provider = null;
  await feed.refreshProviders();
  assert.ok(events.includes('share demo on'));
  assert.deepEqual(feed.find(row.id)?.login?.providers[0]?.provider, null);
});

test('a provider change names what changed; the first fill and a gap mean all (DESIGN "Gateways and store")', async () => {
  await using store = await openTestStore();
  const asked: (readonly string[] | 'all')[] = [];
  let gap = false;
  const since: ChangeFeed['since'] = async (number) =>
    gap ? { upTo: number, changes: [], gap } : store.changes.since(number);
  await using heard = follow(
    { ...store, changes: { ...store.changes, since } },
    { onProviders: async (changed) => (asked.push(changed), []) },
  );
  await heard.feed.start();
  const accountId = await addAccount(store);
  const [first, second] = [definitionOf(accountId, 'first'), definitionOf(accountId, 'second')];
  await store.providerDefinitions.create(first);
  await heard.feed.caughtUp();
  await store.providerDefinitions.create(second);
  await heard.feed.caughtUp();
  assert.deepEqual(asked.splice(0), ['all', [first.definition.id], [second.definition.id]]);
  gap = true;
  await heard.feed.caughtUp();
  assert.deepEqual(asked, ['all']);
});

test('the first fill, a full re-read and a reload of providers let others have their turn', async () => {
  await using store = await openTestStore();
  const row = await addShare(store, { name: 'demo', oauthProvider: 'test' });
  const rows = Array.from({ length: 2_000 }, (_, n) => ({ ...row, id: newId('shr'), name: `demo-${n}` }));
  let gap = false;
  const since: ChangeFeed['since'] = async (number) => ({ upTo: number, changes: [], gap });
  // A page in one turn, as the store does it.
  const each: typeof store.shares.each = async (take) => {
    for (const page of inBatches(rows)) {
      take(page.map((own) => Object.assign({ settings: own }, own)));
      await new Promise(setImmediate);
    }
  };
  const shares = { ...store.shares, all: async () => rows, each };
  const handed: number[] = [];
  await using heard = follow(
    { ...store, shares, changes: { ...store.changes, since } },
    { onShares: (upsert) => void handed.push(upsert.length) },
  );
  const first = await turns(() => heard.feed.start());
  gap = true;
  const again = await turns(() => heard.feed.caughtUp());
  const reload = await turns(() => heard.feed.refreshProviders());
  assert.ok(first >= 3, `${first}`);
  for (const count of [again, reload]) assert.ok(count >= 7, `${again} ${reload}`);
  assert.ok(Math.max(...handed) <= 250, 'and hand on so many at once');
  assert.equal(
    handed.reduce((sum, count) => sum + count),
    2 * rows.length,
  );
  assert.equal(heard.feed.findByHost('demo-1999.share.localhost')?.id, rows.at(-1)?.id);
});

/** How often others had their turn while `work` went on. */
async function turns(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  let over = false;
  const next = (): void => {
    count++;
    if (!over) setImmediate(next);
  };
  setImmediate(next);
  await work();
  over = true;
  return count;
}

test('an outage is logged once, nothing counts as good meanwhile, and no change is lost (DESIGN 3)', async () => {
  await using store = await openTestStore();
  const row = await addShare(store, { name: 'demo' });
  let broken = false;
  const findByIds = (ids: readonly ShareId[]): Promise<readonly ShareRow[]> =>
    broken ? Promise.reject(new Error('the store is away')) : store.shares.findByIds(ids);
  await using heard = follow({ ...store, shares: { ...store.shares, findByIds } });
  const { feed, events, logged } = heard;
  await feed.start();
  await feed.caughtUp();
  events.length = 0;
  broken = true;
  await modify(store, row, false);
  for (let poll = 0; poll < 3; poll++) await assert.rejects(feed.caughtUp(), /away/);
  assert.equal(events.length, 0);
  broken = false;
  await feed.caughtUp();
  assert.deepEqual(logged, [
    'error Cannot read changes from the database',
    'info Reading changes from the database again',
  ]);
  assert.ok(events.includes('share demo off'));
});

function definitionOf(accountId: AccountId, name: string) {
  const config = { clientId: 'c', issuerUrl: 'https://login.example', scopes: [], supportsPkce: true };
  const others = {
    prompt: null,
    requireVerifiedEmail: false,
    baseUrl: null,
    apiUrl: null,
    emailPatterns: [],
  };
  const made = { version: 1, createdAt: 0, updatedAt: 0 };
  const definition = { id: newId('prv'), accountId, name, type: 'OIDC' as const, ...made };
  return { definition: { ...definition, config: { ...config, ...others } }, clientSecret: new Secret('s') };
}

async function immediately(): Promise<string> {
  await new Promise(setImmediate);
  return 'not yet';
}

test('authorities and revocations are told before the shares that go by them (DESIGN "Mutual TLS")', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const { certificate, ca } = await redeem(pki.deps, { token: await addToken(pki, accountId), csr });
  await using heard = follow(store);
  const { feed, events } = heard;
  const { trust } = await feed.start();
  assert.deepEqual([trust.reset, trust.authorities.map(({ id }) => id), trust.revoked], [true, [ca.id], []]);
  const next = await rotateAuthority(pki.deps, accountId);
  const of = { accountId, chosen: { id: certificate.id }, reason: 'unspecified', by: 'operator' } as const;
  await store.certificates.revoke({ ...of, at: pki.clock.time });
  await addShare(store, { accountId, name: 'demo' });
  await feed.caughtUp();
  const told = events.filter((event) => event !== 'good');
  assert.deepEqual(
    [new Set(told.slice(0, -1)), told.at(-1)],
    [new Set([`trusted ${ca.id}`, `trusted ${next.id}`, `revoked ${certificate.serial}`]), 'share demo on'],
  );
  await store.accounts.suspend(accountId, true);
  await feed.caughtUp();
  assert.ok(events.includes(`distrusted ${ca.id}`) && events.includes(`distrusted ${next.id}`));
  await store.accounts.suspend(accountId, false);
  await using later = follow(store);
  const again = await later.feed.start();
  assert.deepEqual(
    again.trust.revoked.map(({ authorityId, serial }) => [authorityId, serial]),
    [[ca.id, certificate.serial]],
  );
  // Nothing that counts is left of the retired one: it goes soon, whatever its own certificate says.
  const until = new Map(again.trust.authorities.map(({ id, notAfter }) => [id, notAfter]));
  assert.equal(until.get(next.id), next.notAfter);
  assert.equal(until.get(ca.id), next.createdAt + 3_600_000);
});

test('a service token counts no longer than the login that it came from (THREATS "Session and cookie")', async () => {
  await using store = await openTestStore();
  const accountId = await addAccount(store);
  const login = { provider: 'corp', generation: 'first', emailVerified: true };
  const token = {
    id: newId('tok'),
    accountId,
    name: 'of-login',
    hash: 'hash',
    shareIds: [newId('shr')],
    createdAt: 1,
    createdBy: 'operator',
    expiresAt: Date.now() + 3_600_000,
    memberId: null,
    login,
  } as const;
  await store.serviceTokens.create(token, null);
  const forgery = { ...token, id: newId('tok'), name: 'of-former', hash: 'other' };
  await store.serviceTokens.create({ ...forgery, login: { ...login, generation: 'former' } }, null);
  let generation = 'first';
  await using heard = follow(store, {
    providerRef: (name) => ({ name, type: 'oidc', generation, accountId: null, emailPatterns: [] }),
  });
  const { feed, events } = heard;
  assert.deepEqual(
    (await feed.start()).tokens.tokens.map(({ name, ...known }) => [name, 'login' in known]),
    [['of-login', false]],
  );
  generation = 'second';
  await feed.refreshProviders();
  assert.deepEqual(
    events.filter((event) => event.includes(token.id)),
    [`no token ${token.id}`],
  );
  await store.serviceTokens.create({ ...forgery, id: newId('tok'), name: 'late', hash: 'late' }, null);
  await feed.caughtUp();
  assert.ok(!events.includes('token late'));
  generation = 'first';
  await feed.refreshProviders();
  assert.ok(events.includes('token of-login'));
});
