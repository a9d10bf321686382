import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisTicks, drawn, gathered, type Picture } from './picture.ts';

const TEXT = (value: number) => String(value);

test('axisTicks() are round, few, and reach the highest value', () => {
  assert.deepEqual(axisTicks(2_690, 5, true), [0, 1_000, 2_000, 3_000]);
  assert.deepEqual(axisTicks(4, 5, true), [0, 1, 2, 3, 4]);
  assert.deepEqual(axisTicks(54, 5, false), [0, 20, 40, 60]);
  for (const isWhole of [true, false])
    for (const most of [2, 3, 5, 8])
      for (const highest of [1, 3, 7, 10, 19, 20, 21, 99, 100, 101, 12_345, 1e9]) {
        const ticks = axisTicks(highest, most, isWhole);
        assert.ok((ticks.at(-1) ?? 0) >= highest, `${highest} of ${ticks.join(' ')}`);
        assert.ok(ticks.length <= most + 1, `${highest}: ${ticks.join(' ')}`);
        assert.ok(!isWhole || ticks.every(Number.isInteger), ticks.join(' '));
      }
});

test('gathered() leaves as many steps as there is room for: counts add up, durations are the longest', () => {
  const times = Array.from({ length: 60 }, (_, index) => index * 60_000);
  const picture: Picture = {
    kind: 'bars',
    times,
    stepMs: 60_000,
    hours: 1,
    parts: [{ name: 'served', label: 'served', values: times.map(() => 2) }],
    text: TEXT,
  };
  assert.equal(gathered(picture, 60), picture);
  const bars = gathered(picture, 25);
  assert.deepEqual([bars.times.length, bars.stepMs, bars.times[1]], [20, 180_000, 180_000]);
  assert.deepEqual(new Set(bars.parts[0]?.values), new Set([6]));
  const values = times.map((_, index) => (index < 3 ? null : index));
  const lines: Picture = { ...picture, kind: 'lines', parts: [{ name: 'half', label: 'half', values }] };
  assert.deepEqual(gathered(lines, 20).parts[0]?.values.slice(0, 3), [null, 5, 8]);
  assert.equal(gathered(picture, 0).times.length, 3);
});

test('drawn() stands bars on each other, the last at the bottom', () => {
  const picture: Picture = {
    kind: 'bars',
    times: [0, 1_000],
    stepMs: 1_000,
    hours: 1,
    parts: [
      { name: 'served', label: 'served', values: [5, 1] },
      { name: 'refused', label: 'refused', values: [2, 0] },
      { name: 'faulted', label: 'unanswered', values: [1, 0] },
    ],
    text: TEXT,
  };
  assert.deepEqual(drawn(picture), [
    [0, 1],
    [8, 1],
    [3, 0],
    [1, 0],
  ]);
});
