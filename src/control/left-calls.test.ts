// A call that waits in its account's queue, and whose caller leaves, never runs: whoever opens and drops
// connections makes the service do nothing, and nothing is changed for somebody who was never told.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startControl } from '../../test/support/control.ts';
import { until } from '../../test/support/until.ts';
import { DEFAULT_LIMITS } from '../domain/account-limits.ts';
import type { ControlApi } from './control-deps.ts';
import { controlHandler } from './node-handler.ts';

test('controlHandler() tells a call that its caller left, and none that was answered', async () => {
  const begun = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];
  const answer = async (request: Request, { left }: { readonly left: AbortSignal }) => {
    signals.push(left);
    left.addEventListener('abort', () => told.resolve());
    begun.resolve();
    if (request.method === 'POST') await told.promise;
    return new Response('done');
  };
  const api = { fetch: answer } as unknown as ControlApi;
  const context = { address: '127.0.0.1', requestId: 'req', certificate: null };
  const server = createServer(controlHandler(api, () => context)).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const leaving = new AbortController();
    const left = fetch(origin, { method: 'POST', body: '{}', signal: leaving.signal });
    await begun.promise;
    leaving.abort();
    await assert.rejects(left);
    await told.promise;
    assert.equal(await (await fetch(origin)).text(), 'done');
    await until(() => signals.length === 2);
    server.closeAllConnections();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a change that waits behind others is not made once its caller left (DESIGN "Rate limits")', async () => {
  const held = Promise.withResolvers<void>();
  let asked = 0;
  let entered = 0;
  const limits = {
    ...DEFAULT_LIMITS,
    get callsAtOnce() {
      entered++;
      return 1;
    },
  };
  await using control = await startControl({ limits }, async () => {
    asked++;
    await held.promise;
    return { kind: 'records', records: [] };
  });
  assert.equal((await control.call({ path: '/v1/shares', json: share('first') })).status, 201);
  const claim = { host: 'wiki.example.com', share: 'first' };
  const made = await control.call({ path: '/v1/hosts', json: claim });
  assert.equal(made.status, 201, JSON.stringify(made.document));
  const slow = control.call({ path: '/v1/hosts/wiki.example.com/verification', json: {} });
  await until(() => asked === 1);
  const before = entered;
  const leaving = new AbortController();
  const headers = {
    authorization: `Bearer ${control.alice.apiKey.reveal()}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify(share('left'));
  const request = new Request(new URL('/v1/shares', control.url), { method: 'POST', headers, body });
  const context = { address: '127.0.0.1', requestId: 'req', certificate: null, left: leaving.signal };
  const left = control.api.fetch(request, context);
  await until(() => entered > before);
  leaving.abort();
  held.resolve();
  await slow;
  assert.equal((await left).status, 400);
  assert.equal((await control.call({ path: '/v1/shares/left' })).status, 404);
});

const share = (name: string) => ({ name, target: 'http://127.0.0.1:9', open: true });
