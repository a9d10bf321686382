// Every row of the contract is proved by tests that exist: a test that is renamed or taken away is missed
// here.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CONTRACT, type Proof } from './contract-rows.ts';

/** How many rows and bullets each section has, so that none is lost from the list. */
const ROWS: Readonly<Record<string, number>> = {
  '2.1': 10,
  '2.2': 7,
  '2.3': 3,
  '2.4': 8,
  '2.5': 3,
  '2.6': 5,
  '2.7': 5,
  '3': 11,
  '4.1': 3,
  '4.2': 9,
  '5.1': 9,
  '5.2': 2,
  '5.3': 3,
  '5.4': 1,
  '7': 3,
  '8': 6,
};

test('contract: every section is listed with all of its rows', () => {
  const listed = Object.entries(CONTRACT).map(([section, rows]) => [section.split(' ')[0], rows.length]);
  assert.deepEqual(Object.fromEntries(listed), ROWS);
});

for (const [section, rows] of Object.entries(CONTRACT)) {
  test(`contract ${section}: each row is proved by tests that exist`, () => {
    const lost = rows.flatMap(({ row, proofs }) =>
      proofs.length === 0
        ? [`${row}: no test`]
        : proofs.filter(isLost).map((proof) => `${row}: ${proof.join(': ')}`),
    );
    assert.deepEqual(lost, []);
  });
}

test('contract: a name that no test has is missed, and one that only looks like a test', () => {
  const file = 'test/conformance/contract-login.test.ts';
  assert.equal(
    isLost([file, 'oidc: the backend gets provider, email and expiry on every request (2.6; 3 row 5)']),
    false,
  );
  assert.equal(isLost([file, 'oidc: the backend gets provider, email and expiry']), true);
  assert.equal(isLost([file, 'svc-auth-provider']), true);
  assert.equal(isLost(['test/conformance/no-such.test.ts', 'anything']), true);
});

function isLost([file, name]: Proof): boolean {
  return !titlesIn(file).some((title) => title.test(name));
}

const titles = new Map<string, readonly RegExp[]>();

/**
 * The names of the tests in a file, where `${…}` stands for any text. Tests that are skipped or to be done
 * are none.
 */
function titlesIn(file: string): readonly RegExp[] {
  const known = titles.get(file);
  if (known !== undefined) return known;
  const found = [...sourceOf(file).matchAll(TITLE)].map(([, quote = '', text = '']) => titleOf(quote, text));
  titles.set(file, found);
  return found;
}

function sourceOf(file: string): string {
  try {
    return readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  } catch {
    return '';
  }
}

function titleOf(quote: string, text: string): RegExp {
  const plain = text.replaceAll(/\\(['"`\\])/g, '$1');
  const parts = quote === '`' ? plain.split(/\$\{[^}]*\}/) : [plain];
  const fixed = parts.join('').trim().length;
  // A name that is all made of what the test is given says too little to be known by.
  return fixed < LEAST_FIXED
    ? NOTHING
    : new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.*')}$`);
}

/** `test('…'`, and `name: '…'` in the tables that tests are made from. */
const TITLE = /(?:(?<![.\w])test\(\s*|\bname:\s*)(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const NOTHING = /(?!)/;
const LEAST_FIXED = 16;
