// Every file below deploy/ is held to what it is for. A file that no rule here takes fails.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { faultsOfCommand } from '../support/documented-command.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync('deploy/**', { cwd: root }).filter((file) => statSync(join(root, file)).isFile());

/** What takes a file: each has a test below. */
const RULES: Readonly<Record<string, RegExp>> = {
  units: /^deploy\/systemd\/[\w-]+\.service$/,
  'users and folders': /^deploy\/systemd\/doorward\.(?:sysusers|tmpfiles)$/,
};

test('every file below deploy/ is validated by a rule', () => {
  const stray = files.filter((file) => !Object.values(RULES).some((rule) => rule.test(file)));
  assert.deepEqual(stray, []);
  for (const [name, rule] of Object.entries(RULES))
    assert.ok(
      files.some((file) => rule.test(file)),
      name,
    );
});

for (const file of taken('units')) {
  const unit = read(file);

  test(`${file} starts a command that exists, as its own user`, () => {
    const [, words = ''] = /^ExecStart=\/usr\/bin\/(doorward .*)$/m.exec(unit) ?? [];
    assert.deepEqual(faultsOfCommand(words), []);
    const name = basename(file, '.service');
    const folder = words.match(/--config \/etc\/([\w-]+)\//)?.[1];
    assert.deepEqual([folder, /^User=(.*)$/m.exec(unit)?.[1]], [name, name]);
    assert.match(read('deploy/systemd/doorward.sysusers'), new RegExp(`^u ${name} `, 'm'));
    assert.match(
      read('deploy/systemd/doorward.tmpfiles'),
      new RegExp(`^d /etc/${name} 0700 ${name} ${name} -$`, 'm'),
    );
  });

  test(
    `${file} is exposed below 2.0 (systemd-analyze security)`,
    { skip: without('systemd-analyze') },
    (t) => {
      const { stdout, stderr, status } = spawnSync(
        'systemd-analyze',
        ['security', '--offline=true', '--no-pager', join(root, file)],
        { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } },
      );
      if (/unrecognized option|Unknown option/.test(stderr)) return t.skip('this systemd cannot judge files');
      assert.equal(status, 0, stderr);
      const [, level = ''] = /Overall exposure level for \S+: (\d+\.\d)/.exec(stdout) ?? [];
      assert.ok(level !== '' && Number(level) < 2, stdout);
    },
  );
}

test('systemd makes the users and folders of the units', { skip: withoutUsers() }, (t) => {
  const made = temporary(t);
  mkdirSync(join(made, 'etc'));
  for (const [name, place] of [
    ['sysusers', 'etc/sysusers.d'],
    ['tmpfiles', 'etc/tmpfiles.d'],
  ] as const) {
    mkdirSync(join(made, place));
    cpSync(join(root, `deploy/systemd/doorward.${name}`), join(made, place, 'doorward.conf'));
  }
  run('systemd-sysusers', [`--root=${made}`, 'doorward.conf']);
  run('systemd-tmpfiles', [`--root=${made}`, '--create', 'doorward.conf']);
  const users = readFileSync(join(made, 'etc/passwd'), 'utf8');
  for (const name of ['doorward', 'doorward-agent']) {
    const [, id] = new RegExp(`^${name}:[^:]*:(\\d+):`, 'm').exec(users) ?? [];
    const { mode, uid } = statSync(join(made, 'etc', name));
    assert.deepEqual([mode & 0o777, String(uid)], [0o700, id], name);
  }
});

function taken(rule: string): readonly string[] {
  return files.filter((file) => RULES[rule]?.test(file));
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-deploy-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function run(command: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${words.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/** Why a test that needs a program of the machine is skipped; false when it is there. */
function without(command: string): string | false {
  return spawnSync(command, ['--version']).error === undefined ? false : `${command} is not installed`;
}

function withoutUsers(): string | false {
  if (process.getuid?.() !== 0) return 'only root can make users';
  return without('systemd-sysusers') || without('systemd-tmpfiles');
}
