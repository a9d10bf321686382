// ARCHITECTURE.md is true: the files it names are there, its floors are those of the import law, and each
// step of a request, a login, a certificate and a change reaches the next one the way it says.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FLOORS } from './floors.ts';
import { importsOf, ROOT } from './imports.ts';

type Step = {
  readonly name: string;
  readonly file: string;
  /** How it is reached from the steps before it; null: the step before it imports it. */
  readonly by: { readonly how: 'from' | 'over' | 'wired in'; readonly what: string } | null;
};

const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
const WAYS = ['One request', 'One login', 'One certificate', 'One change'];

test('architecture: every file and folder that it names is there', () => {
  const named = [...text.matchAll(/`((?:[\w-]+\/)*[\w.-]+(?:\.[a-z]+|\/))`/g)].map(([, name = '']) => name);
  const paths = named.filter((name) => name.includes('/') || /\.(?:ts|tsx|md)$/.test(name));
  assert.ok(paths.length > 50, `${paths.length} paths were found`);
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(ROOT, placeOf(path)))),
    [],
  );
});

test('architecture: its floors are those of the import law', () => {
  const written = [...text.matchAll(/^- \*\*Floor (\d)\*\*: ([^]*?)(?=\n- |\n\n)/gm)].flatMap(
    ([, floor, rooms = '']) =>
      [...rooms.matchAll(/`(\w+)\/`/g)].map(([, room = '']): [string, number] => [room, Number(floor)]),
  );
  assert.deepEqual(Object.fromEntries(written), FLOORS);
});

test('architecture: each step reaches the next one as it says', () => {
  for (const way of WAYS) {
    const steps = stepsOf(text, way);
    assert.ok(steps.length > 5, `${way}: ${steps.length} steps`);
    assert.deepEqual(brokenSteps(steps), [], way);
  }
});

test('architecture: a step that is reached in no such way is told', () => {
  const guard: Step = { name: 'guard', file: 'src/gateway/guard.ts', by: null };
  const store: Step = { name: 'store', file: 'src/store/open.ts', by: null };
  const gate: Step = { name: 'gate', file: 'src/gateway/gate.ts', by: null };
  const by = (step: Step, how: 'from' | 'over' | 'wired in', what: string): Step => ({
    ...step,
    by: { how, what },
  });
  assert.deepEqual(brokenSteps([gate, guard]), []);
  assert.equal(brokenSteps([gate, store]).length, 1);
  assert.equal(brokenSteps([gate, by(guard, 'from', 'src/serve.ts')]).length, 1);
  assert.equal(brokenSteps([gate, by(store, 'over', 'src/gateway/guard.ts')]).length, 1);
  assert.equal(brokenSteps([gate, by(store, 'over', '/no/such/address')]).length, 1);
  assert.equal(brokenSteps([gate, by(store, 'wired in', 'src/gateway/assembly.ts')]).length, 1);
});

function stepsOf(page: string, way: string): readonly Step[] {
  const section = page.split(`## ${way}\n`)[1]?.split('\n## ')[0] ?? '';
  const items = [...section.matchAll(/^\d+\. (?:.*\n)(?: {3}.*\n)*/gm)].map(([item]) =>
    item.replaceAll(/\s+/g, ' '),
  );
  return items.map((item): Step => {
    const [, name = '', file = '', how, what = ''] = STEP.exec(item) ?? [];
    assert.notEqual(file, '', `${way}: a step names no file: ${item}`);
    const isHow = how === 'from' || how === 'over' || how === 'wired in';
    return { name, file: placeOf(file), by: isHow ? { how, what: placeOf(what) } : null };
  });
}

const STEP = /^\d+\. \*\*(.+?)\*\* \(`(.+?)`(?:, (from|over|wired in) `(.+?)`)?\): \S/;

function brokenSteps(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step, index) => {
    const before = steps.slice(0, index);
    return index === 0 || isReached(step, before) ? [] : `${step.name} is not reached`;
  });
}

function isReached({ file, by }: Step, before: readonly Step[]): boolean {
  const last = before.at(-1)?.file ?? '';
  if (by === null) return reaches(last, file);
  const { how, what } = by;
  if (how === 'from') return before.some((step) => step.file === what) && reaches(what, file);
  if (how === 'wired in') return reaches(what, last) && reaches(what, file);
  const knows = what.startsWith('/')
    ? (each: string) => readFileSync(join(ROOT, each), 'utf8').includes(what)
    : (each: string) => reaches(each, what);
  return knows(file) && before.some((step) => knows(step.file));
}

/** Whether one imports the other, directly or through others; types too. */
function reaches(from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const file of seen)
    for (const target of importsOf(file)) if (/^(?:src|console)\/.*\.tsx?$/.test(target)) seen.add(target);
  return seen.has(to);
}

/** Below `src/`, unless it is a place of its own. */
function placeOf(path: string): string {
  if (path.startsWith('/')) return path;
  return existsSync(join(ROOT, 'src', path)) ? `src/${path}` : path;
}
