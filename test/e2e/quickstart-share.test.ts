// The quick start's next step: its printed commands, as they are printed, in a second terminal. Only the port
// is the test's own.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { createBrowser } from '../support/browser-by-hand.ts';
import { type Echo, startEchoBackend } from '../support/echo-backend.ts';
import { readForms } from '../support/html-form.ts';
import { freeQuickstartPort, startQuickstart } from '../support/quickstart.ts';

const root = join(import.meta.dirname, '../..');

test(
  'runQuickstart() prints commands that put the login before a port of one’s own (quick start)',
  { timeout: 120_000 },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'quickstart-share-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const backend = await startEchoBackend();
    t.after(backend.close);
    const running = await startQuickstart({ dir: join(folder, 'it'), port: await freeQuickstartPort() });
    t.after(running.stop);
    const printed =
      /In another terminal, in this folder:\n\n((?: {2}.*\n)+)/.exec(running.output())?.[1] ?? '';
    assert.match(printed, /share public 3000 /);
    const script = printed.replace('share public 3000 ', `share public ${backend.port} `);
    const env = { ...process.env, XDG_CONFIG_HOME: folder };
    // A process group of its own is what Ctrl+C in a terminal reaches.
    const second = spawn('bash', ['-euc', script], {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const group = -(second.pid ?? 0);
    const ended = once(second, 'close');
    t.after(() => {
      if (second.exitCode === null && second.signalCode === null) process.kill(group, 'SIGKILL');
    });
    let errors = '';
    second.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const lines = createInterface({ input: second.stdout });
    const first = await Promise.race([once(lines, 'line'), ended.then(() => assert.fail(errors))]);
    const url = String(first[0]);
    assert.match(url, new RegExp(`^http://[a-z2-9]{12}\\.share\\.localhost:${running.port}$`));
    const browser = createBrowser();
    const { last: page } = await browser.follow(`${url}/mine`);
    const form = readForms(page.body)[0];
    assert.ok(form);
    const sent = await browser.submit(page, form, { email: 'ada@example.com' });
    const { last } = await browser.follow(sent.location ?? '');
    const echo = JSON.parse(last.body) as Echo;
    assert.deepEqual([echo.target, echo.headers['svc-auth-email']], ['/mine', 'ada@example.com']);
    process.kill(group, 'SIGINT');
    await ended;
    assert.match(errors, /stopped: http:\S+ is gone\n/);
    assert.equal((await browser.open(url)).status, 404);
  },
);
