// Writes a backup: one moment of the store, read while others go on writing to it. It holds secrets in sealed
// form only, and never the master key. It appears under its name when it is whole and on the disk, or not at
// all.

import { createHash } from 'node:crypto';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { randomToken } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { MASTER_KEY_CHECK } from '../meta.ts';
import { MIGRATIONS } from '../migrations/run.ts';
import type { Tables } from '../tables.ts';
import { BACKUP_VERSION, type BackupHeader } from './backup-lines.ts';
import { KEPT_TABLES, type KeptTable } from './kept-tables.ts';

export type BackupOptions = {
  /** `read` of an engine. The store need not be of the newest form: it is not changed. */
  readonly read: Kysely<Tables>;
  readonly engine: BackupHeader['engine'];
  readonly to: string;
  /** Whether a file of that name may be replaced. */
  readonly force: boolean;
  readonly now: () => number;
  /** Rows so far, now and then. */
  readonly progress: (rows: number) => void;
};

export type Backup = {
  readonly madeAt: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly rows: Readonly<Record<string, number>>;
};

/** Throws `usage` when the file exists, `store_unusable` when there is no store or one of a newer version. */
export async function backUp(options: BackupOptions): Promise<Backup> {
  const { to, force } = options;
  const partial = `${to}.${randomToken()}.partial`;
  let handle: FileHandle;
  try {
    // For its owner only, before anything is in it.
    handle = await open(partial, 'wx', FILE_MODE);
  } catch (cause) {
    throw unwritable(to, cause);
  }
  try {
    try {
      const made = await writeBackup(handle, options);
      await handle.sync();
      await giveName(partial, to, force);
      return made;
    } finally {
      await handle.close();
    }
  } finally {
    await rm(partial, { force: true });
  }
}

async function writeBackup(handle: FileHandle, options: BackupOptions): Promise<Backup> {
  const { read, engine, now, progress } = options;
  const hash = createHash('sha256');
  let bytes = 0;
  const write = async (lines: readonly unknown[], counted = true): Promise<void> => {
    const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (counted) hash.update(text);
    bytes += text.length;
    await handle.writeFile(text);
  };
  const rows: Record<string, number> = {};
  let total = 0;
  return read
    .transaction()
    .setAccessMode('read only')
    .execute(async (db) => {
      const header = await headerOf(db, engine, now());
      await write([header]);
      const there = await tablesOf(db, engine);
      for (const table of KEPT_TABLES.filter(({ name }) => there.has(name))) {
        let count = 0;
        for await (const page of pagesOf(db, table)) {
          const columns = Object.keys(page[0] ?? {});
          await write([
            ...(count === 0 ? [{ table: table.name, columns }] : []),
            ...page.map((row) => columns.map((column) => row[column])),
          ]);
          count += page.length;
          total += page.length;
          progress(total);
        }
        rows[table.name] = count;
      }
      const sha256 = hash.digest('hex');
      await write([{ rows: total, sha256 }], false);
      return { madeAt: header.madeAt, bytes, sha256, rows };
    });
}

async function headerOf(
  db: Kysely<Tables>,
  engine: BackupHeader['engine'],
  at: number,
): Promise<BackupHeader> {
  if (!(await tablesOf(db, engine)).has('migrations'))
    throw new ServiceError('store_unusable', 'Cannot back up the database: it is empty', {
      hint: 'Set store.url to the database of your service.',
    });
  const form = await db.selectFrom('migrations').select('name').orderBy('number').execute();
  if (form.length > MIGRATIONS.length)
    throw new ServiceError(
      'store_unusable',
      `Cannot back up the database: its schema version is ${form.length}, and this version of Doorward supports ${MIGRATIONS.length}`,
      { hint: 'Run the version of Doorward that last used the database, or a newer one.' },
    );
  const check = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', MASTER_KEY_CHECK)
    .executeTakeFirst();
  return {
    doorward: 'backup',
    version: BACKUP_VERSION,
    madeAt: new Date(at).toISOString(),
    engine,
    form: form.map(({ name }) => name),
    masterKeyCheck: check?.value ?? '',
  };
}

/** The tables that the store has: those of an older form are fewer. */
export async function tablesOf(
  db: Kysely<Tables>,
  engine: BackupHeader['engine'],
): Promise<ReadonlySet<string>> {
  const tables = await db.introspection.getTables();
  if (engine === 'sqlite') return new Set(tables.map(({ name }) => name));
  const { rows } = await sql<{ schema: string | null }>`SELECT current_schema() AS schema`.execute(db);
  const ours = tables.filter(({ schema }) => schema === rows[0]?.schema);
  return new Set(ours.map(({ name }) => name));
}

type Row = Readonly<Record<string, string | number | null>>;

/** The rows of a table by its key. */
async function* pagesOf(db: Kysely<Tables>, { name, key }: KeptTable): AsyncGenerator<readonly Row[]> {
  let after: Row[string] = null;
  for (;;) {
    const beyond: RawBuilder<unknown> = after === null ? sql`` : sql`WHERE ${sql.ref(key)} > ${after}`;
    const { rows }: { readonly rows: readonly Row[] } =
      await sql<Row>`SELECT * FROM ${sql.table(name)} ${beyond}
      ORDER BY ${sql.ref(key)} LIMIT ${sql.lit(PAGE_ROWS)}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.[key] ?? null;
  }
}

/** Under its name at once and for good; nothing is written over unless that was asked for. */
async function giveName(partial: string, to: string, force: boolean): Promise<void> {
  try {
    if (force) await rename(partial, to);
    else await link(partial, to);
    const folder = await open(dirname(to), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (cause) {
    throw unwritable(to, cause);
  }
}

function unwritable(to: string, cause: unknown): ServiceError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
  return new ServiceError(
    'usage',
    `Cannot write backup ${to}: ${code === 'EEXIST' ? 'it exists' : `it cannot be created there (${code})`}`,
    {
      cause,
      hint:
        code === 'EEXIST' ? 'Choose another name, or add --force.' : 'Choose a folder that you can write to.',
    },
  );
}

const FILE_MODE = 0o600;
const PAGE_ROWS = 500;
