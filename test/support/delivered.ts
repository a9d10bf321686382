// What every form in which the program is delivered does: it says its version, reads a configuration, serves
// with workers, the console and the pages that have files, and brings the quick start, up to a login.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import packageFile from '../../package.json' with { type: 'json' };
import { listenPort } from './listen-port.ts';
import { programCall } from './program-call.ts';
import { createBrowser } from './browser-by-hand.ts';
import { freeQuickstartPort, logInAtQuickstart, startQuickstart } from './quickstart.ts';
import { layOutService } from './service-process.ts';

const run = promisify(execFile);

export type DeliveredOptions = {
  /** As tests are named after it: `the package`. */
  readonly form: string;
  /** A folder that the form alone is in. */
  readonly elsewhere: string;
  /** What is called. */
  readonly program: string;
};

export function testDelivered({ form, elsewhere, program }: DeliveredOptions): void {
  const { command, words } = programCall(program);

  test(`${form} runs: --version, config check (DESIGN 5)`, async (t) => {
    const { stdout, stderr } = await run(command, [...words, '--version']);
    assert.deepEqual({ stdout, stderr }, { stdout: `${packageFile.version}\n`, stderr: '' });
    const service = await layOutService({ program });
    t.after(() => service.close());
    const check = [...words, 'config', 'check', '--config', join(service.folder, 'doorward.yaml'), '--json'];
    assert.deepEqual(JSON.parse((await run(command, check)).stdout), { faults: [], warnings: [] });
  });

  test(`${form} serves: gateway, control API, workers, until it is told to stop (DESIGN 5)`, async (t) => {
    const service = await layOutService({
      program,
      gateway: { workers: 2 },
      metricsPort: await listenPort(),
    });
    t.after(() => service.close());
    await service.start();
    await service.client.shares.create({
      name: 'demo',
      target: 'http://127.0.0.1:9',
      oauthProvider: 'corp',
    });
    const { host } = new URL(service.urlOf('demo'));
    const request = get({ host: '127.0.0.1', port: service.port, headers: { host }, agent: false });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.resume();
    assert.equal(answer.statusCode, 302);
    assert.match(String(answer.headers.location), /\/corp\/login\?request=/);
    const script = get({
      host: '127.0.0.1',
      port: service.port,
      path: '/.svc/session.js',
      headers: { host },
      agent: false,
    });
    const [ofWorker] = (await once(script, 'response')) as [IncomingMessage];
    ofWorker.resume();
    assert.equal(ofWorker.statusCode, 200, 'a thread reads its files, too');
    // Half of them ask for names: those of one account leave room for others' (THREATS "Exhaustion").
    const threads = readdirSync(`/proc/${service.pid()}/task`).map((thread) =>
      readFileSync(`/proc/${service.pid()}/task/${thread}/comm`, 'utf8').trim(),
    );
    assert.ok(threads.filter((name) => name === 'libuv-worker').length >= 32, threads.join(' '));
    // The page for certificates comes with its files.
    const page = await (await fetch(`${service.controlUrl}/redeem`)).text();
    const files = pathsIn(page, /(?:href|src)="(\/redeem\/files\/[^"]+)"/g);
    assert.ok(files.length > 10);
    // So does the console, as it was built.
    const built = await (await fetch(`${service.controlUrl}/console/`)).text();
    const parts = pathsIn(built, /(?:href|src)="(\/console\/assets\/[^"]+)"/g);
    assert.ok(parts.some((path) => path.endsWith('.js')) && parts.some((path) => path.endsWith('.css')));
    for (const path of [...files, ...parts])
      assert.equal((await fetch(`${service.controlUrl}${path}`)).status, 200, path);
    const health = [...words, 'health', '--config', join(service.folder, 'doorward.yaml')];
    assert.deepEqual(JSON.parse((await run(command, health)).stdout).ready, true);
    assert.equal(await service.stop(), 0);
    await assert.rejects(run(command, health), { code: 1 });
  });

  test(`${form} brings the quick start: a login at its provider leads to the sample application (5.1; DESIGN 5)`, async (t) => {
    const dir = mkdtempSync(join(elsewhere, 'quickstart-'));
    const quickstart = await startQuickstart({ dir, port: await freeQuickstartPort(), program });
    t.after(() => quickstart.stop());
    assert.match(quickstart.address, /^http:\/\/hello\.share\.localhost:\d+$/);
    const page = await logInAtQuickstart(createBrowser(), quickstart.address, 'ada@example.com');
    assert.match(page.body, /Hello ada@example\.com/);
    assert.equal(quickstart.errors(), '');
  });
}

function pathsIn(page: string, pattern: RegExp): readonly string[] {
  return [...page.matchAll(pattern)].map(([, path = '']) => path);
}
