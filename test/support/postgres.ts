// A real PostgreSQL server for a test file: its own port and folder, gone when disposed of. Works as root too.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { Secret, randomToken } from '../../src/domain/secret.ts';
import { freePort } from './free-port.ts';
import type { Order } from './postgres-server.ts';

export type TestPostgres = AsyncDisposable & {
  /** Makes an empty database; its address. */
  database(): Promise<Secret>;
  /** Runs statements on a connection of their own, past the store. */
  query<Row extends object>(url: Secret, sql: string): Promise<readonly Row[]>;
  /** Stops the server as an operator does: transactions that run are broken off. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Kills the server without a warning, as a power cut would. `start` brings it back. */
  crash(): Promise<void>;
};

export async function startPostgres(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-postgres-'));
  const port = await freePort();
  const password = randomToken();
  const host = fork(SERVER, [folder, String(port), password], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const urlOf = (database: string): Secret =>
    new Secret(`postgres://doorward:${password}@127.0.0.1:${port}/${database}`);
  await give(host, 'start');
  return {
    database: async () => {
      const name = `test_${randomToken().replaceAll('-', '_')}`;
      await query(urlOf('postgres'), `CREATE DATABASE "${name}"`);
      return urlOf(name);
    },
    query,
    stop: () => give(host, 'stop'),
    start: () => give(host, 'start'),
    crash: async () => {
      const [pid] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
      // SIGQUIT: all its processes end at once, without a checkpoint, and none is left to hold the folder.
      process.kill(Number(pid), 'SIGQUIT');
      await give(host, 'stop');
    },
    [Symbol.asyncDispose]: async () => {
      const exited = once(host, 'exit');
      host.disconnect();
      await exited;
    },
  };
}

async function query<Row extends object>(url: Secret, sql: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url.reveal() });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function give(host: ChildProcess, order: Order): Promise<void> {
  host.send(order);
  const [answer] = await once(host, 'message', { signal: AbortSignal.timeout(ORDER_LIMIT_MS) });
  if (answer !== 'done') throw new Error(`Cannot ${order} PostgreSQL: ${String(answer)}`);
}

const SERVER = fileURLToPath(new URL('postgres-server.ts', import.meta.url));
/** A start writes a new cluster, on a busy machine. */
const ORDER_LIMIT_MS = 60_000;
