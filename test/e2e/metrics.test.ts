// docs/reference/metrics.md held to a running gateway that had traffic: every metric, every label, every
// listed value, and nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROCESS_METRICS } from '../../scripts/reference/process-metrics.ts';
import type { MetricRecord } from '../../src/domain/metric.ts';
import { METRICS } from '../../src/domain/metrics.ts';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { startEchoBackend } from '../support/echo-backend.ts';
import { type Family, readExposition, type Sample } from '../support/exposition.ts';
import { freePort } from '../support/free-port.ts';
import { changeConfig, eventually } from '../support/serve-process.ts';
import { layOutService } from '../support/service-process.ts';

const RECORDS: Readonly<Record<string, MetricRecord>> = { ...METRICS, ...PROCESS_METRICS };

test('/metrics has exactly the metrics, labels and values of the reference, after traffic', async (t) => {
  const metricsPort = await freePort();
  const service = await layOutService({ metricsPort });
  t.after(() => service.close());
  changeConfig(service, ({ metrics }) => Object.assign(metrics ?? {}, { shares: 'top 3' }));
  await service.start();
  const backend = await startEchoBackend();
  t.after(backend.close);
  await service.client.shares.create({ name: 'demo', target: backend.url, oauthProvider: 'corp' });
  await service.client.shares.create({ name: 'from-afar', tunnel: 'reserved', open: true });
  const { last } = await walkLogin(createBrowser(), service.urlOf('demo'), { email: 'ada@example.com' });
  assert.equal(last.status, 200);
  await createBrowser().open(service.urlOf('nobody'));
  const scrape = async () =>
    readExposition(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text());
  const families = await eventually('a garbage collection and the activity of a share are told', async () => {
    const found = await scrape();
    const collected = (found.get('nodejs_gc_duration_seconds')?.samples.length ?? 0) > 0;
    return collected && has(found, 'doorward_share_requests_total', { share: 'demo' }) && found;
  });
  assert.deepEqual([...families.keys()].toSorted(), Object.keys(RECORDS).toSorted());
  for (const [name, family] of families) holdTo(family, RECORDS[name]);
  assert.equal(valueOf(families, 'doorward_gateway_requests_total', { code: '4xx' }), 1);
  const succeeded = { provider: 'corp', result: 'succeeded' };
  assert.equal(valueOf(families, 'doorward_logins_total', succeeded), 1);
  assert.equal(valueOf(families, 'doorward_events_total', { kind: 'login.succeeded' }), 1);
  assert.equal(valueOf(families, 'doorward_share_requests_total', { share: 'demo', code: '2xx' }), 1);
  assert.ok(has(families, 'doorward_share_requests_total', { account: 'other', share: 'other' }));
  const slowest = valueOf(families, 'doorward_share_request_duration_seconds', { share: 'demo', le: '+Inf' });
  assert.equal(slowest, 1);
  // Not once for each worker.
  assert.equal(valueOf(families, 'doorward_gateway_shares', {}), 2);
  assert.equal(valueOf(families, 'doorward_gateway_tunnel_shares', { state: 'waiting' }), 1);
  assert.equal(valueOf(families, 'doorward_audit_waiting_events', {}), 0);
  const free = valueOf(families, 'doorward_store_disk_free_bytes', {});
  assert.ok(free > 0 && free <= valueOf(families, 'doorward_store_disk_size_bytes', {}));
  const answered = valueOf(families, 'doorward_store_last_answer_timestamp_seconds', {});
  assert.ok(Math.abs(Date.now() / 1000 - answered) < 60, `${answered}`);
});

test('names of metrics: snake case, base units, _total for counters alone (Prometheus naming)', () => {
  for (const [name, { type, unit, labels, meaning }] of Object.entries<MetricRecord>(METRICS)) {
    assert.match(name, /^doorward(?:_[a-z0-9]+)+$/, name);
    assert.equal(name.endsWith('_total'), type === 'counter', name);
    const bare = name.replace(/_total$/, '');
    assert.equal(
      /_(?:seconds|bytes|ratio)$/.exec(bare)?.[0] ?? null,
      unit === null ? null : `_${unit}`,
      name,
    );
    assert.doesNotMatch(bare, OTHER_UNITS, name);
    assert.doesNotMatch(bare, /_(?:count|sum|bucket|created|timestamp)$/, name);
    for (const label of Object.keys(labels)) assert.match(label, /^(?!le$|quantile$|__)[a-z][a-z_]*$/, name);
    assert.match(meaning, /\.$/, name);
  }
});

function holdTo({ name, type, help, samples }: Family, record: MetricRecord | undefined): void {
  assert.ok(record !== undefined, name);
  assert.equal(type, record.type, name);
  if (name in METRICS) {
    assert.equal(help, record.meaning, name);
    assert.ok(samples.length > 0, name);
  }
  const labels = Object.keys(record.labels).toSorted();
  for (const sample of samples) {
    const own = Object.keys(sample.labels).filter((label) => label !== 'le');
    assert.deepEqual(own.toSorted(), labels, name);
    assert.equal('le' in sample.labels, sample.name.endsWith('_bucket'), name);
  }
  for (const [label, values] of Object.entries(record.labels)) {
    if (typeof values === 'string') continue;
    const seen = new Set(samples.map((sample) => sample.labels[label] ?? ''));
    for (const value of seen) assert.ok(values.includes(value), `${name}: ${label}="${value}"`);
    if (name in METRICS) assert.deepEqual(seen, new Set(values), `${name}: ${label}`);
  }
}

function has(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>>,
): boolean {
  return find(families, name, labels) !== undefined;
}

function valueOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>>,
): number {
  const found = find(families, name, labels);
  assert.ok(found !== undefined, name);
  return found.value;
}

function find(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>>,
): Sample | undefined {
  return families
    .get(name)
    ?.samples.find((sample) =>
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
}

const OTHER_UNITS = /(?:_ms|_milliseconds?|_minutes|_hours|_days|_percent|_kilobytes|_kb|_mb|_bits)(?:_|$)/;
