// The suite's part on the gateways that live.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/id.ts';
import type { GatewayRow } from '../gateways.ts';
import { type OpenBench, START, benchOf } from './bench.test-support.ts';

const SILENT_MS = 30_000;
const FORGET_MS = 300_000;

export function gatewaysSuite(open: OpenBench): void {
  test('gateways.living() knows those that beat of late, by every process, and those that ended no more', async () => {
    await using bench = await benchOf(open);
    const [first, second] = [gateway(START), gateway(START + 1)];
    const other = await bench.again();
    await bench.store.gateways.beat(first, FORGET_MS);
    await other.gateways.beat(second, FORGET_MS);
    assert.deepEqual(await other.gateways.living(SILENT_MS), [first, second]);
    bench.clock.time += SILENT_MS + 1;
    const moved = { ...second, tunnelUrl: 'https://elsewhere.example.com', workers: 5 };
    await other.gateways.beat(moved, FORGET_MS);
    assert.deepEqual(await bench.store.gateways.living(SILENT_MS), [moved]);
    await bench.store.gateways.beat(first, FORGET_MS);
    await other.gateways.remove(second.id);
    assert.deepEqual(await bench.store.gateways.living(SILENT_MS), [first]);
  });

  test('gateways.beat() forgets those that have been silent for long', async () => {
    await using bench = await benchOf(open);
    const { gateways } = bench.store;
    await gateways.beat(gateway(START), FORGET_MS);
    bench.clock.time += FORGET_MS + 1;
    const later = gateway(START);
    await gateways.beat(later, FORGET_MS);
    assert.deepEqual(await gateways.living(10 * FORGET_MS), [later]);
  });

  test('gateways.known() has the silent ones too, and how each does as it said last', async () => {
    await using bench = await benchOf(open);
    const { gateways } = bench.store;
    const [older, newer] = [gateway(START), gateway(START + 1)];
    await gateways.beat(older, FORGET_MS, { ...HEALTH, certificateEndsAt: START + 5 });
    bench.clock.time += 2 * SILENT_MS;
    await gateways.beat(newer, FORGET_MS);
    const silent = { ...older, silentMs: 2 * SILENT_MS, health: { ...HEALTH, certificateEndsAt: START + 5 } };
    assert.deepEqual(await gateways.known(), [silent, { ...newer, silentMs: 0, health: null }]);
    await gateways.beat(older, FORGET_MS, HEALTH);
    assert.deepEqual(await gateways.known(), [
      { ...older, silentMs: 0, health: HEALTH },
      { ...newer, silentMs: 0, health: null },
    ]);
  });
}

const HEALTH = { workersRunning: 1, feedAgeMs: 250, auditWaiting: 3, certificateEndsAt: null };

function gateway(startedAt: number): GatewayRow {
  return {
    id: newId('gtw'),
    tunnelUrl: 'https://tunnel.share.example.com',
    workers: 2,
    version: '0.0.0',
    startedAt,
  };
}
