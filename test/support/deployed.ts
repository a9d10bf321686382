// The files below deploy/, and what tests of them share.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export const ROOT = join(import.meta.dirname, '../..');
export const DEPLOYED = globSync('deploy/**', { cwd: ROOT }).filter((file) =>
  statSync(join(ROOT, file)).isFile(),
);

/** `file`: below the repository's root. */
export function readDeployed(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

export function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-deploy-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What the command prints. Fails with all that it said where it fails. */
export function run(command: string, words: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(command, words, { encoding: 'utf8', input });
  assert.equal(status, 0, `${command} ${words.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/** Why a test that needs a program of the machine is skipped; false when it is there. */
export function without(command: string, word = '--version'): string | false {
  return spawnSync(command, [word]).error === undefined ? false : `${command} is not installed`;
}
