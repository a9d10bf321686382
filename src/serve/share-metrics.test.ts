import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShownShares } from '../config/config.ts';
import { noFigures, type ShareActivity } from '../domain/activity.ts';
import type { AccountId, ShareId } from '../domain/id.ts';
import { createShareMetrics } from './share-metrics.ts';

const RANKED_MS = 10 * 60_000;

test('createShareMetrics() shows nothing by itself (metrics.shares: none)', () => {
  const { metrics, values } = bench({ kind: 'none' });
  metrics.add([activity('a', 5)]);
  assert.deepEqual(values(), {});
});

test('createShareMetrics() shows the shares of a list, and all others together', () => {
  const { metrics, values } = bench({ kind: 'listed', names: ['a'] });
  metrics.add([activity('a', 5), activity('b', 7), activity('c', 1)]);
  metrics.add([activity('a', 1)]);
  assert.deepEqual(values(), { a: 6, other: 8 });
});

test('createShareMetrics() shows as many shares of each account as are wanted, and nothing goes back', () => {
  const { metrics, values, clock } = bench({ kind: 'top', count: 1 });
  metrics.add([activity('a', 5), activity('b', 7), activity('x', 10, 'acc_two')]);
  assert.deepEqual(values(), { a: 5, x: 10, other: 7 });
  clock.time += RANKED_MS;
  // Not far enough ahead of it.
  metrics.add([activity('b', 4)]);
  assert.deepEqual(values(), { a: 5, x: 10, other: 11 });
  clock.time += RANKED_MS;
  metrics.add([activity('b', 3)]);
  // What it got before stays where it was counted.
  assert.deepEqual(values(), { b: 3, x: 10, other: 11 });
});

test('createShareMetrics() tells of no share that is gone, and bounds how many it tells of', () => {
  const { metrics, values, gone } = bench({ kind: 'top', count: 50 });
  metrics.add([activity('a', 5)]);
  gone.add('shr_a');
  assert.deepEqual(values(), { other: 0 });
  for (let account = 0; account < 40; account++)
    metrics.add(
      Array.from({ length: 20 }, (_, index) => activity(`s${account}-${index}`, 1, `acc_${account}`)),
    );
  assert.equal(Object.keys(values()).length, 500);
});

test('createShareMetrics() tells durations as a histogram', () => {
  const { metrics } = bench({ kind: 'listed', names: ['a'] });
  const share = activity('a', 3);
  share.durations.set([1, 0, 1]);
  share.durations[17] = 1;
  metrics.add([{ ...share, durationsMs: 70_005 }]);
  const [, histogram] = metrics.collect();
  const own = histogram?.values.filter(({ labels }) => labels['share'] === 'a') ?? [];
  const at = (le: number | string) => own.find(({ labels }) => labels['le'] === le)?.value;
  assert.deepEqual([at(0.001), at(0.002), at(0.004), at(65.536), at('+Inf')], [1, 1, 2, 2, 3]);
  assert.deepEqual(
    own.slice(-2).map(({ metricName, value }) => [metricName?.replace(/.*_/, ''), value]),
    [
      ['sum', 70.005],
      ['count', 3],
    ],
  );
});

function bench(shown: ShownShares) {
  const clock = { time: 0 };
  const gone = new Set<string>();
  const metrics = createShareMetrics({
    shown,
    nameOf: (id) => (gone.has(id) ? null : id.slice(4)),
    now: () => clock.time,
  });
  const values = () => {
    const told: Record<string, number> = {};
    for (const { labels, value } of metrics.collect()[0]?.values ?? [])
      told[labels['share'] ?? ''] = (told[labels['share'] ?? ''] ?? 0) + value;
    return told;
  };
  return { metrics, values, clock, gone };
}

function activity(name: string, requests: number, accountId = 'acc_one'): ShareActivity {
  const figures = noFigures();
  figures.statuses[2] = requests;
  const counts = { requests, answered: requests, refused: 0, faulted: 0 };
  return { shareId: `shr_${name}` as ShareId, accountId: accountId as AccountId, ...counts, ...figures };
}
