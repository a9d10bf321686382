// Every relative link in a document leads to a file that is there, and every `#part` to a heading of it.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const documents = globSync(['*.md', '{docs,examples,bench,console,devidp}/**/*.md'], { cwd: root }).filter(
  (file) => !file.includes('node_modules'),
);

for (const file of documents) {
  test(`links of ${file}`, () => {
    assert.deepEqual(deadLinks(file, readFileSync(join(root, file), 'utf8')), []);
  });
}

test('links: documents are found, and a link to nothing is told', () => {
  assert.ok(documents.includes('README.md') && documents.includes('docs/how-to/google.md'));
  const dead = ['[a](no/such.md)', '[b](docs/no-such)', '[c](README.md#no-such-part)', '[d]: ./nowhere.md'];
  assert.equal(deadLinks('README.md', dead.join('\n')).length, dead.length);
  const alive = ['[a](docs/)', '[b](#what-it-does)', '[c](https://example.com/x)', '`[d](code.md)`'];
  const text = `## What it does\n${alive.join('\n')}`;
  assert.deepEqual(deadLinks('README.md', text), []);
});

function deadLinks(file: string, text: string): readonly string[] {
  return linksOf(text).filter((link) => !isAlive(file, text, link));
}

/** Targets of `[…](target)` and `[…]: target`, outside of code. */
function linksOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]:\s+(\S+)/gm)].map(
    ([, inline, named]) => inline ?? named ?? '',
  );
}

function isAlive(file: string, text: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return true;
  const [path = '', part] = link.split('#');
  const target = path === '' ? file : join(dirname(file), decodeURIComponent(path));
  if (!existsSync(join(root, target))) return false;
  if (part === undefined) return true;
  const there = path === '' ? text : readFileSync(join(root, target), 'utf8');
  return headingsOf(there).includes(part);
}

/** As forges make them: lower case, without punctuation, spaces as hyphens. */
function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
}
