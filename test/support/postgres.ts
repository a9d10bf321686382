// A real PostgreSQL server for a test file: its own port and folder, gone when disposed of. Works as root too.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { Secret, randomToken } from '../../src/domain/secret.ts';
import { newMasterKeyText, parseMasterKey } from '../../src/store/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { freePort } from './free-port.ts';
import { OPERATOR, type Order } from './postgres-server.ts';

export type TestPostgres = AsyncDisposable & {
  /** A user of its own, who is no superuser, and whose tables nobody else has: as good as a database, but made at once. */
  place(): Promise<Secret>;
  /** The superuser's address. */
  readonly operator: Secret;
  /** Runs statements on a connection of their own, past the store. */
  query<Row extends object>(url: Secret, sql: string): Promise<readonly Row[]>;
  /** From now on the server takes TLS too, with this certificate and key (PEM). */
  useTls(certificate: string, key: string): Promise<void>;
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
  const urlOf = (user: string): Secret =>
    new Secret(`postgres://${user}:${password}@127.0.0.1:${port}/postgres`);
  await give(host, 'start');
  return {
    place: async () => {
      const user = `user_${randomToken()}`;
      // A schema of the user's name comes first in its search path.
      await query(
        urlOf(OPERATOR),
        `CREATE ROLE "${user}" LOGIN PASSWORD '${password}'; CREATE SCHEMA AUTHORIZATION "${user}"`,
      );
      return urlOf(user);
    },
    operator: urlOf(OPERATOR),
    query,
    useTls: async (certificate, key) => {
      // The server writes the files itself, so that they are its own, which it insists on.
      for (const [name, text] of Object.entries({ 'server.crt': certificate, 'server.key': key }))
        await query(
          urlOf(OPERATOR),
          `COPY (SELECT unnest(string_to_array('${text}', E'\\n'))) TO PROGRAM 'umask 077; cat > ${name}'`,
        );
      await query(urlOf(OPERATOR), 'ALTER SYSTEM SET ssl = on');
      await query(urlOf(OPERATOR), 'SELECT pg_reload_conf()');
      const on = `SELECT WHERE current_setting('ssl') = 'on'`;
      while ((await query(urlOf(OPERATOR), on)).length === 0);
    },
    stop: () => give(host, 'stop'),
    start: () => give(host, 'start'),
    crash: () => give(host, 'crash'),
    [Symbol.asyncDispose]: async () => {
      const exited = once(host, 'exit');
      host.disconnect();
      await exited;
    },
  };
}

export type PostgresTestStore = Store &
  AsyncDisposable & { readonly url: Secret; readonly masterKey: Secret };

/** An empty store on the server, opened as `serve` does. `openStore` opens others beside it, by its `url`. */
export async function openPostgresTestStore(server: TestPostgres): Promise<PostgresTestStore> {
  const url = await server.place();
  const masterKey = parseMasterKey(newMasterKeyText()) ?? new Secret('');
  const engine = { kind: 'postgres', url } as const;
  const store = await openStore({ engine, masterKey, now: Date.now, exclusive: true });
  return { ...store, url, masterKey, [Symbol.asyncDispose]: () => store.close() };
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
