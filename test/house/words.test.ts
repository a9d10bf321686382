// One word for one thing (DESIGN 1): people log in and out, as the contract says it. They do not sign in.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const files = globSync(
  [
    '*.md',
    '{src,console,devidp,bin,examples,scripts,bench}/**/*.{ts,html,js,py,yaml}',
    'docs/**/*.{md,json}',
  ],
  { cwd: root },
);

test('pages, documents and commands say "log in" and "log out", never "sign in" (DESIGN 1)', () => {
  const found = files.flatMap((file) => strayWords(readFileSync(join(root, file), 'utf8'), file));
  assert.deepEqual(found, []);
  assert.ok(files.length > 100, `${files.length} files were read`);
});

test('words: each spelling of the other word is found', () => {
  const text = 'Sign in\nYou are signed out\nsigning in\nsign-out\nlog in';
  assert.equal(strayWords(text, 'page').length, 4);
  assert.deepEqual(strayWords('a designed input is signed; single sign-on', 'page'), []);
});

test('what is written stands for itself: no file points at a number in a tracker', () => {
  const tests = globSync('{src,console,test,devidp,examples}/**/*.test.ts', { cwd: root });
  const found = [...files, ...tests].filter((file) =>
    IN_A_TRACKER.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(found, []);
});

function strayWords(text: string, file: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (STRAY.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
}

/** Single sign-on is a name of its own. */
const STRAY = /\bsign(?:ed|s|ing)?[ -]?(?:in|out)(?![a-z])/i;
const IN_A_TRACKER = /\bissue #?\d/i;
