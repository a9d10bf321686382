import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  allOf,
  masterKeyBytes,
  masterKeysText,
  moreMasterKeys,
  newMasterKeyText,
  parseMasterKey,
  parseMasterKeys,
  readMasterKey,
  readMasterKeys,
  isOpenToOthers,
} from './master-key.ts';

test('parseMasterKey() reads what newMasterKeyText() makes, and each time another', () => {
  const [first, second] = [parseMasterKey(newMasterKeyText()), parseMasterKey(newMasterKeyText())];
  if (first === null || second === null) throw new Error('two keys were to be had');
  assert.equal(masterKeyBytes(first).length, 32);
  assert.notDeepEqual(masterKeyBytes(first), masterKeyBytes(second));
});

test('parseMasterKey() reads one key as base64url or hex', () => {
  const bytes = Buffer.alloc(32, 0xab);
  for (const text of [
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ]) {
    const key = parseMasterKey(` ${text}\n`);
    assert.deepEqual(key && masterKeyBytes(key), bytes);
  }
});

test('parseMasterKey() refuses what is no 32 bytes', () => {
  const bytes = Buffer.alloc(32, 0xab);
  const refused = [
    '',
    'secret',
    bytes.subarray(1).toString('hex'),
    `${bytes.toString('hex')}00`,
    bytes.subarray(1).toString('base64url'),
    bytes.toString('base64'),
    `${bytes.toString('base64url').slice(0, -1)}t`,
    `${bytes.toString('base64url').slice(0, 20)} ${bytes.toString('base64url').slice(20)}`,
    'é'.repeat(43),
  ];
  for (const text of refused) assert.equal(parseMasterKey(text), null, text);
});

test('readMasterKey() reads a file that only its owner can', async (t) => {
  const file = await keyFile(t, newMasterKeyText());
  assert.equal(masterKeyBytes(await readMasterKey(file)).length, 32);
});

test('readMasterKey() refuses a file that others may read or write, with the way out', async (t) => {
  const file = await keyFile(t, newMasterKeyText());
  for (const mode of [0o640, 0o604, 0o620, 0o644]) {
    await chmod(file, mode);
    await assert.rejects(readMasterKey(file), { code: 'config_invalid', hint: `Run chmod 600 ${file}.` });
  }
});

test('readMasterKey() refuses a missing file, a folder, a long file and other texts without showing them', async (t) => {
  const file = await keyFile(t, 'password123');
  const long = await keyFile(t, 'x'.repeat(100_000));
  const folder = join(file, '..');
  for (const path of [file, long, folder, `${file}.none`])
    await assert.rejects(readMasterKey(path), (error: Error & { code: string }) => {
      assert.equal(error.code, 'config_invalid');
      assert.doesNotMatch(error.message, /password123/);
      return true;
    });
});

test('parseMasterKeys() reads the key, the next one and previous ones, and masterKeysText() writes them', () => {
  const [key, next, ...previous] = [1, 2, 3, 4].map((byte) => Buffer.alloc(32, byte).toString('base64url'));
  const text = `${key}\nnext ${next}\nprevious ${previous[0]}\nprevious ${previous[1]}\n`;
  const keys = parseMasterKeys(text);
  assert.ok(keys !== null);
  assert.deepEqual(
    allOf(keys).map((one) => one.reveal()),
    [key, next, ...previous],
  );
  assert.equal(masterKeysText(keys), text);
  assert.equal(parseMasterKeys(`${key}\n`)?.next, null);
});

test('parseMasterKeys() refuses a line that names no key, and a second next', () => {
  const [key, next] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64url'));
  const refused = [
    `next ${key}`,
    `${key}\n${next}`,
    `${key}\nlater ${next}`,
    `${key}\nnext`,
    `${key}\nprevious x`,
  ];
  for (const text of [...refused, `${key}\nnext ${next}\nnext ${next}`])
    assert.equal(parseMasterKeys(text), null, text);
});

test('moreMasterKeys() answers what the file names whenever it is asked, and nothing of one open to others', async (t) => {
  const file = await keyFile(t, newMasterKeyText());
  const more = moreMasterKeys(file);
  assert.equal(more().length, 1);
  const keys = await readMasterKeys(file);
  await writeFile(file, masterKeysText({ ...keys, previous: [keys.key] }));
  assert.equal(more().length, 2);
  await chmod(file, 0o640);
  assert.deepEqual(more(), []);
  await rm(file);
  assert.deepEqual(more(), []);
});

async function keyFile(t: { after(end: () => Promise<void>): void }, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-key-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'master.key');
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

test('isOpenToOthers() lets the own group read a file of root, as secrets are mounted, and nothing more', () => {
  const own = { uid: 65_532, gid: 65_532 };
  const open = (mode: number, uid: number, gid: number) => isOpenToOthers({ mode, uid, gid }, own);
  assert.equal(open(0o100440, 0, 65_532), false);
  assert.equal(open(0o100640, 0, 65_532), false);
  for (const mode of [0o100460, 0o100450, 0o100444, 0o100442])
    assert.equal(open(mode, 0, 65_532), true, mode.toString(8));
  assert.equal(open(0o100440, 0, 0), true, 'another group');
  assert.equal(open(0o100440, 65_532, 65_532), true, 'a file of its own');
  assert.equal(isOpenToOthers({ mode: 0o100440, uid: 0, gid: 0 }, { uid: 0, gid: 0 }), true, 'root itself');
});
