// The executable for arm64, where this machine can emulate its processor (Debian: qemu-user-static).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import packageFile from '../../package.json' with { type: 'json' };
import type { Entry } from '../../scripts/archive/tar.ts';
import { buildExecutables } from '../../scripts/executable/build.ts';
import { libraries } from '../../scripts/image/libraries.ts';
import { ROOT, run, without } from '../support/deployed.ts';

const EMULATOR = 'qemu-aarch64-static';
const KEPT = join(ROOT, 'node_modules/.cache/doorward-libraries');

test('the executable for arm64 runs, on an emulated processor', { skip: withoutParts() }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-arm64-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  let file = '';
  try {
    // Its Node is a package of npm's, and its libraries are Debian's.
    layOut(libraries('linux-arm64', KEPT).entries, join(folder, 'root'));
    [file = ''] = await buildExecutables(ROOT, folder, ['linux-arm64']);
  } catch (error) {
    if (!/Cannot run (?:apt-get|npm) /.test(String(error))) throw error;
    return t.skip(`what it is made of cannot be had: ${String(error).split('\n', 1)[0]}`);
  }
  assert.deepEqual(
    JSON.parse(run(EMULATOR, ['-L', join(folder, 'root'), file, 'version', '--json'])) as unknown,
    { version: packageFile.version, node: process.versions.node, platform: 'linux-arm64' },
  );
  assert.ok(gzipSync(readFileSync(file), { level: 6 }).length < 45e6, 'at most 45 MB compressed');
});

function layOut(entries: readonly Entry[], root: string): void {
  for (const entry of entries) {
    const place = join(root, entry.path);
    mkdirSync(dirname(place), { recursive: true });
    if (entry.kind === 'link') symlinkSync(entry.target, place);
    if (entry.kind === 'file') writeFileSync(place, entry.content, { mode: entry.mode });
  }
}

function withoutParts(): string | false {
  if (`${process.platform}-${process.arch}` !== 'linux-x64') return 'this machine is no x64 Linux';
  if (spawnSync(EMULATOR, ['--version']).error !== undefined) return `${EMULATOR} is not installed`;
  return without('apt-get') || without('dpkg-deb');
}
