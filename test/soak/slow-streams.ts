// As many answers as a tunnel takes, all slow, and fast requests beside them: how long those take, with and
// without the slow ones. Backend, agent and edge are in this process.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MAX_LENT } from '../../src/tunnel/limits.ts';
import { startTunnelRig, type TunnelRig } from '../support/tunnel-rig.ts';

export type SlowStreamsFound = {
  readonly slow: number;
  readonly alone: Latency;
  readonly beside: Latency;
};

export type Latency = { readonly p50Ms: number; readonly p99Ms: number };

/** Throws when a slow stream ends, or a fast one is not answered. */
export async function measureSlowStreams(fastCount: number): Promise<SlowStreamsFound> {
  const dripping = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (request.url === '/fast') return response.end('fast');
    if (request.url === '/stalled') return response.end(STALLED);
    dripping.add(response);
    return response.write('data: first\n\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drip = setInterval(() => {
    for (const response of dripping) response.write('data: more\n\n');
  }, DRIP_MS);
  try {
    await using rig = await startTunnelRig();
    await rig.join(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await fast(rig, WARM_UP);
    const alone = await fast(rig, fastCount);
    const slow = await openSlow(rig);
    const beside = await fast(rig, fastCount);
    assert.ok(slow.every(({ outcome }) => outcome.error === null && !outcome.events.includes('end')));
    for (const { exchange } of slow) exchange.abort();
    return { slow: slow.length, alone, beside };
  } finally {
    clearInterval(drip);
    server.closeAllConnections();
    server.close();
  }
}

/** All but one of a tunnel's streams: some that nobody reads, as many as it may hold, and event streams. */
async function openSlow(rig: TunnelRig) {
  const slow = Array.from({ length: MAX_LENT - 1 }, (_none, index) =>
    index % STALLED_EACH === 0
      ? rig.call({ target: '/stalled', on: { onData: () => false } })
      : rig.call({ target: '/events' }),
  );
  for (const { outcome } of slow)
    while (!outcome.events.includes('data')) await new Promise((resolve) => setTimeout(resolve, 10));
  return slow;
}

async function fast(rig: TunnelRig, count: number): Promise<Latency> {
  const taken: number[] = [];
  for (let done = 0; done < count; done++) {
    const startedAt = performance.now();
    const { status, body } = await rig.call({ target: '/fast' }).done;
    assert.deepEqual([status, body.toString()], [200, 'fast']);
    taken.push(performance.now() - startedAt);
  }
  const sorted = Float64Array.from(taken).toSorted();
  const at = (part: number) => Number((sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2));
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** More than a window, so that it stays unread; a tunnel holds 64 MiB of them. */
const STALLED = Buffer.alloc(1024 * 1024);
const STALLED_EACH = 5;
const DRIP_MS = 1_000;
/** So that code is compiled. */
const WARM_UP = 500;
