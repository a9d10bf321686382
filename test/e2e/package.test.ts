// The published form, installed elsewhere without the network: unpacked into a node_modules folder, beside
// what package.json says it depends on, and nothing else of the repository.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { testDelivered } from '../support/delivered.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const elsewhere = mkdtempSync(join(tmpdir(), 'doorward-installed-'));
const installed = join(elsewhere, 'node_modules', 'doorward');
const program = join(installed, 'bin', 'doorward.js');

before(async () => {
  const pack = join(ROOT, 'scripts', 'pack.ts');
  await run(process.execPath, ['--disable-warning=ExperimentalWarning', pack, elsewhere]);
  const [tarball = ''] = globSync('*.tgz', { cwd: elsewhere });
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(elsewhere, tarball), '-C', installed, '--strip-components=1']);
  const { dependencies } = readPackage(installed);
  for (const name of Object.keys(dependencies)) {
    const link = join(elsewhere, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
});
after(() => rmSync(elsewhere, { recursive: true, force: true }));

test('the package holds no TypeScript and no tests, and what it needs to run alone (DESIGN 5)', () => {
  assert.deepEqual(globSync('**/*.{ts,test.js}', { cwd: installed }), []);
  const { devDependencies, bin, engines } = readPackage(installed);
  assert.equal(devDependencies, undefined);
  assert.deepEqual(bin, { doorward: 'bin/doorward.js' });
  assert.deepEqual(engines, readPackage(ROOT).engines);
});

testDelivered({ form: 'the package', elsewhere, program });

type PackageFile = {
  readonly bin: unknown;
  readonly engines: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: unknown;
};

function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
}
