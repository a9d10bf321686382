// What comments, tests and documents refer to is there: each `contract 4.2`, `DESIGN "Email"` and
// `THREATS "Tenancy"` names a heading of docs/contract.md, docs/design.md or docs/threats.md. Every file of
// test/attacks stands beside its class there, and every dependency in docs/decisions/dependencies.md.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const files = globSync(
  [
    '*.md',
    '{src,console,devidp,bin,examples,scripts,bench,test}/**/*.{ts,tsx,html,css,js,py,go}',
    'docs/**/*.md',
  ],
  { cwd: root },
).filter((file) => !/node_modules|console\/dist|house\/references\.test\.ts$/.test(file));

const books = {
  contract: numbersIn(read('docs/contract.md')),
  design: new Set([...numbersIn(read('docs/design.md')), ...topicsIn(read('docs/design.md'))]),
  threats: topicsIn(read('docs/threats.md')),
};

test('references: each names a heading of the contract, the design or the threats', () => {
  const dead = files.flatMap((file) =>
    deadReferences(unwrapped(read(file))).map((words) => `${file}: ${words}`),
  );
  assert.deepEqual(dead, []);
  assert.ok(files.length > 500, `${files.length} files were read`);
});

/** A reference may stand on two lines of a comment or of a paragraph. */
function unwrapped(text: string): string {
  return text.replaceAll(/\s*\n[ \t]*(?:\/\/ |\* )?[ \t]*/g, ' ');
}

test('references: what names no heading is told', () => {
  const alive = [
    'contract 4.2.5',
    'contract 2.1, 1.7',
    'DESIGN 2.4',
    'DESIGN 3',
    'DESIGN "Email"',
    'THREATS "Tenancy"',
  ];
  assert.deepEqual(deadReferences(alive.join('\n')), []);
  assert.deepEqual(deadReferences(unwrapped('// of DESIGN\n// "Email"\n * (contract\n * 4.2)')), []);
  const dead = [
    'contract 4.9',
    'contract 5.1.12',
    'DESIGN 2.9',
    'DESIGN "Emails"',
    'DESIGN, Email',
    'THREATS tenancy',
    'ATTACKS "Tenancy"',
  ];
  assert.equal(deadReferences(dead.join('\n')).length, dead.length);
});

test('threats: every file of test/attacks stands beside a class, and no other', () => {
  const named = [...read('docs/threats.md').matchAll(/\(\.\.\/(test\/attacks\/[\w-]+\.test\.ts)\)/g)];
  assert.deepEqual(
    named.map(([, file]) => file).toSorted(),
    globSync('test/attacks/*.test.ts', { cwd: root }).toSorted(),
  );
});

test('dependencies: each has its line in docs/decisions/dependencies.md', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Packages;
  const text = read('docs/decisions/dependencies.md');
  const told = new Set([...text.matchAll(/[@\w][\w/-]*/g)].map(([word]) => word));
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !name.startsWith('@types/'),
  );
  assert.deepEqual(
    names.filter((name) => !told.has(name)),
    [],
  );
});

type Packages = Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>;

function deadReferences(text: string): readonly string[] {
  const contract = [...text.matchAll(/\bcontract (\d[\d.]*\d|\d)/g)].filter(
    ([, number = '']) => !books.contract.has(number),
  );
  const design = [...text.matchAll(/\bDESIGN\b(?: (\d(?:\.\d+)*)| "([^"\n]+)")?/g)].filter(
    ([, number, topic]) => !books.design.has(number ?? topic ?? ''),
  );
  const threats = [...text.matchAll(/\bTHREATS\b(?: "([^"\n]+)")?/g)].filter(
    ([, topic]) => !books.threats.has(topic ?? ''),
  );
  // Books that no clone has.
  const foreign = [...text.matchAll(/\b(?:ATTACKS\b|STYLE \d)[^\n]{0,20}/g)];
  return [...contract, ...design, ...threats, ...foreign].map(([words]) => words);
}

/** The numbers of headings, and those of the points of a list below them: `4.2`, `4.2.1`. */
function numbersIn(text: string): ReadonlySet<string> {
  const numbers = new Set<string>();
  let heading = '';
  for (const line of text.split('\n')) {
    const [, number] = /^#{2,3} (\d(?:\.\d)?)[. ]/.exec(line) ?? [];
    if (number !== undefined) numbers.add((heading = number));
    const [, point] = /^(\d+)\. /.exec(line) ?? [];
    if (point !== undefined) numbers.add(`${heading}.${point}`);
  }
  return numbers;
}

/** Headings without a number, without their marks of code. */
function topicsIn(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(/^#{2,3} (?!\d)(.+)$/gm)].map(([, title = '']) => title.replaceAll('`', '')),
  );
}
