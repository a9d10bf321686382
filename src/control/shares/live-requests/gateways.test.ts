// Requests at one gateway, watched at another: two control planes on one PostgreSQL, as in two processes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addAccountWithKey, startControlOn, type TestControl } from '../../../../test/support/control.ts';
import {
  openPostgresTestStore,
  type PostgresTestStore,
  startPostgres,
  type TestPostgres,
} from '../../../../test/support/postgres.ts';
import { createNodeClient } from '../../../client/node-client.ts';
import type { WatchedEvent } from '../../../client/watch-requests.ts';
import type { ShareId } from '../../../domain/id.ts';
import type { RequestBatch, ShareRequest } from '../../../domain/share-request.ts';
import type { Bulletin } from '../../../store/bulletin.ts';
import { MAX_POST_BYTES } from '../../../store/bulletin.ts';
import { openStore } from '../../../store/open.ts';
import type { Store } from '../../../store/store.ts';
import { addShare } from '../../../store/suite/bench.test-support.ts';
import { createLiveRequests, type LiveRequests } from './live-requests.ts';
import { batchTexts, readPost, watchTexts } from './posts.ts';
import { until } from '../../../../test/support/until.ts';
import { addSpareKey } from '../../../../test/support/spare-key.ts';
import { PROMPTLY_MS } from '../../../../test/support/promptly.ts';

let server: TestPostgres;
let here: TestControl<PostgresTestStore>;
let otherStore: Store;
/** The other gateway, without a control API of its own. */
let there: LiveRequests;
before(async () => {
  server = await startPostgres();
  here = await startControlOn(await openPostgresTestStore(server));
  const { url, masterKey } = here.store;
  otherStore = await openStore({
    engine: { kind: 'postgres', url },
    masterKey,
    now: Date.now,
    exclusive: true,
  });
  there = liveOn(otherStore.bulletin);
});
after(async () => {
  there.stop();
  await otherStore.close();
  await here[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const LOG = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function liveOn(bulletin: Bulletin): LiveRequests {
  return createLiveRequests({ bulletin, tellWorkers: async () => {}, log: LOG });
}

function requestTo(path: string): ShareRequest {
  return {
    requestId: 'req-1',
    at: 0,
    method: 'GET',
    path,
    status: 200,
    authorized: false,
    durationMs: 1,
    who: 'ä@example.com',
    reason: null,
    aborted: false,
    address: '192.0.2.1',
  };
}

test('what ends at the other gateway is told to who watches at this one (DESIGN "Gateways and store")', async (t) => {
  const share = await addShare(here.store, { accountId: here.alice.id, name: 'far' });
  const leave = new AbortController();
  t.after(() => leave.abort());
  const client = createNodeClient({ url: here.url, apiKey: here.alice.apiKey });
  const events = client.shares.watch('far', leave.signal)[Symbol.asyncIterator]();
  const next = async (): Promise<WatchedEvent | undefined> => (await events.next()).value;
  assert.deepEqual(await next(), { kind: 'open' });
  await until(() => there.wanted().includes(share.id));
  const paths = Array.from({ length: 60 }, (_, index) => `/${index}-${'ä'.repeat(250)}`);
  there.told([
    { shareId: 'shr_other', requests: [requestTo('/other')], skipped: 1 },
    { shareId: share.id, requests: paths.map(requestTo), skipped: 7 },
  ]);
  for (const path of paths) {
    const event = await next();
    assert.equal(event?.kind === 'request' ? event.request.path : event, path);
  }
  assert.deepEqual(await next(), { kind: 'skipped', skipped: 7 });
});

test('a key that is deleted at another gateway ends its watch at this one within five seconds', async () => {
  const account = await addAccountWithKey(here.store, 'leaving');
  const share = await addShare(here.store, { accountId: account.id, name: 'leaving' });
  await addSpareKey(here.store, account.id);
  const client = createNodeClient({ url: here.url, apiKey: account.apiKey });
  let since = 0;
  const watching = async () => {
    for await (const { kind } of client.shares.watch(share.id, AbortSignal.timeout(60_000)))
      if (kind === 'open') {
        await otherStore.apiKeys.remove(account.id, 'first');
        since = performance.now();
      }
  };
  await assert.rejects(watching(), { code: 'api_key_invalid' });
  assert.ok(performance.now() - since < PROMPTLY_MS);
});

type Heard = (text: string) => void;

/** Bulletins of some processes, by hand. */
function boards(count: number) {
  const listeners: Heard[][] = Array.from({ length: count }, () => []);
  const posted: string[] = [];
  const bulletins = listeners.map((own): Bulletin => ({
    post: async (text) => {
      posted.push(text);
      for (const others of listeners) if (others !== own) others.forEach((heard) => heard(text));
    },
    onPost: (heard) => void own.push(heard),
  }));
  return { bulletins, posted };
}

test('a watch lasts while it is renewed, and costs nothing soon after its gateway died', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const pass = async (ms: number) => {
    for (let past = 0; past < ms; past += 1_000) {
      now += 1_000;
      t.mock.timers.tick(1_000);
      await new Promise(setImmediate);
    }
  };
  const { bulletins, posted } = boards(2);
  const [watching, serving] = bulletins.map(liveOn);
  assert.ok(watching && serving);
  const id: ShareId = 'shr_1';
  const heard: RequestBatch[] = [];
  const batch = { shareId: id, requests: [requestTo('/')], skipped: 0 };
  serving.told([batch]);
  await new Promise(setImmediate);
  assert.deepEqual([serving.wanted(), posted], [[], []]);
  const watch = watching.watch(id, { heard: (told) => heard.push(told), ending: () => {} });
  await new Promise(setImmediate);
  assert.deepEqual(serving.wanted(), [id]);
  await pass(120_000);
  serving.told([batch]);
  await new Promise(setImmediate);
  assert.deepEqual([serving.wanted(), heard], [[id], [batch]]);
  watch.stop();
  await pass(20_000);
  posted.length = 0;
  serving.told([batch]);
  await pass(20_000);
  assert.deepEqual([serving.wanted(), watching.wanted(), heard.length, posted], [[], [], 1, []]);
  serving.stop();
  watching.stop();
});

test('a store that does not keep up is not asked for more, and what was not told is counted', async () => {
  const stuck: (() => void)[] = [];
  const ears: Heard[] = [];
  const posted: string[] = [];
  const live = liveOn({
    post: (text) => {
      posted.push(text);
      return new Promise((resolve) => stuck.push(resolve));
    },
    onPost: (heard) => void ears.push(heard),
  });
  for (const text of watchTexts(['shr_1'])) ears.forEach((hear) => hear(text));
  const batch = { shareId: 'shr_1', requests: [requestTo('/')], skipped: 0 } as const;
  for (let count = 0; count < 100; count++) live.told([batch]);
  while (posted.length < 30) {
    await new Promise(setImmediate);
    stuck.splice(0).forEach((resolve) => resolve());
  }
  await new Promise(setImmediate);
  live.told([batch]);
  await new Promise(setImmediate);
  const last = readPost(posted.at(-1) ?? '');
  assert.equal(last?.kind === 'batch' ? last.batch.skipped : last, 70);
  live.stop();
});

test('batchTexts() fits posts, whatever visitors send; readPost() takes nothing else', () => {
  const worst = {
    ...requestTo(`/${'\u{1f600}\u0001'.repeat(100)}`),
    who: '\u0001'.repeat(254),
    method: '"'.repeat(20),
  };
  const requests = Array.from({ length: 50 }, () => worst);
  const texts = batchTexts({ shareId: 'shr_1', requests, skipped: 3 });
  const read = texts.map(({ text }) => readPost(text));
  for (const { text } of texts) {
    assert.ok(Buffer.byteLength(text) <= MAX_POST_BYTES);
    assert.doesNotMatch(text, /\p{Cc}/u);
  }
  const batches = read.flatMap((post) => (post?.kind === 'batch' ? [post.batch] : []));
  assert.deepEqual(
    batches.flatMap((batch) => batch.requests),
    requests,
  );
  assert.equal(
    batches.reduce((sum, { skipped }) => sum + skipped, 0),
    3,
  );
  assert.equal(
    texts.reduce((sum, { count }) => sum + count, 0),
    53,
  );
  const shares = Array.from({ length: 500 }, (_, index): ShareId => `shr_${String(index).padStart(26, '0')}`);
  const watches = watchTexts(shares).map((text) => readPost(text));
  assert.deepEqual(
    watches.flatMap((post) => (post?.kind === 'watch' ? post.shares : [])),
    shares,
  );
  for (const text of watchTexts(shares)) assert.ok(Buffer.byteLength(text) <= MAX_POST_BYTES);
  for (const text of ['', 'null', '{}', '{"kind":"watch","shares":["x"]}', '{"kind":"later"}'])
    assert.equal(readPost(text), null);
});
