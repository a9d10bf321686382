// The published form, installed elsewhere by npm without the network, and what it does on each line of Node
// that it is for. The library of the test provider, which it leaves to its users, lies beside it.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { globSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { testDelivered } from '../support/delivered.ts';
import { otherNode, programOn } from '../support/other-node.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const elsewhere = mkdtempSync(join(tmpdir(), 'doorward-installed-'));
const modules = join(elsewhere, 'lib', 'node_modules');
const installed = join(modules, 'doorward');
const program = join(installed, 'bin', 'doorward.js');
const provider = join(modules, 'oidc-provider');

before(async () => {
  const pack = join(ROOT, 'scripts', 'pack.ts');
  await run(process.execPath, ['--disable-warning=ExperimentalWarning', pack, elsewhere], {
    maxBuffer: 16 * 1024 * 1024,
  });
  const [tarball = ''] = globSync('*.tgz', { cwd: elsewhere });
  const words = ['install', '-g', join(elsewhere, tarball), '--prefix', elsewhere, '--offline'];
  await run('npm', [...words, '--cache', join(elsewhere, 'cache'), '--update-notifier=false']);
  symlinkSync(join(ROOT, 'node_modules', 'oidc-provider'), provider);
});
after(() => rmSync(elsewhere, { recursive: true, force: true }));

test('the package holds no TypeScript and no tests, and what it needs to run alone (DESIGN 5)', () => {
  assert.deepEqual(globSync('**/*.{ts,test.js}', { cwd: installed }), []);
  const { dependencies, devDependencies, bin, engines, peerDependenciesMeta } = readPackage(installed);
  assert.deepEqual([dependencies, devDependencies], [undefined, undefined]);
  assert.deepEqual(peerDependenciesMeta, { 'oidc-provider': { optional: true } });
  assert.deepEqual(bin, { doorward: 'bin/doorward.js' });
  assert.deepEqual(engines, readPackage(ROOT).engines);
});

test('the package carries the licenses of all that it contains', () => {
  const licenses = readFileSync(join(installed, 'THIRD-PARTY-LICENSES'), 'utf8');
  for (const name of ['hono', 'kysely', 'pg', 'zod', 'pino', 'bintrees'])
    assert.match(licenses, new RegExp(`^${name} [\\d.]+ \\((?:MIT|Apache-2\\.0)\\)\\n\\n\\S`, 'm'), name);
});

test('the package takes 20 MB or less, installed', () => {
  const files = globSync('**', { cwd: installed }).map((file) => lstatSync(join(installed, file)));
  const taken = files.reduce((sum, { blocks }) => sum + blocks * BLOCK, 0);
  assert.ok(files.length > 100 && taken <= 20e6, `${files.length} files, ${taken} bytes`);
});

testDelivered({ form: 'the package', elsewhere, program });

test('the package without the library of the test provider says what the quick start lacks, and starts nothing', (t) => {
  const aside = join(elsewhere, 'aside');
  renameSync(provider, aside);
  t.after(() => renameSync(aside, provider));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'quickstart'], {
    cwd: elsewhere,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout], [1, '']);
  assert.equal(
    stderr,
    'error: Cannot start the quick start: its test provider is not installed\n' +
      'hint: Install the library of the test provider next to doorward: "npm install -g oidc-provider@9".\n',
  );
  assert.deepEqual(globSync('.doorward', { cwd: elsewhere }), []);
});

for (const version of ['22.23.3', '24.21.0']) {
  const node = otherNode(version);
  if ('missing' in node) test(`the package on Node ${version}`, { skip: node.missing }, () => undefined);
  else
    describe(`on Node ${version}`, () => {
      const form = `the package on Node ${version}`;
      const file = join(elsewhere, `doorward-on-${version}`);
      before(() => programOn(node.path, program, file));
      testDelivered({ form, elsewhere, program: file });
      test(`${form}: nothing else is installed for it, and that is what it runs on`, async () => {
        const { stdout } = await run(file, ['version', '--json']);
        assert.equal((JSON.parse(stdout) as { readonly node: string }).node, version);
      });
    });
}

type PackageFile = {
  readonly bin: unknown;
  readonly engines: unknown;
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
  readonly peerDependenciesMeta?: unknown;
};

function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
}

/** What `blocks` counts in. */
const BLOCK = 512;
