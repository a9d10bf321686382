// deploy/monitoring/ held to the metrics that there are: every name, label and value in the dashboard and the
// alert rules, every expression read as PromQL.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { PROCESS_METRICS } from '../../scripts/reference/process-metrics.ts';
import type { MetricRecord } from '../../src/domain/metric.ts';
import { METRICS } from '../../src/domain/metrics.ts';
import { type Query, readQuery, type Selector } from '../support/promql.ts';

const folder = join(import.meta.dirname, '../../deploy/monitoring');
const RECORDS: Readonly<Record<string, MetricRecord>> = { ...METRICS, ...PROCESS_METRICS };

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
};
const { groups } = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly legendFormat: string;
  }[];
};
const dashboard = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as {
  readonly id?: unknown;
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
  readonly panels: readonly Panel[];
};

for (const { alert, expr, annotations } of rules)
  test(`alert ${alert}: metrics and labels are of the reference`, () => {
    const query = readQuery(expr);
    assert.deepEqual(faultsOf(query), []);
    for (const text of Object.values(annotations))
      for (const [, label = ''] of text.matchAll(/\$labels\.(\w+)/g)) {
        assert.ok(knows(query.selectors, label), `${alert}: ${label}`);
      }
  });

test('alerts: each has a name, a wait, a severity and words, and none is there twice', () => {
  const names = rules.map(({ alert }) => alert);
  assert.deepEqual([...new Set(names)], names);
  for (const rule of rules) {
    assert.match(rule.alert, /^Doorward(?:[A-Z][a-z]+)+$/);
    assert.match(rule.for, /^\d+[mh]$/, rule.alert);
    assert.match(rule.labels.severity, /^(?:warning|critical)$/, rule.alert);
    assert.deepEqual(Object.keys(rule.annotations), ['summary', 'description'], rule.alert);
    assert.match(rule.annotations['description'] ?? '', /\.$/, rule.alert);
  }
});

test('alerts: docs/how-to/monitoring.md names each, and no other', () => {
  const guide = readFileSync(join(folder, '../../docs/how-to/monitoring.md'), 'utf8');
  const named = Array.from(guide.matchAll(/^\| `(Doorward\w+)` \|/gm), ([, name]) => name);
  assert.deepEqual(
    named,
    rules.map(({ alert }) => alert),
  );
});

test('alerts: promtool takes the rules', { skip: withoutPromtool() }, () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', join(folder, 'alerts.yaml')], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
});

for (const { title, targets = [] } of dashboard.panels)
  for (const { expr, legendFormat } of targets)
    test(`dashboard: ${title}, ${legendFormat}: metrics and labels are of the reference`, () => {
      const query = readQuery(filledIn(expr));
      assert.deepEqual(faultsOf(query), []);
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(knows(query.selectors, label), label);
    });

test('dashboard: Grafana can import it: no id, its own variables, panels that lie beside each other', () => {
  assert.equal(dashboard.id, undefined);
  const text = JSON.stringify(dashboard);
  const variables = new Set(Array.from(text.matchAll(/\$\{?([a-z]\w*)/g), ([, name]) => name));
  assert.deepEqual(variables, new Set(dashboard.templating.list.map(({ name }) => name)));
  const ids = dashboard.panels.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  const taken = new Set<string>();
  for (const { title, gridPos } of dashboard.panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(x < 24 && !taken.has(`${x} ${y}`), title);
        taken.add(`${x} ${y}`);
      }
  for (const { targets = [], title } of dashboard.panels)
    assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title);
});

test('dashboard: every metric of Doorward is in it', () => {
  const shown = new Set(
    dashboard.panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) =>
        readQuery(filledIn(expr)).selectors.map(({ metric }) => familyOf(metric)),
      ),
    ),
  );
  assert.deepEqual(
    Object.keys(METRICS).filter((name) => !shown.has(name)),
    [],
  );
});

test('faultsOf() tells of a metric, a label or a value that is not there', () => {
  assert.equal(faultsIn('doorward_gateway_request_total'), 1);
  assert.equal(faultsIn('doorward_gateway_requests_total{status="5xx"}'), 1);
  assert.equal(faultsIn('doorward_gateway_requests_total{code="500"}'), 1);
  assert.equal(faultsIn('doorward_gateway_requests_total{code=~"5xx|600"}'), 1);
  assert.equal(faultsIn('sum by (kind) (doorward_gateway_requests_total)'), 1);
  assert.equal(faultsIn('doorward_gateway_request_duration_seconds'), 1);
  assert.equal(faultsIn('sum by (le) (doorward_gateway_request_duration_seconds_bucket{instance=~"a"})'), 0);
});

function faultsIn(expr: string): number {
  return faultsOf(readQuery(expr)).length;
}

function faultsOf({ selectors, grouped }: Query): readonly string[] {
  return [
    ...selectors.flatMap(selectorFaults),
    ...grouped.flatMap(({ label, over }) => (knows(over, label) ? [] : [`label ${label}`])),
  ];
}

function selectorFaults({ metric, matchers }: Selector): readonly string[] {
  if (metric === 'up')
    return matchers.filter(({ label }) => !OF_SCRAPES.has(label)).map(({ label }) => label);
  const record = RECORDS[familyOf(metric)];
  const isSample = record?.type === 'histogram' ? SAMPLE.test(metric) : metric in RECORDS;
  if (record === undefined || !isSample) return [`metric ${metric}`];
  return matchers.flatMap(({ label, value }) => {
    if (OF_SCRAPES.has(label)) return [];
    const values = record.labels[label];
    if (values === undefined) return [`label ${label} of ${metric}`];
    return typeof values === 'string' ? [] : value.split('|').filter((each) => !values.includes(each));
  });
}

function knows(selectors: readonly Selector[], label: string): boolean {
  if (OF_SCRAPES.has(label)) return true;
  return selectors.some(
    ({ metric }) =>
      label in (RECORDS[familyOf(metric)]?.labels ?? {}) || (label === 'le' && metric.endsWith('_bucket')),
  );
}

/** The histogram that a sample belongs to, or the metric itself. */
function familyOf(metric: string): string {
  const family = metric.replace(SAMPLE, '');
  return RECORDS[family]?.type === 'histogram' ? family : metric;
}

/** What Grafana puts in before it asks. */
function filledIn(expr: string): string {
  return expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
}

function withoutPromtool(): string | false {
  return spawnSync('promtool', ['--version']).error === undefined ? false : 'promtool is not installed';
}

const SAMPLE = /_(?:bucket|sum|count)$/;
/** What Prometheus says of whom it scraped. */
const OF_SCRAPES: ReadonlySet<string> = new Set(['job', 'instance', 'pod']);
