// A SQLite store when its process dies at any line and when its disk is full: nothing acknowledged is lost,
// nothing is half.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { addShare, openTestStore } from '../../test/support/store.ts';
import type { Failed } from './suite/crash-writer.test-support.ts';
import {
  type Left,
  checkAcknowledged,
  killRounds,
  linesOf,
  writerArguments,
} from './suite/crash.test-support.ts';

test('the store loses no acknowledged write when its process is killed, and opens again', async () => {
  await using first = await openTestStore();
  await killRounds(await leave(first), KILLS);
});

test('the store throws store_unavailable when its disk is full, keeps what it acknowledged, can still be read', async () => {
  await using first = await openTestStore();
  const left = await leave(first);
  // A limit on file sizes stands for a full disk: the write fails in the middle of the log.
  const limited = `trap '' XFSZ; ulimit -f ${FILE_BLOCKS}; exec "$0" "$@"`;
  const writer = spawn('bash', ['-c', limited, process.execPath, ...writerArguments(left)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = await linesOf(writer);
  const last = JSON.parse(lines.pop() ?? '{}') as Failed;
  assert.deepEqual(last, { fault: 'store_unavailable', readable: true });
  await checkAcknowledged(left, lines);
});

async function leave(store: Awaited<ReturnType<typeof openTestStore>>): Promise<Left> {
  const share = await addShare(store);
  await store.close();
  return { engine: { kind: 'sqlite', file: store.sqliteFile }, masterKey: store.masterKey, share };
}

const KILLS = 5;
/** 1 KiB each: room for the tables and some hundred writes. */
const FILE_BLOCKS = 600;
