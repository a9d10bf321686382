import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { codeCacheFolder, useCodeCache } from './code-cache.js';

test('codeCacheFolder() makes a folder for its owner alone, below the one for caches', (t) => {
  const home = folder(t);
  const made = codeCacheFolder({ HOME: home });
  assert.equal(made, join(home, '.cache', 'doorward'));
  assert.equal(statSync(made).mode & 0o777, 0o700);
  assert.equal(codeCacheFolder({ HOME: home, XDG_CACHE_HOME: join(home, 'x') }), join(home, 'x', 'doorward'));
  const given = `${join(home, 'given')}:${join(home, 'second')}`;
  assert.equal(codeCacheFolder({ HOME: home, CACHE_DIRECTORY: given }), join(home, 'given'));
});

test('codeCacheFolder() takes no folder that others can write to, put in place or own', (t) => {
  const home = folder(t);
  const cache = join(home, 'cache');
  const own = join(cache, 'doorward');
  const asked = () => codeCacheFolder({ XDG_CACHE_HOME: cache });
  mkdirSync(own, { recursive: true });
  assert.equal(asked(), own);
  chmodSync(own, 0o770);
  assert.equal(asked(), null);
  chmodSync(own, 0o702);
  assert.equal(asked(), null);
  chmodSync(own, 0o700);
  chmodSync(cache, 0o777);
  assert.equal(asked(), null);
  chmodSync(cache, 0o755);
  assert.equal(asked(), own);
  rmSync(own, { recursive: true });
  symlinkSync(home, own);
  assert.equal(asked(), null);
  t.mock.method(process as { getuid: () => number }, 'getuid', () => 12_345);
  rmSync(own);
  assert.equal(asked(), null);
});

test('codeCacheFolder() goes without a folder where it can make none', (t) => {
  const home = folder(t);
  assert.equal(codeCacheFolder({}), null);
  assert.equal(codeCacheFolder({ HOME: 'relative', XDG_CACHE_HOME: 'too' }), null);
  assert.equal(codeCacheFolder({ HOME: '/proc' }), null);
  assert.equal(codeCacheFolder({ HOME: join(home, 'missing') }), null);
  assert.equal(existsSync(join(home, 'missing')), false);
});

test('useCodeCache() leaves a cache that Node was told of alone', (t) => {
  const environment = { NODE_COMPILE_CACHE: '/elsewhere', HOME: folder(t) };
  useCodeCache(environment);
  assert.equal(environment.NODE_COMPILE_CACHE, '/elsewhere');
  assert.deepEqual(readdirSync(environment.HOME), []);
});

test('doorward keeps its compiled code, and runs where it cannot', (t) => {
  const home = folder(t);
  const kept = version({ HOME: home });
  assert.match(kept.stdout, /^\d+\.\d+\.\d+\n$/);
  assert.notDeepEqual(readdirSync(join(home, '.cache', 'doorward')), []);
  for (const env of [{}, { HOME: '/proc' }]) {
    const { stdout, stderr, status } = version(env);
    assert.deepEqual({ stdout, stderr, status }, { stdout: kept.stdout, stderr: '', status: 0 });
  }
});

function version(env: Readonly<Record<string, string>>) {
  return spawnSync(process.execPath, [PROGRAM, '--version'], { env, encoding: 'utf8', timeout: TIMEOUT_MS });
}

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'doorward-cache-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const TIMEOUT_MS = 60_000;
const PROGRAM = join(import.meta.dirname, '../../bin/doorward.js');
