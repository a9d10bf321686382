// The import law (ARCHITECTURE.md): a file imports its own room or a lower floor; never sideways, never up,
// never in a circle; types too.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FLOORS } from './floors.ts';
import { circlesOf, type Graph, shortestCircle } from './import-circles.ts';
import { importsOf, isTest, ROOT } from './imports.ts';

/** The one way sideways: shapes of the wire are made of the domain's words. */
const BESIDE: Readonly<Record<string, string>> = { wire: 'domain' };

/** Imports that the floors would allow and the house does not. */
const FORBIDDEN: readonly { readonly room: string; readonly target: RegExp; readonly because: string }[] = [
  {
    room: 'domain',
    target: /^node:(fs|net|http|https|http2|tls|dns|process|child_process|os)/,
    because: 'domain/ is pure',
  },
  { room: 'gateway', target: /^src\/store\//, because: 'the gate cannot write to the store' },
  {
    room: 'cli',
    target: /^src\/(gateway|control|login)\//,
    because: 'cli/ talks through client/ and serve.ts',
  },
  {
    room: 'login',
    target: /^src\/providers\/(?!provider\.ts$)/,
    because: 'login/ knows providers by their one type',
  },
];

/** Of the folders of the console those that are no areas. */
const SHARED_BY_AREAS: ReadonlySet<string> = new Set(['parts', 'api', 'shell', 'style']);

const files = globSync('src/**/*.ts', { cwd: ROOT });

test('import law: every file imports its own room or a lower floor', () => {
  const violations = files.flatMap((file) => importsOf(file).map((target) => violation(file, target)));
  assert.ok(files.length > 0);
  assert.deepEqual(
    violations.filter((each) => each !== null),
    [],
  );
});

test('import law: a sideways, an upward and a forbidden import are each reported', () => {
  assert.match(String(violation('src/store/a.ts', 'src/config/b.ts')), /sideways/);
  assert.match(String(violation('src/domain/a.ts', 'src/config/b.ts')), /up/);
  assert.match(String(violation('src/domain/a.ts', 'src/wire/b.ts')), /sideways/);
  assert.match(String(violation('src/gateway/a.ts', 'src/store/b.ts')), /cannot write/);
  assert.match(String(violation('src/domain/a.ts', 'node:fs')), /pure/);
  assert.match(String(violation('src/login/a.ts', 'src/providers/dialler.ts')), /by their one type/);
  assert.equal(violation('src/login/a.ts', 'src/providers/provider.ts'), null);
  assert.equal(violation('src/gateway/a.ts', 'src/login/seal.ts'), null);
});

test('import law: no file imports itself by way of others, types included', () => {
  const modules = globSync('{src,console,devidp,bench,scripts}/**/*.{ts,tsx,js}', {
    cwd: ROOT,
    exclude: ['console/dist/**'],
  }).filter((file) => !isTest(file));
  assert.ok(modules.length > 500, `${modules.length} files were read`);
  const graph = new Map(modules.map((file) => [file, importsOf(file)]));
  assert.deepEqual(
    circlesOf(graph).map((circle) => shortestCircle(graph, circle).join(' → ')),
    [],
  );
});

test('import law: a circle of two, a circle of three and a file that imports itself are each reported', () => {
  const graph: Graph = new Map([
    ['a', ['b', 'node:fs']],
    ['b', ['a']],
    ['c', ['d', 'a']],
    ['d', ['e']],
    ['e', ['c']],
    ['f', ['f']],
    ['g', ['a', 'c', 'f']],
  ]);
  assert.deepEqual(
    circlesOf(graph).map((circle) => [...circle].toSorted()),
    [['a', 'b'], ['c', 'd', 'e'], ['f']],
  );
  assert.deepEqual(shortestCircle(graph, ['c', 'd', 'e']), ['c', 'd', 'e', 'c']);
  assert.deepEqual(shortestCircle(graph, ['f']), ['f', 'f']);
});

// As an ES module, node:http evaluates all its names, and one of them loads a whole HTTP client: 30 ms of the
// start of each thread. `process.getBuiltinModule()` takes what is named.
test('import law: of node:http, src/ imports types alone', () => {
  assert.ok(importsHttp("import { type Server, request } from 'node:http';"));
  assert.ok(!importsHttp("import { request } from 'node:https';\nimport type { Server } from 'node:http';"));
  const bad = files.filter((file) => !isTest(file) && importsHttp(readFileSync(join(ROOT, file), 'utf8')));
  assert.deepEqual(bad, []);
});

test('import law: devidp/ imports nothing from src/', () => {
  for (const file of globSync('devidp/**/*.ts', { cwd: ROOT }))
    for (const target of importsOf(file)) assert.ok(!target.startsWith('src/'), `${file} imports ${target}`);
});

test('import law: console/ is for browsers: it imports what a browser can run, and nothing of Node or the service', () => {
  const allowed = {
    'console/scripted-page': /^console\/scripted-page\//,
    'console/invitation': /^console\/(?:invitation|scripted-page)\//,
    'console/redeem': /^(?:src\/x509|console\/(?:redeem|scripted-page))\//,
    'console/session': /^$/,
    'console/app':
      /^(?:src\/(?:x509|wire|client|domain)|console\/app)\/|^src\/config\/(?:read|write)-rules\.ts$|^src\/http\/(?:chooser-page|page-(?:html|style))\.ts$|^examples\/forward-auth\/[\w./-]+\?raw$|^(?:react|react-dom\/client|uplot|uplot\/dist\/uPlot\.min\.css|uqr)$|^@base-ui\/react\/|^@tanstack\/react-query$/,
  };
  for (const [folder, law] of Object.entries(allowed)) {
    const modules = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }).filter(
      (file) => !isTest(file) && !file.endsWith('/vite.config.ts'),
    );
    assert.ok(modules.length > 0);
    for (const file of modules)
      for (const target of importsOf(file)) assert.match(target, law, `${file} imports ${target}`);
  }
});

test('import law: areas of the console import each other only through parts/', () => {
  const modules = globSync('console/app/*/**/*.{ts,tsx}', { cwd: ROOT });
  assert.ok(modules.length > 0);
  const violations = modules.flatMap((file) => importsOf(file).map((target) => areaViolation(file, target)));
  assert.deepEqual(
    violations.filter((each) => each !== null),
    [],
  );
});

test('import law: an area that imports another, and what areas share that imports one, are each reported', () => {
  assert.match(
    String(areaViolation('console/app/me/a.tsx', 'console/app/sessions/b.ts')),
    /imports the area sessions/,
  );
  for (const shared of ['parts', 'api', 'shell'])
    assert.match(String(areaViolation(`console/app/${shared}/a.ts`, 'console/app/me/b.ts')), /the area me/);
  assert.match(String(areaViolation('console/app/parts/a.ts', 'console/app/shell/b.ts')), /below the shell/);
  assert.match(String(areaViolation('console/app/shell/a.ts', 'console/app/me/me-words.ts')), /the area me/);
  assert.equal(areaViolation('console/app/shell/pages.tsx', 'console/app/me/me-area.tsx'), null);
  for (const target of ['me/b.ts', 'parts/b.ts', 'api/b.ts', 'shell/b.ts', 'router.tsx'])
    assert.equal(areaViolation('console/app/me/a.tsx', `console/app/${target}`), null);
});

test('house: domain/ reads no clock', () => {
  for (const file of files.filter((name) => roomOf(name) === 'domain' && !name.endsWith('.test.ts')))
    assert.doesNotMatch(
      readFileSync(join(ROOT, file), 'utf8'),
      /Date\.now\(|new Date\(\)|performance\.now\(/,
      file,
    );
});

test('house: only auditEvent() makes audit events', () => {
  const makers = files.filter(
    (name) => !/test/.test(name) && readFileSync(join(ROOT, name), 'utf8').includes("newId('evt')"),
  );
  assert.deepEqual(makers, ['src/domain/audit-event.ts']);
});

test('house: only cli/ reads the environment', () => {
  for (const file of files.filter((name) => roomOf(name) !== 'cli'))
    assert.doesNotMatch(readFileSync(join(ROOT, file), 'utf8'), /process\.env/, file);
});

function violation(file: string, target: string): string | null {
  const room = roomOf(file);
  const rule = FORBIDDEN.find((each) => each.room === room && each.target.test(target));
  // A test may stand things up that the file beside it may not touch, but never from a higher floor.
  if (rule !== undefined && !isTest(file)) return `${file} imports ${target}: ${rule.because}`;
  if (!target.startsWith('src/')) return null;
  const other = roomOf(target);
  if (other === room || BESIDE[room] === other) return null;
  const own = floorOf(room);
  if (floorOf(other) > own) return `${file} imports ${target}: that is up`;
  return floorOf(other) === own ? `${file} imports ${target}: that is sideways` : null;
}

/** Of what stands in a folder of the console; what stands beside the folders is for all of them. */
function areaViolation(file: string, target: string): string | null {
  const [own = null, other = null] = [file, target].map((path) => /^console\/app\/([^/]+)\//.exec(path)?.[1]);
  if (other === null || other === own) return null;
  // The shell opens each area, by the one file that is the area's own door.
  if (own === 'shell' && target === `console/app/${other}/${other}-area.tsx`) return null;
  if (!SHARED_BY_AREAS.has(other))
    return `${file} imports the area ${other}: what both need belongs to parts/`;
  return own === 'parts' && other === 'shell' ? `${file} imports ${target}: parts/ is below the shell` : null;
}

function roomOf(file: string): string {
  const part = file.split('/')[1] ?? '';
  return part.replace(/(\.test)?\.ts$/, '');
}

function floorOf(room: string): number {
  const floor = FLOORS[room];
  assert.notEqual(floor, undefined, `src/${room} has no floor: add it to the table`);
  return floor ?? 0;
}

function importsHttp(text: string): boolean {
  return /^import (?!type\b)[^;]*?from 'node:http';/m.test(text);
}
