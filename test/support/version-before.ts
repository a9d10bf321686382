// The program as it was at an earlier commit, which upgrades begin with and roll back to. It runs on the
// packages that are installed now; where those do not suffice, or the history does not reach so far, it
// cannot be had.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The last commit whose database has a lower schema version. Moves to each release. */
export const VERSION_BEFORE = '05b480176c1fd42d098540887818e5afb434e450';
/** The end of the first edition: many schema versions back. */
export const FIRST_EDITION = '2657e9770f618d125771242c9cc64bb9e625587d';

const ROOT = join(import.meta.dirname, '../..');

/** Why that version cannot run here, for `skip`; false when it can. */
export function missingVersion(commit: string): string | false {
  const found = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT });
  if (found.status !== 0) return `the history here does not reach back to ${commit.slice(0, 8)}`;
  const wanted = dependenciesOf(git(['show', `${commit}:package.json`]).toString());
  const absent = Object.entries(wanted).filter(
    ([name, version]) => majorOf(installed(name)) !== majorOf(version),
  );
  if (absent.length === 0) return false;
  return `${commit.slice(0, 8)} needs other packages: ${absent.map((each) => each.join(' ')).join(', ')}`;
}

export type EarlierVersion = Disposable & {
  /** Its front door. */
  readonly program: string;
};

/** Lays it out in a folder of its own, gone when disposed of. Throws where `missingVersion()` says why. */
export function layOutVersion(commit: string): EarlierVersion {
  const missing = missingVersion(commit);
  if (missing !== false) throw new Error(`Cannot run an earlier version: ${missing}`);
  const folder = mkdtempSync(join(tmpdir(), 'doorward-before-'));
  // What it serves is enough: no tests, no documents.
  const parts = ['bin', 'src', 'console', 'devidp', 'package.json'];
  execFileSync('tar', ['-x', '-C', folder], { input: git(['archive', commit, '--', ...parts]) });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    program: join(folder, 'bin/doorward.js'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function git(words: readonly string[]): Buffer {
  return execFileSync('git', words, { cwd: ROOT, maxBuffer: MAX_ARCHIVE });
}

function dependenciesOf(text: string): Readonly<Record<string, string>> {
  return (JSON.parse(text) as { readonly dependencies: Readonly<Record<string, string>> }).dependencies;
}

function installed(name: string): string {
  const file = join(ROOT, 'node_modules', name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : '';
}

function majorOf(version: string): string {
  return version.split('.', 1)[0] ?? '';
}

const MAX_ARCHIVE = 256e6;
