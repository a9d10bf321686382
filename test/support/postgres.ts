// A real PostgreSQL for a test file, gone when disposed of. Works as root too, wherever the checkout is. The
// gate starts one server for all files (`offerPostgres`), and each takes databases of its own there; a file
// run by hand starts its own.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { Secret, randomToken } from '../../src/domain/secret.ts';
import { newMasterKeyText, parseMasterKey } from '../../src/store/sealing/master-key.ts';
import { migrate } from '../../src/store/migrations/run.ts';
import { openStore } from '../../src/store/open.ts';
import { openPostgres } from '../../src/store/postgres/open-postgres.ts';
import type { Store } from '../../src/store/store.ts';
import { freePort } from './free-port.ts';
import { noteEngine } from './note-engine.ts';
import { CLEAN, KEEP_FORM } from './postgres-clean.ts';
import { type Answer, OPERATOR, type Order, type ServerParts, type ServerPlan } from './postgres-server.ts';
import { until } from './until.ts';

export type TestPostgres = AsyncDisposable & {
  /**
   * A user of its own, who is no superuser, and whose tables nobody else has: as good as a database, but made
   * at once.
   */
  place(): Promise<Secret>;
  /** A database of its own, of a user of its own, with the tables of today's form in it. */
  formedPlace(): Promise<Secret>;
  /** The same for a while: it is given back for others when disposed of, with nobody connected to it. */
  lentPlace(): Promise<LentPlace>;
  /** The superuser's address, in the database where the places are. */
  readonly operator: Secret;
  /** Runs statements on a connection of their own, past the store. */
  query<Row extends object>(url: Secret, sql: string): Promise<readonly Row[]>;
};

export type LentPlace = AsyncDisposable & { readonly url: Secret };

/** A server that nobody else uses, so it may be stopped, broken and asked for all that goes on in it. */
export type OwnPostgres = TestPostgres & {
  /** From now on the server takes TLS too, with this certificate and key (PEM). */
  useTls(certificate: string, key: string): Promise<void>;
  /** Stops the server as an operator does: transactions that run are broken off. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Kills the server without a warning. `start` brings it back, with all that it acknowledged. */
  crash(): Promise<void>;
};

/**
 * The gate's server when there is one, else one of this file's own. Rejects with the reason when it does not
 * start.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const offered = process.env[OFFER];
  if (offered === undefined) return startOwnPostgres();
  const { port, password, form } = JSON.parse(offered) as Offer;
  const database = `file_${randomToken()}`;
  const server = { port, password };
  await query(urlOf(server, { database: 'postgres' }), `CREATE DATABASE "${database}"`);
  const places = createPlaces(server, { database, form: () => Promise.resolve(form) });
  return { ...places, query, [Symbol.asyncDispose]: () => dropAll(server, [database, ...places.databases]) };
}

/** `durable` for what is written to outlast a power cut, as an operator's server does. */
export async function startOwnPostgres({ durable = false } = {}): Promise<OwnPostgres> {
  const offered = process.env[OFFER];
  const offer = offered === undefined ? null : (JSON.parse(offered) as Offer);
  const { server, host } = await startServer({ like: offer, durable });
  const places = createPlaces(server, { database: 'postgres', form: onlyOnce(() => makeForm(server)) });
  const { operator } = places;
  return {
    ...places,
    query,
    useTls: async (certificate, key) => {
      // The server writes the files itself, so that they are its own, which it insists on.
      for (const [name, text] of Object.entries({ 'server.crt': certificate, 'server.key': key }))
        await query(
          operator,
          `COPY (SELECT unnest(string_to_array('${text}', E'\\n'))) TO PROGRAM 'umask 077; cat > ${name}'`,
        );
      await query(operator, 'ALTER SYSTEM SET ssl = on');
      await query(operator, 'SELECT pg_reload_conf()');
      const on = `SELECT WHERE current_setting('ssl') = 'on'`;
      await until(async () => (await query(operator, on)).length > 0);
    },
    stop: async () => void (await give(host, 'stop')),
    start: async () => void (await give(host, 'start')),
    crash: async () => void (await give(host, 'crash')),
    [Symbol.asyncDispose]: () => endOf(host),
  };
}

/** One server for all files of a run: they find it in the environment that `env` names. */
export async function offerPostgres(): Promise<
  AsyncDisposable & { readonly env: Readonly<Record<string, string>> }
> {
  const { server, host, parts } = await startServer({ like: null, durable: false });
  const offer: Offer = { ...server, ...parts, form: await makeForm(server) };
  return { env: { [OFFER]: JSON.stringify(offer) }, [Symbol.asyncDispose]: () => endOf(host) };
}

export type PostgresTestStore = Store &
  AsyncDisposable & { readonly url: Secret; readonly masterKey: Secret };

/**
 * An empty store on the server, opened as `serve` does. `openStore` opens others beside it, by its `url`.
 * Disposed of, it is emptied for the next test; only closed, it keeps what is in it.
 */
export async function openPostgresTestStore(
  server: TestPostgres,
  now: () => number = Date.now,
): Promise<PostgresTestStore> {
  const place = await server.lentPlace();
  const { url } = place;
  const masterKey = parseMasterKey(newMasterKeyText()) ?? new Secret('');
  const engine = { kind: 'postgres', url } as const;
  const store = await openStore({ engine, masterKey, now, exclusive: true });
  const dispose = async (): Promise<void> => {
    await store.close();
    await place[Symbol.asyncDispose]();
  };
  return { ...store, url, masterKey, [Symbol.asyncDispose]: dispose };
}

type Address = { readonly port: number; readonly password: string };
/** `form` is the database with today's tables, which no one connects to. */
type Offer = Address & ServerParts & { readonly form: string };

async function startServer({
  like,
  durable,
}: Pick<ServerPlan, 'like' | 'durable'> & { readonly like: Offer | null }) {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-postgres-'));
  const port = await freePort();
  // A cluster that is copied has its password.
  const password = like?.password ?? randomToken();
  const plan: ServerPlan = { folder, port, password, durable, like };
  const host = fork(SERVER, [JSON.stringify(plan)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    return { server: { port, password }, host, parts: await give(host, 'start') };
  } catch (error) {
    await endOf(host);
    throw error;
  }
}

function createPlaces(
  server: Address,
  { database, form }: { readonly database: string; readonly form: () => Promise<string> },
) {
  const operator = urlOf(server, { database });
  const databases: string[] = [];
  const makeUser = async (): Promise<string> => {
    noteEngine('PostgreSQL');
    const user = `user_${randomToken()}`;
    await query(operator, `CREATE ROLE "${user}" LOGIN PASSWORD '${server.password}'`);
    return user;
  };
  const formedPlace = async (): Promise<Secret> => {
    const [user, own, template] = [await makeUser(), `test_${randomToken()}`, await form()];
    // The tables are the template's owner's, whose member may do with them as with its own.
    await query(operator, `GRANT "${FORMER}" TO "${user}"`);
    await query(operator, `CREATE DATABASE "${own}" OWNER "${user}" TEMPLATE "${template}"`);
    databases.push(own);
    return urlOf(server, { database: own, user });
  };
  const free: Secret[] = [];
  const takeBack = async (url: Secret): Promise<void> => {
    const own = new URL(url.reveal()).pathname.slice(1);
    const rows = await query<{ clean: boolean }>(urlOf(server, { database: own }), CLEAN);
    if (rows[0]?.clean === true) free.push(url);
  };
  return {
    operator,
    databases,
    place: async () => {
      const user = await makeUser();
      // A schema of the user's name comes first in its search path.
      await query(operator, `CREATE SCHEMA AUTHORIZATION "${user}"`);
      return urlOf(server, { database, user });
    },
    formedPlace,
    lentPlace: async () => {
      noteEngine('PostgreSQL');
      const url = free.pop() ?? (await formedPlace());
      return { url, [Symbol.asyncDispose]: () => takeBack(url) };
    },
  };
}

/** A database in today's form, to be copied: quicker than to run all migrations. */
async function makeForm(server: Address): Promise<string> {
  const operator = urlOf(server, { database: 'postgres' });
  await query(operator, `CREATE ROLE "${FORMER}" LOGIN PASSWORD '${server.password}'`);
  await query(operator, `CREATE DATABASE "${FORMER}" OWNER "${FORMER}"`);
  const engine = openPostgres(urlOf(server, { database: FORMER, user: FORMER }));
  try {
    await migrate(engine);
  } finally {
    await engine.close();
  }
  await query(urlOf(server, { database: FORMER }), KEEP_FORM);
  return FORMER;
}

async function dropAll(server: Address, databases: readonly string[]): Promise<void> {
  const operator = urlOf(server, { database: 'postgres' });
  for (const database of databases) await query(operator, `DROP DATABASE "${database}" WITH (FORCE)`);
}

function urlOf(
  { port, password }: Address,
  { database, user = OPERATOR }: { readonly database: string; readonly user?: string },
): Secret {
  return new Secret(`postgres://${user}:${password}@127.0.0.1:${port}/${database}`);
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

async function give(host: ChildProcess, order: Order): Promise<ServerParts> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(ORDER_LIMIT_MS)]);
  host.send(order);
  try {
    const [answer] = (await Promise.race([
      once(host, 'message', { signal }),
      once(host, 'exit', { signal }).then(([code]) => [{ failed: `its process ended with ${code}` }]),
    ])) as [Answer];
    if ('failed' in answer) throw new Error(`Cannot ${order} PostgreSQL: ${answer.failed}`);
    return answer.done;
  } finally {
    over.abort();
  }
}

async function endOf(host: ChildProcess): Promise<void> {
  if (host.exitCode !== null || host.signalCode !== null) return;
  const exited = once(host, 'exit');
  if (host.connected) host.disconnect();
  await exited;
}

function onlyOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

const SERVER = fileURLToPath(new URL('postgres-server.ts', import.meta.url));
const OFFER = 'DOORWARD_TEST_POSTGRES';
/** Database and owner of the tables that are copied. */
const FORMER = 'doorward_form';
/** A start writes a new cluster, on a busy machine. */
const ORDER_LIMIT_MS = 60_000;
