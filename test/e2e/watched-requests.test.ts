// The requests at a share, watched in a whole service whose control API is passed inside through the gateway,
// with several workers: what each worker serves is told, the watching itself is not, and the end of the
// service waits for no watch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNodeClient } from '../../src/client/node-client.ts';
import type { WatchedEvent } from '../../src/client/watch-requests.ts';
import { Secret } from '../../src/domain/secret.ts';
import { callGate } from '../support/gate.ts';
import { startTestService } from '../support/service.ts';

/** Without it the gate would wait this long for a stream that has no end. */
const GRACE_MS = 60_000;

test('requests at every worker are told through the gateway, as they end; a stop ends the watch at once', async (t) => {
  const service = await startTestService({
    sections: ({ gateway }) => ({
      gateway: { workers: 2 },
      control: { public_url: `http://control.share.localhost:${gateway}` },
    }),
  });
  t.after(() => service.close());
  await service.share('open', { oauthProvider: null });
  const client = createNodeClient({
    url: new URL(`http://control.share.localhost:${service.ports.gateway}`),
    apiKey: new Secret(service.apiKey),
  });
  const events = client.shares.watch('open', AbortSignal.timeout(120_000))[Symbol.asyncIterator]();
  const next = async (): Promise<WatchedEvent | undefined> => (await events.next()).value;
  assert.deepEqual(await next(), { kind: 'open' });
  const paths = Array.from({ length: 24 }, (_, index) => `/${index}`);
  // Each on a connection of its own: the system deals them out to the workers.
  await Promise.all(
    paths.map((path) => callGate(service.ports.gateway, { host: 'open.share.localhost', path })),
  );
  const told: string[] = [];
  while (told.length < paths.length) {
    const event = await next();
    assert.ok(event?.kind === 'request', JSON.stringify(event));
    told.push(event.request.path);
  }
  assert.deepEqual(told.toSorted(), paths.toSorted());
  const over = assert.rejects(next(), { code: 'draining' });
  const since = performance.now();
  const drained = service.drain(GRACE_MS);
  await over;
  await drained;
  const ms = performance.now() - since;
  t.diagnostic(`stopped in ${Math.round(ms)} ms`);
  assert.ok(ms < GRACE_MS / 2);
});
