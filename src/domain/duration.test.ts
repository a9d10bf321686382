import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatDuration, MAX_DURATION_MS, parseDuration } from './duration.ts';
import { ServiceError } from './service-error.ts';

const GOOD: readonly (readonly [string, number])[] = [
  ['6h', 21_600_000],
  ['24h', 86_400_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['90s', 90_000],
  ['30d', 2_592_000_000],
  ['1d2h3m4s', 93_784_000],
  ['3650d', MAX_DURATION_MS],
];
for (const [text, ms] of GOOD) {
  test(`parseDuration() reads ${text} (2.1)`, () => {
    assert.equal(parseDuration(text), ms);
  });
}

const BAD = [
  '',
  ' ',
  '6',
  'h',
  '6h foo',
  'foo 6h',
  ' 6h',
  '6h ',
  '6 h',
  '30m1h',
  '1h1h',
  '1s1s',
  '0s',
  '0h0m',
  '-6h',

  '+6h',
  '1.5h',
  '6H',
  '6hours',
  '1w',
  '1ms',
  '1y',
  '6h\n',
  '１h',
  '3651d',
  '3650d1s',
  '9'.repeat(400) + 's',

  '1e3s',
  '0x1s',
  'Infinitys',
  'NaNs',
  '1h,30m',
  'PT6H',
];
for (const text of BAD) {
  test(`parseDuration() refuses ${JSON.stringify(text.slice(0, 20))} (2.1)`, () => {
    assert.throws(
      () => parseDuration(text),
      (error) =>
        error instanceof ServiceError &&
        error.code === 'validation_failed' &&
        error.message.startsWith('Cannot parse duration: '),
    );
  });
}

test('parseDuration() never quotes more than a little of its input', () => {
  assert.throws(
    () => parseDuration('x'.repeat(10_000)),
    (error) => error instanceof Error && error.message.length < 200,
  );
});

test('formatDuration() is read back as the same time (2.1)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_DURATION_MS / 1000 }), (seconds) => {
      assert.equal(parseDuration(formatDuration(seconds * 1000)), seconds * 1000);
    }),
  );
});

test('parseDuration() answers a whole number of seconds or throws validation_failed, for any text (2.1)', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{0,3}[dhms]?[0-9]{0,3}[dhms]?$/));
  fc.assert(
    fc.property(text, (value) => {
      try {
        const ms = parseDuration(value);
        assert.ok(ms > 0 && ms <= MAX_DURATION_MS && ms % 1000 === 0);
      } catch (error) {
        assert.ok(error instanceof ServiceError && error.code === 'validation_failed');
      }
    }),
  );
});

test('formatDuration() shows nothing as 0s', () => {
  assert.equal(formatDuration(0), '0s');
  assert.equal(formatDuration(999), '0s');
  assert.equal(formatDuration(10_800_000), '3h');
});
