// What the console asks `may()` for: a slip there would hide a button from everybody.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isPermission, ONESELF } from '../../src/control/authorize.ts';

test('each permission that the console asks for is one of the API’s (DESIGN 2.5)', () => {
  const asked = globSync('console/app/**/*.tsx').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bmay\('([^']+)'\)/g)].map(([, name = '']) => ({ file, name })),
  );
  assert.ok(asked.length > 0);
  for (const { file, name } of asked) assert.ok(isPermission(name) || name === ONESELF, `${file}: ${name}`);
});
