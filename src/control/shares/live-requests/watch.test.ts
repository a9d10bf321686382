// GET /v1/shares/{share}/requests: what is told, to whom, for how long, and how many may listen.

import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, test, type TestContext } from 'node:test';
import {
  addAccountWithKey,
  startControl,
  TEST_PROVIDER,
  type TestAccount,
  type TestControl,
} from '../../../../test/support/control.ts';
import { createClient } from '../../../client/client.ts';
import { createNodeClient } from '../../../client/node-client.ts';
import type { WatchedEvent } from '../../../client/watch-requests.ts';
import { open, send } from '../../../client/send.ts';
import type { SentCall } from '../../../client/sent-call.ts';
import type { ShareId } from '../../../domain/id.ts';
import { randomToken, Secret, secretHash } from '../../../domain/secret.ts';
import type { ShareRequest } from '../../../domain/share-request.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import type { ShareRow } from '../../../store/shares/share.ts';
import { addShare } from '../../../store/suite/bench.test-support.ts';
import { loginOf } from '../../../store/suite/people.test-support.ts';
import { MOST_OF_ONE } from './watch-limit.ts';
import { until } from '../../../../test/support/until.ts';
import { addSpareKey } from '../../../../test/support/spare-key.ts';
import { PROMPTLY_MS } from '../../../../test/support/promptly.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

const REQUEST: ShareRequest = {
  requestId: 'req-1',
  at: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  method: 'GET',
  path: '/orders',
  status: 200,
  authorized: false,
  durationMs: 12,
  who: 'ada@example.com',
  reason: null,
  aborted: false,
  address: '192.0.2.1',
};

/** One watch, as the client has it. */
function watch(t: TestContext, share: string, { as = control.alice }: { readonly as?: TestAccount } = {}) {
  const leave = new AbortController();
  t.after(() => leave.abort());
  const client = createNodeClient({ url: control.url, apiKey: as.apiKey });
  const events = client.shares.watch(share, leave.signal)[Symbol.asyncIterator]();
  const next = async (): Promise<WatchedEvent | undefined> => (await events.next()).value;
  return { next, leave: () => leave.abort() };
}

async function accountWithShare(name: string) {
  const account = await addAccountWithKey(control.store, name);
  const share = await addShare(control.store, { accountId: account.id, name: `${name}-share` });
  return { account, share };
}

function tell(shareId: ShareId, requests: readonly ShareRequest[], skipped = 0): void {
  control.liveRequests.told([{ shareId, requests, skipped }]);
}

test('requests are told as they end, to each who watches, of this share alone', async (t) => {
  const { account, share } = await accountWithShare('told');
  const other = await addShare(control.store, { accountId: account.id, name: 'told-other' });
  assert.ok(!control.liveRequests.wanted().includes(share.id));
  const [byName, byId] = [watch(t, 'told-share', { as: account }), watch(t, share.id, { as: account })];
  for (const each of [byName, byId]) assert.deepEqual(await each.next(), { kind: 'open' });
  assert.ok(control.liveRequests.wanted().includes(share.id));
  tell(other.id, [{ ...REQUEST, path: '/other' }]);
  tell(share.id, [REQUEST, { ...REQUEST, status: null, who: null, reason: 'login_required' }], 3);
  for (const { next } of [byName, byId]) {
    const { at: _at, durationMs, ...rest } = REQUEST;
    const request = { ...rest, at: '2026-01-02T03:04:05.006Z', ms: durationMs };
    assert.deepEqual(await next(), { kind: 'request', request });
    const second = await next();
    assert.ok(second?.kind === 'request');
    assert.deepEqual([second.request.status, second.request.reason], [null, 'login_required']);
    assert.deepEqual(await next(), { kind: 'skipped', skipped: 3 });
  }
  byName.leave();
  byId.leave();
  await untilUnwatched(share.id);
});

test('the answer is a stream that no proxy holds back, and HEAD watches nothing', async () => {
  const { account, share } = await accountWithShare('headers');
  const path = `/v1/shares/${share.id}/requests`;
  const head = await control.call({ path, method: 'HEAD', as: account });
  assert.equal(head.status, 200);
  assert.deepEqual(control.liveRequests.wanted(), []);
  const { headers } = await control.call({ path, as: account });
  for (const answer of [head.headers, headers]) {
    assert.equal(answer.get('content-type'), 'text/event-stream');
    assert.equal(answer.get('x-accel-buffering'), 'no');
    assert.equal(answer.get('cache-control'), 'no-store');
    assert.equal(answer.get('access-control-allow-origin'), null);
  }
  await untilUnwatched(share.id);
});

/** By a member's login, as the console does it. */
async function watchLoggedIn(account: TestAccount, share: ShareId, signal: AbortSignal) {
  const email = `${account.id}@example.com`;
  await control.call({ path: '/v1/members', json: { email }, as: account });
  const token = randomToken();
  const entry = await control.store.consoleSessions.begin(
    loginOf(
      email,
      { hash: secretHash(new Secret(token)), expiresAt: Date.now() + 60_000 },
      { provider: TEST_PROVIDER.name, generation: TEST_PROVIDER.generation },
    ),
  );
  assert.equal(entry.kind, 'member');
  const withCookie = (call: SentCall): SentCall => ({
    ...call,
    headers: { ...call.headers, cookie: `svc-control=${token}` },
  });
  const client = createClient({
    url: control.url,
    apiKey: null,
    send: (call) => send(withCookie(call), STRAIGHT),
    open: (call, ending) => open({ call: withCookie(call), signal: ending }, STRAIGHT),
  });
  return { events: client.shares.watch(share, signal), email, hash: secretHash(new Secret(token)) };
}

/** How the watch ends, once it was open. */
async function endOf(events: AsyncIterable<WatchedEvent>, takeAway: () => Promise<unknown>) {
  let since = Number.NaN;
  try {
    for await (const { kind } of events)
      if (kind === 'open') {
        await takeAway();
        since = performance.now();
      }
    return { code: null, ms: 0 };
  } catch (error) {
    return { code: error instanceof ServiceError ? error.code : error, ms: performance.now() - since };
  }
}

test('whoever may watch no longer is out within five seconds, and told why', async (t) => {
  const { store } = control;
  const signal = AbortSignal.timeout(60_000);
  const byKey = async (
    name: string,
    takeAway: (account: TestAccount, share: ShareRow) => Promise<unknown>,
  ) => {
    const { account, share } = await accountWithShare(name);
    const client = createNodeClient({ url: control.url, apiKey: account.apiKey });
    return endOf(client.shares.watch(share.id, signal), () => takeAway(account, share));
  };
  const byLogin = async (
    name: string,
    takeAway: (login: { account: TestAccount; email: string; hash: string }) => Promise<unknown>,
  ) => {
    const { account, share } = await accountWithShare(name);
    const { events, ...login } = await watchLoggedIn(account, share.id, signal);
    return endOf(events, () => takeAway({ account, ...login }));
  };
  const ends = await Promise.all([
    byKey('no-key', async ({ id }) => {
      await addSpareKey(store, id);
      await store.apiKeys.remove(id, 'first');
    }),
    byKey('no-share', ({ id }, share) => store.shares.remove(id, share.id)),
    byKey('suspended', ({ id }) => store.accounts.suspend(id, true)),
    byLogin('no-session', ({ hash }) => store.consoleSessions.end(hash)),
    byLogin('no-member', ({ account, email }) =>
      control.call({ method: 'DELETE', path: `/v1/members/${email}`, as: account }),
    ),
  ]);
  assert.deepEqual(
    ends.map(({ code }) => code),
    ['api_key_invalid', 'share_unknown', 'not_allowed', 'login_required', 'login_required'],
  );
  for (const { code, ms } of ends) {
    t.diagnostic(`${String(code)} after ${Math.round(ms)} ms`);
    assert.ok(ms < PROMPTLY_MS);
  }
  assert.deepEqual(control.liveRequests.wanted(), []);
});

test('so many may watch at once and no more; whoever leaves makes room (THREATS "Exhaustion")', async (t) => {
  const { account, share } = await accountWithShare('many');
  const watches = Array.from({ length: MOST_OF_ONE }, () => watch(t, share.id, { as: account }));
  for (const { next } of watches) assert.deepEqual(await next(), { kind: 'open' });
  const tooMany = watch(t, share.id, { as: account });
  await assert.rejects(tooMany.next(), { code: 'rate_limited' });
  // Another account has its own room.
  const { account: other, share: others } = await accountWithShare('many-others');
  assert.deepEqual(await watch(t, others.id, { as: other }).next(), { kind: 'open' });
  watches[0]?.leave();
  for (;;) {
    const again = await watch(t, share.id, { as: account })
      .next()
      .catch(() => null);
    if (again?.kind === 'open') break;
    await pause(20);
  }
});

test('whoever leaves before the answer begins leaves nothing behind (THREATS "Exhaustion")', async (t) => {
  const { account, share } = await accountWithShare('hasty');
  const { shares } = control.store;
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  t.mock.method(shares, 'findById', async () => {
    asked.resolve();
    await answer.promise;
    return share;
  });
  const stops = t.mock.method(control.liveRequests, 'watch');
  const socket = createConnection({ host: '127.0.0.1', port: Number(control.url.port) });
  socket.write(
    `GET /v1/shares/${share.id}/requests HTTP/1.1\r\nHost: ${control.url.host}\r\n` +
      `Authorization: Bearer ${account.apiKey.reveal()}\r\n\r\n`,
  );
  await asked.promise;
  socket.destroy();
  // The server hears of it before anything that is sent now is answered.
  assert.equal((await control.call({ path: '/v1/status' })).status, 200);
  answer.resolve();
  await until(() => stops.mock.callCount() > 0);
  await untilUnwatched(share.id);
});

test('whoever reads slowly misses requests and is told how many; memory stays bounded (THREATS "Exhaustion")', async (t) => {
  const { account, share } = await accountWithShare('slow');
  const socket = createConnection({ host: '127.0.0.1', port: Number(control.url.port) });
  t.after(() => socket.destroy());
  socket.pause();
  socket.write(
    `GET /v1/shares/${share.id}/requests HTTP/1.1\r\nHost: ${control.url.host}\r\n` +
      `Authorization: Bearer ${account.apiKey.reveal()}\r\n\r\n`,
  );
  await until(() => control.liveRequests.wanted().includes(share.id));
  const path = `/${'x'.repeat(290)}`;
  const requests = Array.from({ length: 400 }, () => ({ ...REQUEST, path }));
  const total = 200 * requests.length;
  const heldBefore = process.memoryUsage().arrayBuffers;
  for (let batch = 0; batch < 200; batch++) {
    tell(share.id, requests);
    await new Promise(setImmediate);
  }
  // 40 MB were told; the rest is what the kernel holds.
  assert.ok(process.memoryUsage().arrayBuffers - heldBefore < 20_000_000);
  let text = '';
  socket
    .setEncoding('latin1')
    .on('data', (chunk: string) => (text += chunk))
    .resume();
  const counted = () => {
    const told = text.match(/^event: request$/gm)?.length ?? 0;
    const skipped = [...text.matchAll(/"skipped":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    return { told, skipped };
  };
  // What was missed is said with the next that there is room for.
  for (let more = 1; ; more++) {
    await pause(20);
    tell(share.id, [REQUEST]);
    const { told, skipped } = counted();
    if (told + skipped < total) continue;
    assert.ok(skipped > 0 && told > 0 && told + skipped <= total + more, `${told} told, ${skipped} skipped`);
    break;
  }
});

test('the end of the service ends every watch at once, and none begins', async (t) => {
  await using ending = await startControl();
  const share = await addShare(ending.store, { accountId: ending.alice.id, name: 'ending' });
  const client = createNodeClient({ url: ending.url, apiKey: ending.alice.apiKey });
  const { code, ms } = await endOf(client.shares.watch(share.id, AbortSignal.timeout(60_000)), async () =>
    ending.liveRequests.stop(),
  );
  assert.equal(code, 'draining');
  t.diagnostic(`after ${Math.round(ms)} ms`);
  const late = await ending.call({ path: `/v1/shares/${share.id}/requests` });
  assert.deepEqual([late.status, late.document['code']], [503, 'draining']);
});

async function untilUnwatched(share: ShareId): Promise<void> {
  await until(() => !control.liveRequests.wanted().includes(share));
}

const STRAIGHT = { clientCertificate: null, wayTo: () => null };
