// The store when its process dies at any line and when its disk is full: nothing acknowledged is lost, nothing is half.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type TestStore, addShare, openTestStore } from '../../test/support/store.ts';
import { openStore } from './open.ts';
import type { ShareRow, Store } from './store.ts';
import type { Acknowledged, Failed } from './suite/crash-writer.test-support.ts';

test('the store loses no acknowledged write when its process is killed, and opens again', async () => {
  await using first = await openTestStore();
  const share = await addShare(first);
  await first.close();
  for (let round = 0; round < KILLS; round++) {
    const writer = spawn(process.execPath, writerArguments(first, share), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = await killAfter(writer, 2 + round * 9);
    await checkAcknowledged(first, share, lines);
  }
});

test('the store throws store_unavailable when its disk is full, keeps what it acknowledged, can still be read', async () => {
  await using first = await openTestStore();
  const share = await addShare(first);
  await first.close();
  // A limit on file sizes stands for a full disk: the write fails in the middle of the log.
  const limited = `trap '' XFSZ; ulimit -f ${FILE_BLOCKS}; exec "$0" "$@"`;
  const writer = spawn('bash', ['-c', limited, process.execPath, ...writerArguments(first, share)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = await linesOf(writer);
  const last = JSON.parse(lines.pop() ?? '{}') as Failed;
  assert.deepEqual(last, { fault: 'store_unavailable', readable: true });
  await checkAcknowledged(first, share, lines);
});

function writerArguments({ sqliteFile, masterKey }: TestStore, share: ShareRow): readonly string[] {
  return [WRITER, sqliteFile, masterKey.reveal(), share.accountId, share.id, share.name];
}

/** Kills once `count` lines came; answers all whole lines that did. */
async function killAfter(writer: ChildProcess, count: number): Promise<string[]> {
  let seen = 0;
  const lines = await linesOf(writer, () => {
    if (++seen === count) writer.kill('SIGKILL');
  });
  assert.equal(writer.signalCode, 'SIGKILL');
  assert.ok(lines.length >= count);
  return lines;
}

async function linesOf(writer: ChildProcess, heard: () => void = () => {}): Promise<string[]> {
  if (writer.stdout === null) throw new Error('the writer has a pipe');
  const closed = once(writer, 'close');
  const lines: string[] = [];
  for await (const line of createInterface(writer.stdout)) {
    lines.push(line);
    heard();
  }
  await closed;
  // The last line of a killed process may be cut short: then it acknowledges nothing.
  return lines.filter((line) => line.endsWith('}'));
}

async function checkAcknowledged(
  { sqliteFile, masterKey }: TestStore,
  share: ShareRow,
  lines: readonly string[],
): Promise<void> {
  const store = await openStore({ sqliteFile, masterKey, now: Date.now, exclusive: true });
  try {
    const acknowledged = lines.map((line) => JSON.parse(line) as Acknowledged);
    for (const { attempt, session } of acknowledged) {
      assert.equal(await store.attempts.claim(attempt, 0), false, 'the attempt is used up');
      assert.notEqual(await store.sessions.find(session), null, 'the session is there');
    }
    await checkLast(store, share, acknowledged);
  } finally {
    await store.close();
  }
}

async function checkLast(
  store: Store,
  share: ShareRow,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const last = acknowledged.at(-1);
  assert.ok(last !== undefined);
  const row = await store.shares.findById(share.id);
  assert.ok(row !== null && row.version >= last.version);
  assert.ok((await store.changes.latest()) >= last.latest);
  const { upTo, changes } = await store.changes.since(0);
  assert.equal(changes.length, upTo, 'each number has its change');
  assert.equal((await store.sessions.ofBrowser('browser-1', 'corp')).length, 1, 'no transaction is half');
}

const WRITER = fileURLToPath(new URL('suite/crash-writer.test-support.ts', import.meta.url));
const KILLS = 5;
/** 1 KiB each: room for the tables and some hundred writes. */
const FILE_BLOCKS = 600;
