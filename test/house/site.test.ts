// The documentation site shows what there is (`site/sidebar.ts`). test/e2e/site.test.ts builds it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { SECTIONS } from '../../site/sidebar.ts';
import { documentsOf } from '../../site/stage.ts';

const ROOT = join(import.meta.dirname, '../..');

test('the site lists every document of docs/ once, and no other that is not there', () => {
  const listed = SECTIONS.flatMap(({ pages }) => pages.map((page) => `${page}.md`));
  const documents = documentsOf(ROOT);
  assert.deepEqual(
    listed.filter((page, index) => !documents.includes(page) || listed.indexOf(page) !== index),
    [],
  );
  assert.deepEqual(
    documents.filter((document) => document.startsWith('docs/') && !listed.includes(document)),
    [],
  );
});
