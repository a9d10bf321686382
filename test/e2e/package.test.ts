// The published form, installed elsewhere without the network: unpacked into a node_modules folder, beside what package.json
// says it depends on, and nothing else of the repository.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { freeQuickstartPort, startQuickstart } from '../support/quickstart.ts';
import { layOutService } from '../support/service-process.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const elsewhere = mkdtempSync(join(tmpdir(), 'doorward-installed-'));
const installed = join(elsewhere, 'node_modules', 'doorward');
const program = join(installed, 'bin', 'doorward.js');

before(async () => {
  const pack = join(ROOT, 'scripts', 'pack.ts');
  await run(process.execPath, ['--disable-warning=ExperimentalWarning', pack, elsewhere]);
  const [tarball = ''] = globSync('*.tgz', { cwd: elsewhere });
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(elsewhere, tarball), '-C', installed, '--strip-components=1']);
  const { dependencies } = readPackage(installed);
  for (const name of Object.keys(dependencies)) {
    const link = join(elsewhere, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
});
after(() => rmSync(elsewhere, { recursive: true, force: true }));

test('the package holds no TypeScript and no tests, and what it needs to run alone (DESIGN 5)', () => {
  assert.deepEqual(globSync('**/*.{ts,test.js}', { cwd: installed }), []);
  const { devDependencies, bin, engines } = readPackage(installed);
  assert.equal(devDependencies, undefined);
  assert.deepEqual(bin, { doorward: 'bin/doorward.js' });
  assert.deepEqual(engines, readPackage(ROOT).engines);
});

test('the package runs: --version, config check (DESIGN 5)', async (t) => {
  const { stdout, stderr } = await run(process.execPath, [program, '--version']);
  assert.deepEqual({ stdout, stderr }, { stdout: `${readPackage(ROOT).version}\n`, stderr: '' });
  const service = await layOutService({ program });
  t.after(() => service.close());
  const words = [program, 'config', 'check', '--config', join(service.folder, 'doorward.yaml'), '--json'];
  assert.deepEqual(JSON.parse((await run(process.execPath, words)).stdout), { faults: [], warnings: [] });
});

test('the package serves: gateway, control API, workers, until it is told to stop (DESIGN 5)', async (t) => {
  const service = await layOutService({ program, gateway: { workers: 2 } });
  t.after(() => service.close());
  await service.start();
  await service.client.shares.create({ name: 'demo', target: 'http://127.0.0.1:9', oauthProvider: 'corp' });
  const { host } = new URL(service.urlOf('demo'));
  const request = get({ host: '127.0.0.1', port: service.port, headers: { host }, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  assert.equal(answer.statusCode, 302);
  assert.match(String(answer.headers.location), /\/corp\/login\?request=/);
  // The page for certificates comes with its files.
  const page = await (await fetch(`${service.controlUrl}/redeem`)).text();
  const files = [...page.matchAll(/(?:href|src)="(\/redeem\/files\/[^"]+)"/g)].map(([, path = '']) => path);
  assert.ok(files.length > 10);
  // So does the console, as it was built.
  const built = await (await fetch(`${service.controlUrl}/console/`)).text();
  const parts = [...built.matchAll(/(?:href|src)="(\/console\/assets\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  assert.ok(parts.some((path) => path.endsWith('.js')) && parts.some((path) => path.endsWith('.css')));
  for (const path of [...files, ...parts])
    assert.equal((await fetch(`${service.controlUrl}${path}`)).status, 200, path);
  assert.equal(await service.stop(), 0);
});

test('the package brings the quick start: identity provider and sample application (DESIGN 5)', async (t) => {
  const dir = join(elsewhere, 'quickstart');
  const quickstart = await startQuickstart({ dir, port: await freeQuickstartPort(), program });
  t.after(() => quickstart.stop());
  assert.match(quickstart.address, /^http:\/\/hello\.share\.localhost:\d+$/);
});

type PackageFile = {
  readonly version: string;
  readonly bin: unknown;
  readonly engines: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: unknown;
};

function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
}
