// Looks at a store without changing what is in it, for `doorward doctor`: whether it is there, which form it
// has, which server keeps it. Opening it would bring it to the newest form; that is left to `serve`.

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { type Check, fails, passes, warns } from '../domain/check.ts';
import { ServiceError } from '../domain/service-error.ts';
import { type AcmeExamination, examineAcme, NO_ACME } from './acme/examine-acme.ts';
import { authorityCheck } from './certificates/examine-authorities.ts';
import { roomCheck, serverWriteCheck, writableCheck, writeCheck } from './examine-writes.ts';
import { MIGRATIONS } from './migrations/run.ts';
import type { StoreEngine } from './open.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import type { Tables } from './tables.ts';

export type StoreExamination = {
  readonly checks: readonly Check[];
  /** Its form is the newest: opening it changes nothing. */
  readonly current: boolean;
  /** Hosts of their own at which shares answer; empty when they cannot be read. */
  readonly customHosts: readonly string[];
  /** Names of enabled shares whose apps are behind a proxy, a few; empty when they cannot be read. */
  readonly behind: readonly string[];
  readonly acme: AcmeExamination;
};

/** Never rejects. `now` is ours, in milliseconds since the epoch. */
export async function examineStore(engine: StoreEngine, now: () => number): Promise<StoreExamination> {
  try {
    return engine.kind === 'sqlite'
      ? await examineFile(engine.file, now())
      : await examineServer(engine, now);
  } catch (error) {
    const fault = error instanceof ServiceError ? error : null;
    const found = error instanceof Error ? error.message : 'it cannot be read';
    return {
      checks: [fails('store', found, fault?.hint ?? 'Check store.url.')],
      current: false,
      customHosts: [],
      behind: [],
      acme: NO_ACME,
    };
  }
}

async function examineFile(file: string, now: number): Promise<StoreExamination> {
  const folder = existingFolder(dirname(file));
  const place = [writableCheck(existsSync(file) ? file : folder), writeCheck(folder), roomCheck(folder)];
  if (!existsSync(file))
    return {
      checks: [passes('store', `${file} does not exist yet; doorward serve creates it`), ...place],
      current: false,
      customHosts: [],
      behind: [],
      acme: NO_ACME,
    };
  const database = new DatabaseSync(file, { readOnly: true, timeout: READ_WAIT_MS });
  try {
    const found = database
      .prepare(`SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'migrations'`)
      .get();
    const db = new Kysely<Tables>({ dialect: sqliteDialect(database, { check: () => undefined }) });
    const form = found?.['tables'] === 1 ? await formOf(db) : NO_FORM;
    const checks = [passes('store', `SQLite, ${file}`), ...place, formCheck(form)];
    return withContent(checks, await contentOf(db, form, now));
  } finally {
    if (database.isOpen) database.close();
  }
}

async function examineServer(
  { url }: Extract<StoreEngine, { kind: 'postgres' }>,
  now: () => number,
): Promise<StoreExamination> {
  const engine = openPostgres(url);
  try {
    // As a write does, and yet writing nothing.
    const { rows } = await engine.transact((db) => ASK_SERVER.execute(db));
    const at = now();
    const [server] = rows;
    if (server === undefined)
      throw new ServiceError('store_unavailable', 'Cannot use the database: no answer');
    const form = server.made ? await formOf(engine.read) : NO_FORM;
    const checks = [
      versionCheck(server),
      writingCheck(server),
      await serverWriteCheck(engine),
      serverClockCheck(server, at),
      formCheck(form),
    ];
    return withContent(checks, await contentOf(engine.read, form, at));
  } finally {
    await engine.close();
  }
}

const ASK_SERVER = sql<ServerRow>`SELECT current_setting('server_version') AS version,
  current_setting('server_version_num')::integer AS number, pg_is_in_recovery() AS standby,
  to_regclass('migrations') IS NOT NULL AS made,
  floor(extract(epoch from clock_timestamp()) * 1000)::float8 AS clock`;

type ServerRow = {
  readonly version: string;
  readonly number: number;
  readonly standby: boolean;
  readonly made: boolean;
  readonly clock: number;
};

function versionCheck({ version, number }: ServerRow): Check {
  const found = `PostgreSQL ${version} responds`;
  if (number >= OLDEST_POSTGRES * 10_000) return passes('store', found);
  return fails('store', found, `Use PostgreSQL ${OLDEST_POSTGRES} or newer.`);
}

function writingCheck({ standby }: ServerRow): Check {
  if (!standby) return passes('writable', 'the server is not a standby');
  return fails('writable', 'the server is a read-only standby', 'Set store.url to the primary.');
}

function serverClockCheck({ clock }: ServerRow, now: number): Check {
  const offSeconds = Math.round(Math.abs(Number(clock) - now) / 100) / 10;
  if (offSeconds <= CLOCK_BEARS_SECONDS)
    return passes('clock', 'the clocks of this machine and the server agree');
  return fails(
    'clock',
    `the clocks of this machine and the server differ by ${offSeconds} s`,
    'Synchronize both clocks with NTP. Sessions depend on both.',
  );
}

type Form = { readonly applied: number; readonly worksFrom: number };
const NO_CONTENT: StoreExamination = {
  checks: [],
  current: false,
  customHosts: [],
  behind: [],
  acme: NO_ACME,
};
const NO_FORM: Form = { applied: 0, worksFrom: 0 };

async function formOf(db: Kysely<Tables>): Promise<Form> {
  const row = await db
    .selectFrom('migrations')
    .select((eb) => [eb.fn.max('number').as('applied'), eb.fn.max('works_from').as('worksFrom')])
    .executeTakeFirst();
  return { applied: Number(row?.applied ?? 0), worksFrom: Number(row?.worksFrom ?? 0) };
}

/** What can be said of what is in it comes behind what was said of the store itself. */
function withContent(checks: readonly Check[], content: StoreExamination): StoreExamination {
  return { ...content, checks: [...checks, ...content.checks] };
}

async function contentOf(db: Kysely<Tables>, { applied }: Form, now: number): Promise<StoreExamination> {
  if (applied !== MIGRATIONS.length) return NO_CONTENT;
  const rows = await db
    .selectFrom('share_hosts')
    .select('host')
    .where('proved_at', 'is not', null)
    .orderBy('host')
    .limit(MOST_HOSTS)
    .execute();
  const behind = await db
    .selectFrom('shares')
    .select('name')
    .where('behind', '=', 1)
    .where('enabled', '=', 1)
    .orderBy('name')
    .limit(MOST_BEHIND)
    .execute();
  return {
    checks: [await authorityCheck(db, now)],
    current: true,
    customHosts: rows.map(({ host }) => host),
    behind: behind.map(({ name }) => name),
    acme: await examineAcme(db),
  };
}

function formCheck({ applied, worksFrom }: Form): Check {
  const known = MIGRATIONS.length;
  if (worksFrom > known)
    return fails(
      'schema',
      `version ${applied}, and this version of Doorward supports ${known}`,
      'Run the version of Doorward that last used the database, or a newer one.',
    );
  if (applied > known)
    return warns(
      'schema',
      `version ${applied}, newer than version ${known}, which this version of Doorward uses`,
      'Doorward runs with it. Update it soon.',
    );
  if (applied === known) return passes('schema', `version ${applied}, the latest`);
  const found = applied === 0 ? 'no tables yet' : `version ${applied}`;
  return passes('schema', `${found}; the next start of doorward serve upgrades it to version ${known}`);
}

function existingFolder(folder: string): string {
  const parent = dirname(folder);
  return existsSync(folder) || parent === folder ? folder : existingFolder(parent);
}

/** Each is held against every certificate; somebody with more has a tool for them. */
const MOST_HOSTS = 10_000;
/** Each is asked for by name. */
const MOST_BEHIND = 100;
const READ_WAIT_MS = 1_000;
/** docs/how-to/postgresql.md. */
const OLDEST_POSTGRES = 14;
/** Leases of 15 s are judged by the server's clock and times in tokens by ours. */
const CLOCK_BEARS_SECONDS = 2;
