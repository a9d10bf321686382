import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readQuery } from './promql.ts';

const SOUND = [
  'up == 0',
  'sum by (code) (rate(doorward_gateway_requests_total{code=~"4..|5..", job!="x"}[5m]))',
  'sum(rate(a_total[5m])) by (code) / ignoring (code) group_left sum(rate(a_total[5m])) > 0.05',
  'histogram_quantile(0.95, sum by (le) (rate(a_bucket[1m30s])))',
  'max_over_time(rate(a_total[5m])[1h:1m])',
  'a offset 5m > bool 3 and on (job) b unless c or vector(1)',
  '-2 ^ 2 + time() * 3',
  "a{b='c'}",
  'topk(3, a)',
];
for (const query of SOUND)
  test(`readQuery() takes ${query}`, () => {
    readQuery(query);
  });

const FAULTY = [
  '',
  'a b',
  'rate(a)',
  'rate(a[5])',
  'rate(sum(a)[5m])',
  'sum(a[5m])',
  'a[5m]',
  'sum by code (a)',
  'sum(a',
  'a{b=c}',
  'a{b="c"',
  'a{b=~"("}',
  'a == ',
  '1 == 1',
  'a + bool b',
  'a and 1',
  'topk(a)',
  'histogram_quantile(a, 0.5)',
  'rates(a[5m])',
  'a{b=="c"}',
  '"a" + 1',
  'a $ b',
];
for (const query of FAULTY)
  test(`readQuery() refuses ${query === '' ? 'nothing' : query}`, () => {
    assert.throws(() => readQuery(query), Error);
  });

test('readQuery() names metrics, matchers and labels', () => {
  const query = readQuery('sum by (x) (rate(a_total{b="c"}[5m])) > on (y) max(d)');
  assert.deepEqual(query.selectors, [
    { metric: 'a_total', matchers: [{ label: 'b', operator: '=', value: 'c' }] },
    { metric: 'd', matchers: [] },
  ]);
  assert.deepEqual(
    query.grouped.map(({ label, over }) => [label, over.length]),
    [
      ['x', 1],
      ['y', 2],
    ],
  );
});
