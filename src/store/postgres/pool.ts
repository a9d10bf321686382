// Connections to a PostgreSQL server: how many, how long anything may take, and what each must be like before
// it is used.

import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { type ClientBase, type ClientConfig, type CustomTypesConfig, Pool, types } from 'pg';
import {
  type PostgresAddress,
  PostgresAddressRefusal,
  parsePostgresAddress,
} from '../../domain/postgres-address.ts';
import type { Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';

/** `process` names this one to the others; see `announce.ts`. */
export type Origin = { readonly url: Secret; readonly process: string };

/** At most `most` connections, made when they are needed. */
export function createPool(
  origin: Origin,
  { use, most }: { readonly use: 'read' | 'write'; readonly most: number },
): Connections {
  const sockets = new Set<Socket>();
  const pool = new Pool({
    ...clientConfig(origin, (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }),
    max: most,
    idleTimeoutMillis: IDLE_LIMIT_MS,
    onConnect: (client) => prepare(client, { process: origin.process, readOnly: use === 'read' }),
  });
  // A connection that breaks while idle has left the pool already; one that breaks in use fails its
  // statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    pool,
    close: async () => {
      await pool.end();
      // A server that was cut off never answers the farewell.
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** `close` waits for those in use. */
export type Connections = { readonly pool: Pool; readonly close: () => Promise<void> };

/**
 * One connection's settings; `opened` is given its socket. Throws `config_invalid` when the address or the
 * file of its authorities cannot be used.
 */
export function clientConfig({ url }: Origin, opened: (socket: Socket) => void): ClientConfig {
  const address = parsePostgresAddress(url.reveal());
  if (address instanceof PostgresAddressRefusal)
    throw new ServiceError('config_invalid', `Cannot use store.url: it is ${address.found}`, {
      hint: `Use ${address.wanted}.`,
    });
  const { host, port, user, database, password } = address;
  return {
    host,
    port,
    user,
    database,
    // A function, so that the text lies in no options object; and never null, or pg would look in the
    // environment.
    password: () => password?.reveal() ?? '',
    ssl: tlsOptions(address),
    application_name: 'doorward',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
    types: { getTypeParser },
    stream: () => {
      const socket = new Socket();
      opened(socket);
      return socket;
    },
  };
}

function tlsOptions({ tls, caFile }: PostgresAddress): ClientConfig['ssl'] {
  if (tls === 'off') return false;
  if (tls === 'unverified') return { rejectUnauthorized: false };
  if (caFile === null) return { rejectUnauthorized: true };
  try {
    return { rejectUnauthorized: true, ca: readFileSync(caFile, 'utf8') };
  } catch (cause) {
    throw new ServiceError('config_invalid', `Cannot read sslrootcert of store.url: ${caFile}`, { cause });
  }
}

/**
 * Sets the session's limits, and refuses a server that would not keep what it acknowledges, or that answers
 * what is old.
 */
async function prepare(
  client: ClientBase,
  { process, readOnly }: { readonly process: string; readonly readOnly: boolean },
): Promise<void> {
  const settings = { ...SESSION, default_transaction_read_only: readOnly ? 'on' : 'off', [PROCESS]: process };
  const { rows } = await client.query<Server>(
    `SELECT pg_is_in_recovery() AS standby, current_setting('server_encoding') AS encoding,
       current_setting('server_version_num')::int AS version,
       CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END,
       ${Object.keys(settings).map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`)}`,
    Object.entries(settings).flat(),
  );
  const [server] = rows;
  if (server === undefined) throw new Error('Cannot prepare a connection: no answer');
  checkServer(server);
}

type Server = { readonly standby: boolean; readonly encoding: string; readonly version: number };

function checkServer({ standby, encoding, version }: Server): void {
  if (standby)
    throw new ServiceError('store_unavailable', 'Cannot use the database: the server is a standby', {
      hint: 'Set store.url to the primary.',
      extra: { reason: 'read_only' },
    });
  if (encoding !== 'UTF8')
    throw new ServiceError('store_unusable', `Cannot use the database: its encoding is ${encoding}`, {
      hint: "Create the database with ENCODING 'UTF8' TEMPLATE template0.",
    });
  if (version < OLDEST_SERVER)
    throw new ServiceError(
      'store_unusable',
      `Cannot use the database: PostgreSQL ${Math.floor(version / 10_000)} is too old`,
      { hint: `Use PostgreSQL ${OLDEST_SERVER / 10_000} or newer.` },
    );
}

/** 64-bit integers (times, counts) as numbers; pg gives texts. Ours are far below 2^53. */
const getTypeParser: CustomTypesConfig['getTypeParser'] = (oid, format) =>
  oid === types.builtins.INT8 ? readInteger : types.getTypeParser(oid, format);

function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError('Cannot read a number of the database: it is too large');
  return value;
}

/**
 * To reach the server and log in, or for a connection to become free. Longer, and visitors' requests would
 * pile up.
 */
const CONNECT_LIMIT_MS = 3_000;
/** The server gives a statement up after this, its wait for locks included: all of ours take milliseconds. */
const STATEMENT_LIMIT_MS = 5_000;
/** A server that says nothing at all; above its own limit, so that normally its answer comes first. */
export const ANSWER_LIMIT_MS = 7_000;
/**
 * A process that stalls or is cut off within a transaction holds locks that others wait for, no longer than a
 * statement may.
 */
const STANDSTILL_LIMIT_MS = 3_000;
const IDLE_LIMIT_MS = 30_000;
const KEEPALIVE_DELAY_MS = 10_000;
/** The oldest that the PostgreSQL project still maintains. */
const OLDEST_SERVER = 140_000;
/** The session setting that tells whose commit a notification is about. */
export const PROCESS = 'doorward.process';
const SESSION = {
  statement_timeout: String(STATEMENT_LIMIT_MS),
  idle_in_transaction_session_timeout: String(STANDSTILL_LIMIT_MS),
  default_transaction_isolation: 'read committed',
};
