// What every engine must keep when the process that writes to it dies at any line.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Secret } from '../../domain/secret.ts';
import { type StoreEngine, openStore } from '../open.ts';
import type { Store } from '../store.ts';
import type { ShareRow } from '../shares/share.ts';
import type { Acknowledged } from './crash-writer.test-support.ts';

/** A store that no process has open, and a share in it. */
export type Left = { readonly engine: StoreEngine; readonly masterKey: Secret; readonly share: ShareRow };

/** Starts a writer, kills it after more and more lines, checks what it left; as often as `kills` says. */
export async function killRounds(left: Left, kills: number): Promise<void> {
  for (let round = 0; round < kills; round++) {
    await checkAcknowledged(left, await killAfter(startWriter(left), 2 + round * 9));
  }
}

export function startWriter(left: Left): ChildProcess {
  return spawn(process.execPath, writerArguments(left), { stdio: ['ignore', 'pipe', 'inherit'] });
}

export function writerArguments({ engine, masterKey, share }: Left): readonly string[] {
  const place = engine.kind === 'sqlite' ? engine.file : engine.url.reveal();
  return [WRITER, engine.kind, place, masterKey.reveal(), share.accountId, share.id, share.name];
}

/** The whole lines that it prints until it ends. */
export async function linesOf(writer: ChildProcess, heard: () => void = () => {}): Promise<string[]> {
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

export async function checkAcknowledged(
  { engine, masterKey, share }: Left,
  lines: readonly string[],
): Promise<void> {
  const store = await openStore({ engine, masterKey, now: Date.now, exclusive: true });
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

const WRITER = fileURLToPath(new URL('crash-writer.test-support.ts', import.meta.url));
