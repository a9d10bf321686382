// kill -9 at random moments while a store is written to: nothing acknowledged is lost, nothing is half.

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  checkAcknowledged,
  linesOf,
  writerArguments,
  type Left,
} from '../../src/store/suite/crash.test-support.ts';
import { addShare, openTestStore } from '../support/store.ts';

export type Crashed = { readonly kills: number; readonly acknowledged: number };

export async function crashStore(kills: number): Promise<Crashed> {
  await using store = await openTestStore();
  const share = await addShare(store);
  await store.close();
  const left: Left = {
    engine: { kind: 'sqlite', file: store.sqliteFile },
    masterKey: store.masterKey,
    share,
  };
  let acknowledged = 0;
  for (let kill = 0; kill < kills; kill++) {
    const lines = await writeUntilKilled(left);
    await checkAcknowledged(left, lines);
    acknowledged += lines.length;
  }
  return { kills, acknowledged };
}

async function writeUntilKilled(left: Left): Promise<string[]> {
  const writer = spawn(process.execPath, writerArguments(left), { stdio: ['ignore', 'pipe', 'inherit'] });
  let armed = false;
  const lines = await linesOf(writer, () => {
    if (!armed) setTimeout(() => writer.kill('SIGKILL'), randomInt(MOMENT_MS));
    armed = true;
  });
  if (writer.signalCode !== 'SIGKILL') throw new Error(`The writer ended by itself: ${writer.exitCode}`);
  return lines;
}

/** Some dozens of transactions: each of their lines is met in a hundred kills. */
const MOMENT_MS = 250;
