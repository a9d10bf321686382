// kill -9 at random moments while a store is written to: nothing acknowledged is lost, nothing is half.

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  checkAcknowledged,
  linesOf,
  writerArguments,
  type Left,
} from '../../src/store/suite/crash.test-support.ts';
import type { StoreEngine } from '../../src/store/open.ts';
import { openPostgresTestStore, startOwnPostgres } from '../support/postgres.ts';
import { addShare, openTestStore } from '../support/store.ts';

export type Crashed = { readonly kills: number; readonly acknowledged: number };

/** So many kills on each engine. */
export async function crashStore(kills: number): Promise<Readonly<Record<StoreEngine['kind'], Crashed>>> {
  return { sqlite: await crashSqlite(kills), postgres: await crashPostgres(kills) };
}

async function crashSqlite(kills: number): Promise<Crashed> {
  await using store = await openTestStore();
  const { sqliteFile, masterKey } = store;
  const share = await addShare(store);
  await store.close();
  return await crash({ engine: { kind: 'sqlite', file: sqliteFile }, masterKey, share }, kills);
}

async function crashPostgres(kills: number): Promise<Crashed> {
  await using server = await startOwnPostgres({ durable: true });
  const store = await openPostgresTestStore(server);
  const { url, masterKey } = store;
  const share = await addShare(store);
  await store.close();
  return await crash({ engine: { kind: 'postgres', url }, masterKey, share }, kills);
}

async function crash(left: Left, kills: number): Promise<Crashed> {
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
