import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTree } from './yaml-tree.ts';

const REFUSED: readonly (readonly [what: string, text: string, line: number, column: number])[] = [
  ['an alias', 'a: 1\nb: *x\n', 2, 1],
  ['an anchor', 'a: &x 1\n', 1, 7],
  ['a tag', 'a: !!str 1\n', 1, 10],
  ['an unknown tag', 'a: !foo 1\n', 1, 4],
  ['the same key again', 'a: 1\nb: 2\na: 3\n', 3, 1],
  ['a key that is no plain text', '? [a]\n: 1\n', 1, 1],
  ['a number as key', '1: a\n', 1, 1],
  ['a second document', 'a: 1\n---\nb: 1\n', 2, 1],
  ['a %YAML directive', '%YAML 1.1\n---\na: off\n', 1, 1],
  ['a bracket left open', 'a: [1\n', 2, 1],
  ['brackets without quotes', 'a: [::1]:80\n', 1, 9],
  ['a tab as indentation', 'a:\n\tb: 1\n', 2, 1],
  ['values nested too deep', 'a: [[[[[[[[[[1]]]]]]]]]]\n', 1, 11],
];
for (const [what, text, line, column] of REFUSED) {
  test(`readTree() refuses ${what} and tells where (DESIGN 2.1)`, () => {
    const [fault] = readTree(text).faults;
    assert.deepEqual({ line: fault?.line, column: fault?.column }, { line, column }, JSON.stringify(fault));
  });
}

test('readTree() takes off, yes and times as texts, and a merge key as any other key (YAML 1.2)', () => {
  const { root, faults } = readTree('a: off\nb: yes\nc: 6:30\nd: 0o17\n<<: x\n');
  assert.deepEqual(faults, []);
  assert.deepEqual(
    root,
    new Map<string, unknown>([
      ['a', 'off'],
      ['b', 'yes'],
      ['c', '6:30'],
      ['d', 15],
      ['<<', 'x'],
    ]),
  );
});

test('readTree() finds every key given twice, not the first alone', () => {
  assert.deepEqual(
    readTree('a: 1\na: 2\na: 3\nb: {c: 1, c: 2}').faults.map((fault) => fault.path),
    ['a', 'a', 'b.c'],
  );
});

test('readTree() takes no text of more than 256 KiB, and none that would fill the stack', () => {
  assert.equal(readTree('#'.repeat(256 * 1024 + 1)).faults.length, 1);
  for (const text of ['['.repeat(100_000), '{a: '.repeat(50_000), '- '.repeat(100_000)])
    assert.ok(readTree(text).faults.length > 0);
});

test('readTree() looks at many keys in no more than a moment each', () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n');
  const { root } = readTree(text);
  assert.ok(root instanceof Map && root.size === 20_000);
});
