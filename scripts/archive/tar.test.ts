import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { type Entry, tar, withFolders } from './tar.ts';

const deep = `${'a-folder/'.repeat(12)}a-file-of-${'x'.repeat(60)}`;
const entries: readonly Entry[] = [
  { kind: 'link', path: 'usr/bin/dw', mode: 0o777, target: 'doorward' },
  { kind: 'file', path: 'usr/bin/doorward', mode: 0o755, content: Buffer.from('program\n') },
  { kind: 'file', path: deep, mode: 0o600, owner: 65532, content: Buffer.alloc(1000, 'y') },
];

test('tar() writes what tar reads: files, links, folders, long paths, owners', () => {
  const { stdout, status } = spawnSync('tar', ['-tvf', '-', '--numeric-owner', '--utc', '--full-time'], {
    input: tar(withFolders(entries)),
    encoding: 'utf8',
  });
  assert.equal(status, 0);
  const lines = stdout.trim().split('\n');
  assert.equal(lines.length, 12 + 2 + 3);
  const long = lines.find((line) => line.endsWith(deep));
  assert.match(String(long), /^-rw------- 65532\/65532 +1000 1970-01-01 00:00:00 /);
  assert.ok(lines.some((line) => /^drwxr-xr-x 0\/0 +0 \S+ \S+ usr\/bin\/$/.test(line)));
  assert.ok(lines.some((line) => /^lrwxrwxrwx 0\/0 +0 \S+ \S+ usr\/bin\/dw -> doorward$/.test(line)));
});

test('tar() is the same for the same entries in any order', () => {
  assert.deepEqual(tar(entries.toReversed()), tar(entries));
  assert.equal(tar(entries).length % 512, 0);
});

test('tar() refuses a path that it has no room for', () => {
  const path = 'x'.repeat(101);
  assert.throws(() => tar([{ kind: 'file', path, mode: 0o644, content: Buffer.alloc(0) }]), /too long/);
});
