// A development server that checks its Host, behind a share at a host that it does not know: Vite's own
// (`--host-header`), with its WebSocket for updates of modules.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createServer } from 'vite';
import { WebSocket } from 'ws';
import { freePort } from '../support/free-port.ts';
import { startTestGate, testShare } from '../support/gate.ts';

/** Not below `.localhost`, which Vite takes at any time. */
const HOST = 'app.example.com';

async function gateBeforeVite(t: TestContext, hostHeader: string | null) {
  const root = await mkdtemp(join(tmpdir(), 'doorward-vite-'));
  await writeFile(
    join(root, 'index.html'),
    '<!doctype html><title>dev</title><script type="module" src="/main.js"></script>',
  );
  await writeFile(join(root, 'main.js'), 'export const version = 1;\nimport.meta.hot?.accept();\n');
  const port = await freePort();
  const vite = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    // There is nothing to look for, and its cache would be written behind the test's end.
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { host: '127.0.0.1', port, strictPort: true },
  });
  await vite.listen();
  t.after(async () => {
    await vite.close();
    // What it was still writing when it closed may come behind.
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  });
  const share = testShare('demo', `http://127.0.0.1:${port}`, { hosts: [HOST], hostHeader });
  const gate = await startTestGate({ shares: [share] });
  t.after(gate.close);
  return { gate, root };
}

function updatesOf(t: TestContext, port: number, token: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?token=${token}`, 'vite-hmr', {
    headers: { host: HOST, origin: `http://${HOST}` },
  });
  t.after(() => socket.terminate());
  const heard: { readonly type: string }[] = [];
  socket.on('message', (text: Buffer) => heard.push(JSON.parse(text.toString()) as { type: string }));
  return { socket, heard };
}

test('Vite refuses the share’s host without --host-header', async (t) => {
  const { gate } = await gateBeforeVite(t, null);
  const { status, body } = await gate.call({ host: HOST });
  assert.equal(status, 403);
  assert.match(body, /Blocked request.*app\.example\.com/s);
});

for (const hostHeader of ['target', 'localhost'])
  test(`Vite answers with --host-header ${hostHeader}, its updates by WebSocket included`, async (t) => {
    const { gate, root } = await gateBeforeVite(t, hostHeader);
    const page = await gate.call({ host: HOST });
    assert.equal(page.status, 200);
    assert.match(page.body, /<title>dev<\/title>/);
    assert.equal((await gate.call({ host: HOST, path: '/main.js' })).status, 200);
    const client = await gate.call({ host: HOST, path: '/@vite/client' });
    const token = /wsToken = "([^"]+)"/.exec(client.body)?.[1];
    assert.ok(token !== undefined, 'the token for the WebSocket');
    const { socket, heard } = updatesOf(t, gate.port, token);
    await once(socket, 'message');
    assert.equal(heard[0]?.type, 'connected');
    const update = once(socket, 'message');
    await writeFile(join(root, 'main.js'), 'export const version = 2;\nimport.meta.hot?.accept();\n');
    await update;
    assert.equal(heard[1]?.type, 'update');
  });
