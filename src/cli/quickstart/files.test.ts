import { afterEach, beforeEach, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { newApiKey } from '../../domain/api-key.ts';
import { readMasterKey } from '../../store/sealing/master-key.ts';
import {
  applyPorts,
  keepKey,
  keptPort,
  prepareFiles,
  type QuickstartFiles,
  quickstartFiles,
  readKeptKey,
} from './files.ts';
import { portsFrom } from './ports.ts';

let parent: string;
let files: QuickstartFiles;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quickstart-'));
  files = quickstartFiles(join(parent, 'state'));
});

afterEach(() => rm(parent, { recursive: true }));

test('prepareFiles() writes a configuration without faults, with fresh keys (2.1, quick start)', async () => {
  await prepareFiles(files, portsFrom(8080));
  const config = await loadConfig(files.config);
  assert.deepEqual(config.gateway.bindAddress, { host: '127.0.0.1', port: 8080 });
  assert.equal(config.oauth.endpointUrl.origin, 'http://login.share.localhost:8080');
  assert.deepEqual(config.control.bindAddress, { host: '127.0.0.1', port: 8282 });
  assert.equal(config.oauth.providers[0]?.issuer, 'http://127.0.0.1:8083');
  assert.equal(config.oauth.providers[0].requireVerifiedEmail, true);
  assert.equal(config.oauth.cookieName, 'svc-auth-session');
  await readMasterKey(config.store.masterKeyFile);
  const other = quickstartFiles(join(parent, 'other'));
  await prepareFiles(other, portsFrom(8080));
  const secrets = [await applyPorts(files, portsFrom(8080)), await applyPorts(other, portsFrom(8080))];
  assert.notEqual(secrets[0], secrets[1]);
});

test('prepareFiles() makes files that nobody else may read (quick start)', async () => {
  await prepareFiles(files, portsFrom(8080));
  await keepKey(files, newApiKey());
  assert.equal((await stat(files.folder)).mode & 0o777, 0o700);
  for (const name of await readdir(files.folder))
    assert.equal((await stat(join(files.folder, name))).mode & 0o777, 0o600, name);
});

test('prepareFiles() changes nothing on a second start (quick start)', async () => {
  await prepareFiles(files, portsFrom(8080));
  const before = await contents();
  await prepareFiles(files, portsFrom(8080));
  await applyPorts(files, portsFrom(8080));
  assert.deepEqual(await contents(), before);
  assert.equal(await keptPort(files), 8080);
});

test('applyPorts() moves the addresses to another port, and keeps what its owner wrote (quick start)', async () => {
  await prepareFiles(files, portsFrom(8080));
  const text = await readFile(files.config, 'utf8');
  await writeFile(files.config, text.replace('session_lifetime: 12h', '# mine\n  session_lifetime: 1h'));
  await applyPorts(files, portsFrom(9090));
  const moved = await readFile(files.config, 'utf8');
  assert.match(moved, /# mine/);
  assert.doesNotMatch(moved, /:80\d\d|8282/);
  const config = await loadConfig(files.config);
  assert.equal(config.oauth.sessionLifetimeMs, 60 * 60 * 1000);
  assert.equal(config.gateway.publicUrl.port, 9090);
  assert.equal(config.oauth.providers[0]?.issuer, 'http://127.0.0.1:9093');
  assert.equal(await keptPort(files), 9090);
});

test('applyPorts() refuses a configuration that it cannot use, and leaves it as it is (quick start)', async () => {
  await prepareFiles(files, portsFrom(8080));
  for (const text of ['a: [', 'just words', 'oauth: {providers: []}', '']) {
    await writeFile(files.config, text);
    await assert.rejects(applyPorts(files, portsFrom(8080)), { code: 'config_invalid' }, text);
    assert.equal(await readFile(files.config, 'utf8'), text);
  }
});

test('readKeptKey() answers the kept key, and null for none or for what is no key (quick start)', async () => {
  await prepareFiles(files, portsFrom(8080));
  assert.equal(await readKeptKey(files), null);
  const key = newApiKey();
  await keepKey(files, key);
  assert.equal((await readKeptKey(files))?.reveal(), key.reveal());
  await writeFile(files.apiKey, 'dw_short');
  assert.equal(await readKeptKey(files), null);
});

async function contents(): Promise<readonly (readonly [string, string])[]> {
  const names = (await readdir(files.folder)).toSorted();
  return Promise.all(
    names.map(async (name) => [name, await readFile(join(files.folder, name), 'utf8')] as const),
  );
}
