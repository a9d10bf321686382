import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configError, describeFault, locateIn, nearestWord, quoteValue } from './config-fault.ts';

const WORDS = ['bind_address', 'endpoint_url', 'cookie_name', 'cookie_domain'];
const NEAREST: readonly (readonly [string, string | null])[] = [
  ['bind_adress', 'bind_address'],
  ['bindAddress', 'bind_address'],
  ['endpoint-url', 'endpoint_url'],
  ['cookie_nane', 'cookie_name'],
  ['cookie_domian', 'cookie_domain'],
  ['zzz', null],
  ['', null],
  ['x'.repeat(10_000), null],
];
for (const [text, nearest] of NEAREST) {
  test(`nearestWord() is ${nearest} for ${text.slice(0, 20)} (DESIGN 2.1)`, () => {
    assert.equal(nearestWord(text, WORDS), nearest);
  });
}

test('locateIn() goes up to the nearest parent that the file has', () => {
  const positions = new Map([
    ['a', { line: 2, column: 1 }],
    ['a.b[1]', { line: 5, column: 7 }],
  ]);
  assert.deepEqual(locateIn(positions, 'a.b[1].c'), { line: 5, column: 7 });
  assert.deepEqual(locateIn(positions, 'a.b[0].c'), { line: 2, column: 1 });
  assert.deepEqual(locateIn(positions, 'z'), { line: 1, column: 1 });
});

test('configError() prints every fault with its place, and carries them', () => {
  const faults = [
    { path: 'a.b', line: 3, column: 5, found: 'nothing', wanted: 'a text' },
    { path: '', line: 1, column: 1, found: 'no such file', wanted: 'a file' },
  ];
  const error = configError('/etc/d.yaml', faults);
  assert.equal(error.code, 'config_invalid');
  assert.equal(error.fault.exit, 2);
  assert.deepEqual(error.extra, { faults });
  for (const fault of faults) assert.ok(error.message.includes(describeFault('/etc/d.yaml', fault)));
  assert.equal(
    describeFault('d.yaml', faults[0] ?? assert.fail()),
    'd.yaml:3:5 a.b: found nothing; wanted a text',
  );
});

test('quoteValue() cuts what is long and escapes what is not plain', () => {
  assert.ok(quoteValue('x'.repeat(1000)).length < 70);
  assert.equal(quoteValue('a"\n'), String.raw`"a\"\n"`);
});
