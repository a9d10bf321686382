import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, chown, copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createClientAuthority } from '../../../../test/support/client-authority.ts';
import { newId } from '../../../domain/id.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { dropNextKey, type HeldFiles, nextKey, readHeld, replace } from './certificate-files.ts';

const authority = createClientAuthority(newId('acc'));

type Files = HeldFiles & { readonly folder: string; readonly chain: string };

/** A pair with its authority, as `cert request` leaves them. */
async function heldFiles(t: TestContext): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-files-'));
  t.after(() => rm(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  const files = {
    folder,
    certificate: at('x.cert.pem'),
    key: at('x.key.pem'),
    chain: at('x.chain.pem'),
  };
  const leaf = authority.leaf();
  await writeFile(files.certificate, leaf.certificate);
  await writeFile(files.key, leaf.key, { mode: 0o600 });
  await writeFile(files.chain, authority.certificate);
  return files;
}

/** A leaf of its own key, whose key waits beside the one in use. */
async function waitingPair({
  key,
}: HeldFiles): Promise<{ readonly certificate: string; readonly key: string }> {
  const leaf = authority.leaf({ notBefore: Date.now() });
  await writeFile(`${key}.next`, leaf.key, { mode: 0o600 });
  return leaf;
}

async function isPair(certificate: string, key: string): Promise<boolean> {
  const read = new X509Certificate(await readFile(certificate));
  return read.checkPrivateKey(createPrivateKey(await readFile(key)));
}

test('replace() puts a waiting key in place with its own certificate alone', async (t) => {
  const files = await heldFiles(t);
  const before = await readFile(files.certificate, 'utf8');
  const own = await readFile(files.key, 'utf8');
  const waiting = await waitingPair(files);
  // The certificate of the key in use, which a renewal without a new key answers.
  await replace(files, { certificate: before, chain: authority.certificate });
  assert.equal(await readFile(files.key, 'utf8'), own);
  assert.equal(await readFile(`${files.key}.next`, 'utf8'), waiting.key);
  assert.ok(await isPair(files.certificate, files.key));
  await replace(files, { certificate: waiting.certificate, chain: authority.certificate });
  assert.equal(await readFile(files.key, 'utf8'), waiting.key);
  assert.ok(await isPair(files.certificate, files.key));
  assert.deepEqual((await readdir(files.folder)).toSorted(), ['x.cert.pem', 'x.chain.pem', 'x.key.pem']);
});

test('replace() refuses a certificate of another key, and replaces nothing', async (t) => {
  const files = await heldFiles(t);
  const before = await readFile(files.certificate, 'utf8');
  const texts = { certificate: authority.leaf().certificate, chain: authority.certificate };
  for (const given of [texts, { ...texts, certificate: 'nothing' }])
    await assert.rejects(
      replace(files, given),
      (error) =>
        error instanceof ServiceError && error.code === 'internal' && /another key/.test(error.message),
    );
  assert.equal(await readFile(files.certificate, 'utf8'), before);
  assert.equal((await readdir(files.folder)).length, 3);
});

test('replace() keeps modes, owner and group of the files', async (t) => {
  const files = await heldFiles(t);
  await chmod(files.key, 0o640);
  await chmod(files.certificate, 0o604);
  await chmod(files.chain, 0o664);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) for (const file of [files.key, files.certificate, files.chain]) await chown(file, 1234, 4321);
  const standing = async () =>
    Promise.all(
      [files.key, files.certificate, files.chain].map(async (file) => {
        const { mode, uid, gid } = await stat(file);
        return { mode, uid, gid };
      }),
    );
  const before = await standing();
  const waiting = await waitingPair(files);
  await replace(files, { certificate: waiting.certificate, chain: authority.certificate });
  assert.equal(await readFile(files.key, 'utf8'), waiting.key);
  assert.deepEqual(await standing(), before);
});

test('nextKey() answers the key that waits, until it is dropped', async (t) => {
  const files = await heldFiles(t);
  const { pair } = await readHeld(files);
  const first = await nextKey(files, pair);
  assert.ok((await nextKey(files, pair)).equals(first));
  assert.equal((await stat(`${files.key}.next`)).mode & 0o777, 0o600);
  await dropNextKey(files);
  assert.ok(!(await nextKey(files, pair)).equals(first));
});

test('readHeld() does not undo a pair that somebody put in place of one that waited', async (t) => {
  const files = await heldFiles(t);
  const waiting = await waitingPair(files);
  await writeFile(`${files.certificate}.next`, waiting.certificate);
  const newer = authority.leaf({ notBefore: Date.now() + 60_000 });
  await writeFile(files.certificate, newer.certificate);
  await writeFile(files.key, newer.key);
  const held = await readHeld(files);
  assert.equal(held.pair.certificate, newer.certificate);
});

test('a kill at any step of a renewal leaves a pair, and each key that has a certificate', async (t) => {
  const standing = await heldFiles(t);
  const made = authority.leaf({ notBefore: Date.now() });
  let died = 0;
  for (let step = 1; ; step++) {
    const files = await heldFiles(t);
    for (const name of ['certificate', 'key', 'chain'] as const) await copyFile(standing[name], files[name]);
    await writeFile(join(files.folder, 'made.cert'), made.certificate);
    await writeFile(join(files.folder, 'made.key'), made.key, { mode: 0o600 });
    const child = spawnSync(process.execPath, [MORTAL, JSON.stringify({ files, step })], {
      encoding: 'utf8',
    });
    const isOver = child.status === 0;
    assert.ok(isOver || child.signal === 'SIGKILL', child.stderr);
    if (!isOver) died++;
    const names = await readdir(files.folder);
    // As soon as its certificate was made, the key is somewhere by its name.
    if (names.includes('certified'))
      assert.ok(
        (await sameKey(files.key, made.key)) || (await sameKey(`${files.key}.next`, made.key)),
        `step ${step}: the certified key is gone`,
      );
    await readHeld(files);
    assert.ok(await isPair(files.certificate, files.key), `step ${step}: no pair`);
    if (names.includes('x.cert.pem.next'))
      assert.equal(await readFile(files.certificate, 'utf8'), made.certificate, `step ${step}`);
    if (isOver) break;
  }
  assert.ok(died > 10, `${died} steps`);
});

async function sameKey(file: string, key: string): Promise<boolean> {
  try {
    return createPrivateKey(await readFile(file)).equals(createPrivateKey(key));
  } catch {
    return false;
  }
}

const MORTAL = fileURLToPath(new URL('../../../../test/support/mortal-renewal.ts', import.meta.url));
