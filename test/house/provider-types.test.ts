// A type of provider is named in its record and in the table of what runs for it; everything else asks the
// record.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { definitionTypeOf, PROVIDER_TYPES } from '../../src/domain/provider-kinds.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync(['src/**/*.ts', 'console/app/**/*.{ts,tsx}', 'scripts/**/*.ts'], { cwd: root }).filter(
  (file) => !/\.test(?:-support)?\.ts$/.test(file),
);

test('house: no file but the records of the types and the table of what runs for them names one', () => {
  assert.ok(files.length > 0);
  const naming = files.filter(
    (file) => !MAY_NAME.test(file) && namesType(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(naming, []);
});

test('house: a decision by a type is seen, and neither an example nor a comment is taken for one', () => {
  assert.ok(namesType("if (type === 'google') return;"));
  assert.ok(namesType("const isOpenId = type === 'OIDC';"));
  assert.ok(!namesType("    example: 'google',\n/** `'github'` only. */\n// 'oidc'"));
});

/** As a text of the code; in the words that people read, they stand without quotes around them. */
function namesType(text: string): boolean {
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*|example:)/.test(line))
    .some((line) => TYPE.test(line));
}

const SPELLINGS = PROVIDER_TYPES.flatMap((type) => [type, definitionTypeOf(type)]);
const TYPE = new RegExp(`'(?:${SPELLINGS.join('|')})'`);
const MAY_NAME = /^src\/(?:domain\/provider-(?:kinds|presets)|providers\/create)\.ts$/;
