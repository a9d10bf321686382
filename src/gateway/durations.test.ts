import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AggregatorRegistry, Histogram, Registry } from 'prom-client';
import { METRICS } from '../domain/metrics.ts';
import { createDurations } from './durations.ts';

const NAME = 'doorward_gateway_request_duration_seconds';
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const SECONDS = [0, 0.002, 0.0021, 0.7, 2.5, 59, 61, 10_000];

test('createDurations() says what prom-client’s own histogram says (observability)', async () => {
  const registry = new Registry();
  const theirs = new Histogram({
    name: NAME,
    help: METRICS[NAME].meaning,
    buckets: BUCKETS,
    registers: [registry],
  });
  const ours = createDurations();
  assert.deepEqual([ours.toJson()], await said(registry));
  for (const seconds of SECONDS) {
    theirs.observe(seconds);
    ours.observe(seconds);
  }
  assert.deepEqual([ours.toJson()], await said(registry));
  const text = await AggregatorRegistry.aggregate([[ours.toJson()], [ours.toJson()]]).metrics();
  assert.match(text, new RegExp(`^${NAME}_count ${2 * SECONDS.length}$`, 'm'));
  assert.match(text, new RegExp(`^${NAME}_bucket\\{le="0.002"\\} 4$`, 'm'));
});

/** Without exemplars, which nobody gives here. */
async function said(registry: Registry): Promise<unknown> {
  return JSON.parse(JSON.stringify(await registry.getMetricsAsJSON()), (key, value: unknown) =>
    key === 'exemplar' ? undefined : value,
  );
}
