// The quick start as a process: first start, second start, taken port, Ctrl+C.

import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBrowser } from '../support/browser-by-hand.ts';
import {
  failQuickstart,
  freeQuickstartPort,
  logInAtQuickstart,
  startQuickstart,
} from '../support/quickstart.ts';

/** How long running requests get from the service, and not from the quick start. */
const DRAIN_MS = 10_000;

let folder: string;
let dir: string;
let port: number;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quickstart-'));
  dir = join(folder, 'state');
  port = await freeQuickstartPort();
});

after(() => rm(folder, { recursive: true, force: true }));

test('runQuickstart() prints the address first, then what to try, and does not drain when it stops (quick start)', async () => {
  const running = await startQuickstart({ dir, port });
  const browser = createBrowser();
  const page = await logInAtQuickstart(browser, `${running.address}/welcome?from=test`, 'ada@example.com');
  const text = running.output();
  const { code, tookMs } = await running.stop();
  assert.equal(running.address, `http://hello.share.localhost:${port}`);
  for (const said of [
    dir,
    `http://127.0.0.1:${port + 202}/console/`,
    'share public 3000 --oauth-provider dev',
    'someone@elsewhere.test',
    'curl-walk.md',
    'for evaluation only',
    'Ctrl+C',
  ])
    assert.ok(text.includes(said), said);
  assert.equal(page.status, 200);
  assert.equal(page.url.href, `${running.address}/welcome?from=test`);
  assert.match(page.body, /Hello ada@example\.com/);
  assert.match(page.body, /verified with the public keys/);
  assert.equal(code, 0);
  assert.ok(tookMs < DRAIN_MS, `took ${tookMs} ms`);
});

test('runQuickstart() keeps its state to itself, and no secret in its log or output (quick start, observability)', async () => {
  const running = await startQuickstart({ dir, port });
  await logInAtQuickstart(createBrowser(), running.address, 'grace@example.com');
  await running.stop();
  for (const name of await readdir(dir, { recursive: true })) {
    const { mode } = await stat(join(dir, name));
    assert.equal(mode & 0o077, 0, name);
  }
  const log = await readFile(join(dir, 'doorward.log'), 'utf8');
  const told = log + running.output() + running.errors();
  const apiKey = (await readFile(join(dir, 'api-key'), 'utf8')).trim();
  const config = await readFile(join(dir, 'doorward.yaml'), 'utf8');
  const secrets = [...config.matchAll(/(?:_key|_secret): (\S{20,})/g)].map(([, secret]) => secret ?? '');
  assert.equal(secrets.length, 3);
  for (const secret of [apiKey, ...secrets]) assert.ok(!told.includes(secret));
  assert.ok(
    log
      .trim()
      .split('\n')
      .every((line) => typeof JSON.parse(line) === 'object'),
  );
});

test('runQuickstart() reuses its state: a session of before is still one after a second start (quick start)', async () => {
  const browser = createBrowser();
  const first = await startQuickstart({ dir, port });
  await logInAtQuickstart(browser, first.address, 'ada@example.com');
  await first.stop();
  // No --port: the folder knows.
  const second = await startQuickstart({ dir, port: null });
  try {
    assert.equal(second.port, port);
    const page = await browser.open(`${second.address}/again`);
    assert.equal(page.status, 200);
    assert.match(page.body, /Hello ada@example\.com/);
  } finally {
    await second.stop();
  }
});

test('runQuickstart() refuses who is not let in, with a page (quick start; 3)', async () => {
  const running = await startQuickstart({ dir, port });
  try {
    const page = await logInAtQuickstart(createBrowser(), running.address, 'someone@elsewhere.test');
    assert.equal(page.status, 403);
    assert.match(page.body, /someone@elsewhere\.test/);
  } finally {
    await running.stop();
  }
});

test('runQuickstart() says which port is taken, by whom, and what to do, and starts nothing (quick start)', async () => {
  const blocker = createServer();
  for (const taken of [port, port + 1, port + 3, port + 202]) {
    blocker.listen(taken, '127.0.0.1');
    await once(blocker, 'listening');
    const { code, errors, output } = await failQuickstart({ dir: join(folder, 'other'), port });
    blocker.close();
    await once(blocker, 'close');
    assert.equal(code, 1);
    assert.match(errors, new RegExp(`port ${taken} is taken`));
    assert.match(errors, /--port/);
    assert.equal(output, '');
  }
  await assert.rejects(stat(join(folder, 'other')), { code: 'ENOENT' });
});

test('runQuickstart() leaves one that runs from the same folder alone (quick start)', async () => {
  const running = await startQuickstart({ dir, port });
  const config = await readFile(join(dir, 'doorward.yaml'), 'utf8');
  try {
    const second = await failQuickstart({ dir, port: await freeQuickstartPort() });
    assert.equal(second.code, 1);
    assert.match(second.errors, /another process uses it/);
    assert.equal(await readFile(join(dir, 'doorward.yaml'), 'utf8'), config);
  } finally {
    await running.stop();
  }
});

test('runQuickstart() moves to another port with the same state (quick start)', async () => {
  const other = await freeQuickstartPort();
  const running = await startQuickstart({ dir, port: other });
  try {
    const page = await logInAtQuickstart(createBrowser(), running.address, 'ada@example.com');
    assert.match(page.body, /Hello ada@example\.com/);
  } finally {
    await running.stop();
  }
});
