// The single executable, built for this machine and moved elsewhere: nothing of the repository, and no Node,
// is where it runs. Then what is made of it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import packageFile from '../../package.json' with { type: 'json' };
import { buildDeb, debName } from '../../scripts/deb/build.ts';
import { buildExecutables } from '../../scripts/executable/build.ts';
import type { Platform } from '../../scripts/executable/node-program.ts';
import { testDelivered } from '../support/delivered.ts';

const ROOT = join(import.meta.dirname, '../..');
const { version } = packageFile;
const elsewhere = mkdtempSync(join(tmpdir(), 'doorward-executable-'));
const platform = `${process.platform}-${process.arch}` as Platform;
const program = join(elsewhere, `doorward-${platform}`);

before(() => buildExecutables(ROOT, elsewhere, [platform]));
after(() => rmSync(elsewhere, { recursive: true, force: true }));

testDelivered({ form: 'the executable', elsewhere, program });

test('the executable takes nothing from an environment without Node, and no option of Node from it', () => {
  const { status, stdout, stderr } = spawnSync(program, ['version', '--json'], {
    env: { PATH: '/nowhere', NODE_OPTIONS: '--require /nowhere.js' },
    cwd: elsewhere,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(JSON.parse(stdout), {
    version,
    node: process.versions.node,
    platform,
  });
});

test('two builds of the executable are the same file', async (t) => {
  const again = mkdtempSync(join(tmpdir(), 'doorward-again-'));
  t.after(() => rmSync(again, { recursive: true, force: true }));
  const [file = ''] = await buildExecutables(ROOT, again, [platform]);
  assert.ok(readFileSync(file).equals(readFileSync(program)));
});

test(
  'the Debian package puts the executable and its units in their places',
  { skip: without('dpkg-deb') },
  (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'doorward-deb-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, debName(version, platform));
    writeFileSync(file, buildDeb({ root: ROOT, platform, executable: program, version, level: 1 }));
    const control = said('dpkg-deb', ['--field', file, 'Package', 'Version', 'Architecture', 'Depends']);
    assert.match(control, /^Package: doorward\nVersion: \d+\.\d+\.\d+\nArchitecture: (?:amd64|arm64)\n/);
    assert.match(control, /libatomic1/);
    const laid = join(folder, 'laid');
    said('dpkg-deb', ['--extract', file, laid]);
    assert.equal(said(join(laid, 'usr/bin/doorward'), ['--version']), `${version}\n`);
    for (const [place, source] of PLACES)
      assert.equal(readFileSync(join(laid, place), 'utf8'), readFileSync(join(ROOT, source), 'utf8'), place);
    assert.match(readFileSync(join(laid, 'usr/share/doc/doorward/THIRD-PARTY-LICENSES'), 'utf8'), /^zod \d/m);
    const scripts = join(folder, 'scripts');
    said('dpkg-deb', ['--control', file, scripts]);
    for (const script of ['postinst', 'prerm', 'postrm']) {
      assert.equal(statSync(join(scripts, script)).mode & 0o777, 0o755);
      said('sh', ['-n', join(scripts, script)]);
    }
    const sums = readFileSync(join(scripts, 'md5sums'), 'utf8').trim().split('\n');
    for (const line of sums) {
      const [sum, path = ''] = line.split('  ');
      assert.equal(
        createHash('md5')
          .update(readFileSync(join(laid, path)))
          .digest('hex'),
        sum,
        path,
      );
    }
  },
);

/** Why a test that needs a program of the machine is skipped; false when it is there. */
function without(command: string): string | false {
  return spawnSync(command, ['--version']).error === undefined ? false : `${command} is not installed`;
}

function said(command: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

const PLACES = [
  ['usr/lib/systemd/system/doorward.service', 'deploy/systemd/doorward.service'],
  ['usr/lib/systemd/system/doorward-agent.service', 'deploy/systemd/doorward-agent.service'],
  ['usr/lib/sysusers.d/doorward.conf', 'deploy/systemd/doorward.sysusers'],
  ['usr/lib/tmpfiles.d/doorward.conf', 'deploy/systemd/doorward.tmpfiles'],
] as const;
