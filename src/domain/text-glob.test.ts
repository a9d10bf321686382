import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compileTextGlob, requireTextGlob } from './text-glob.ts';

const CASES: readonly (readonly [glob: string, value: string, matches: boolean])[] = [
  ['ann', 'ann', true],
  ['ann', 'Ann', false],
  ['ann', 'anna', false],
  ['*', '', true],
  ['*', 'Žofie Nováková', true],
  ['*.billing', 'eu.billing', true],
  ['*.billing', 'eu.billing.evil', false],
  ['p-?', 'p-1', true],
  ['p-?', 'p-', false],
  ['p-?', 'p-😀', true],
  ['a*b*c', 'aXbYbZc', true],
  ['a*b*c', 'aXbYbZ', false],
  [String.raw`\*`, '*', true],
  [String.raw`\*`, 'x', false],
  [String.raw`a\\b`, String.raw`a\b`, true],
];

for (const [glob, value, wanted] of CASES) {
  test(`compileTextGlob(${glob}) ${wanted ? 'matches' : 'does not match'} "${value}" (DESIGN 2.6)`, () => {
    assert.equal(compileTextGlob(glob).matches(value), wanted);
  });
}

test('compileTextGlob() refuses what is empty, too long, or ends in a lone backslash', () => {
  for (const bad of ['', 'x'.repeat(257), 'x\\'])
    assert.throws(() => compileTextGlob(bad), { code: 'validation_failed' });
});

test('compileTextGlob() agrees with a regular expression', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', '*', '?'), { minLength: 1, maxLength: 8 });
  const texts = fc.array(fc.constantFrom('a', 'b'), { maxLength: 10 });
  fc.assert(
    fc.property(letters, texts, (glob, text) => {
      const pattern = glob.map((token) => (token === '*' ? '.*' : token === '?' ? '.' : token)).join('');
      const wanted = new RegExp(`^${pattern}$`).test(text.join(''));
      assert.equal(compileTextGlob(glob.join('')).matches(text.join('')), wanted);
    }),
  );
});

test('compileTextGlob() takes no more than glob times text', () => {
  const glob = compileTextGlob('*a'.repeat(128));
  for (let round = 0; round < 100; round++) assert.equal(glob.matches('a'.repeat(64) + 'b'), false);
});

test('requireTextGlob() refuses more runs than anybody needs, and says where; stored ones still match', () => {
  assert.throws(() => requireTextGlob('*a'.repeat(17)), {
    code: 'validation_failed',
    message: /more than 16 "\*"; the one at character 33 is too many/,
  });
  requireTextGlob(`${'*a'.repeat(16)}\\*`);
  assert.ok(compileTextGlob('*a'.repeat(17)).matches('a'.repeat(17)));
});
