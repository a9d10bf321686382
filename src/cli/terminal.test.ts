// The command line where a person sits, and where the reader of its output goes away.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startControl, type TestControl } from '../../test/support/control.ts';
import { compiled, FRONT_DOOR } from '../../test/support/front-door.ts';
import { doorwardInTerminal } from '../../test/support/in-terminal.ts';

let home = '';
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'doorward-terminal-'));
});
after(() => rm(home, { recursive: true, force: true }));

describe('a reader that goes away (EPIPE)', () => {
  let control: TestControl;
  before(async () => {
    control = await startControl();
    await makeShare(control, 'told');
  });
  after(() => control[Symbol.asyncDispose]());

  for (const words of [
    '--help',
    'share list --json',
    'audit --json',
    'audit --json --follow',
    'completion bash',
  ])
    test(`doorward ${words} ends without a word, as SIGPIPE would end it`, async () => {
      const { code, err } = await withoutReader(words.split(' '), control);
      assert.deepEqual({ code, err }, { code: 141, err: '' });
    });

  test('a full disk is told, on one line', async () => {
    const child = spawn('/bin/sh', ['-c', `exec "${process.execPath}" "${FRONT_DOOR}" --help > /dev/full`], {
      env: { ...compiled(), HOME: home },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.deepEqual({ code, err }, { code: 1, err: 'error: Cannot write the answer: ENOSPC\n' });
  });
});

function withoutReader(
  words: readonly string[],
  control: TestControl,
): Promise<{ readonly code: number | null; readonly err: string }> {
  const child = spawn(process.execPath, [FRONT_DOOR, ...words], {
    env: { ...compiled(), HOME: home, ...envOf(control) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  child.stdout.destroy();
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, err })));
}

describe('what cannot be undone (Questions)', () => {
  let control: TestControl;
  before(async () => {
    control = await startControl();
  });
  after(() => control[Symbol.asyncDispose]());

  async function withShare(name: string): Promise<Readonly<Record<string, string>>> {
    await makeShare(control, name);
    return { HOME: home, ...envOf(control) };
  }
  const isThere = async (name: string): Promise<boolean> =>
    (await control.call({ path: `/v1/shares/${name}` })).status === 200;

  test('is asked on a terminal, and done after a yes alone', async () => {
    const env = await withShare('asked');
    for (const typed of ['\n', 'n\n', 'yess\n', '\u0004', '\u0003']) {
      const answers = [{ asked: /Delete the share asked and end its sessions\? \[y\/N\] /, typed }];
      const { code, shown } = await doorwardInTerminal(['share', 'delete', 'asked'], { env, answers });
      assert.equal(code, 1, shown);
      assert.match(shown, /error: Cannot continue without confirmation: nothing was changed\nhint: .*--yes/);
      assert.equal(await isThere('asked'), true);
    }
    const answers = [{ asked: /\[y\/N\] /, typed: 'Yes\n' }];
    const { code, shown } = await doorwardInTerminal(['share', 'delete', 'asked'], { env, answers });
    assert.equal(code, 0, shown);
    assert.equal(await isThere('asked'), false);
  });

  test('is not asked with --yes', async () => {
    const env = await withShare('sure');
    const { code, shown } = await doorwardInTerminal(['share', 'delete', 'sure', '--yes'], { env });
    assert.deepEqual({ code, shown }, { code: 0, shown: "Deleted sure. The name stays your account's.\n" });
  });
});

test('tables fit 80 columns on a terminal (Tables)', async () => {
  await using control = await startControl();
  await makeShare(control, `a-share-with-a-long-name`);
  assert.equal((await control.call({ path: '/v1/api-keys', json: { name: 'ci' } })).status, 201);
  const env = { HOME: home, ...envOf(control) };
  for (const words of [['share', 'list'], ['api-key', 'list'], ['member', 'list'], ['audit']]) {
    const { code, shown } = await doorwardInTerminal(words, { env });
    assert.equal(code, 0, shown);
    assert.notEqual(shown, '');
    for (const line of shown.split('\n')) assert.ok(line.length <= 80, `${words.join(' ')}: ${line}`);
  }
  const { shown } = await doorwardInTerminal(['share', 'list'], { env, columns: 200 });
  assert.match(shown, /https:\/\/a-share-with-a-long-name\.share\.example\.com /);
});

describe('times', () => {
  test('a time is RFC 3339 or a duration before now; what is neither is wrong usage', async () => {
    const control = await startControl();
    try {
      for (const [since, expected] of [
        ['1h', 0],
        ['7d', 0],
        ['2030-01-31T09:00:00Z', 0],
        ['2030-01-31T09:00:00+02:00', 0],
        ['yesterday', 2],
        ['2030-01-31T09:00:00', 2],
        ['2030-02-31T09:00:00Z', 2],
      ] as const)
        for (const words of [
          ['--since', since],
          ['--until', since],
        ]) {
          const env = { HOME: home, ...envOf(control) };
          const { code, shown } = await doorwardInTerminal(['audit', ...words], { env });
          assert.equal(code, expected, `${words.join(' ')}: ${shown}`);
        }
    } finally {
      await control[Symbol.asyncDispose]();
    }
  });
});

async function makeShare(control: TestControl, name: string): Promise<void> {
  const json = { name, target: 'http://127.0.0.1:3000', oauthProvider: 'test' };
  assert.equal((await control.call({ method: 'POST', path: '/v1/shares', json })).status, 201);
}

function envOf(control: TestControl): Readonly<Record<string, string>> {
  return { DOORWARD_URL: control.url.origin, DOORWARD_API_KEY: control.alice.apiKey.reveal() };
}
