// Puts a backup into an empty store, of either engine, and brings it to the newest form: all in one
// transaction, after the whole file was checked. Whatever was sealed under a previous master key is sealed
// under the present one.

import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { createColumnSeal } from '../sealing/column-seal.ts';
import type { Engine } from '../engine.ts';
import { type MasterKeys, allOf } from '../sealing/master-key.ts';
import { MASTER_KEY_CHECK, newCheck, opensCheck } from '../meta.ts';
import { MIGRATIONS, migrateWithin } from '../migrations/run.ts';
import { noteOperatorEvent } from '../audit/operator-event.ts';
import { type Resealer, createResealer } from '../sealing/reseal.ts';
import { SEALED_COLUMNS, placeIn } from '../sealing/sealed-columns.ts';
import { noteRestore } from '../restores.ts';
import type { Tables } from '../tables.ts';
import { type Ended, type Ending, endWhatMayBeOver, skipNumbers } from './after-restore.ts';
import { tablesOf } from './back-up.ts';
import { type BackupHeader, type RowLine, type TableLine, readBackup } from './backup-lines.ts';
import { KEPT_TABLES } from './kept-tables.ts';

export type RestoreOptions = Ending & {
  readonly file: string;
  readonly masterKeys: MasterKeys;
  readonly now: () => number;
  /** Rows so far, now and then. */
  readonly progress: (rows: number) => void;
};

export type Restored = Ended & {
  readonly header: BackupHeader;
  readonly rows: number;
  /** Secrets that no master key at hand opens, as it was in the store of the backup. */
  readonly unreadable: number;
};

/**
 * Reads all of a backup. Throws `backup_unusable` when it is damaged, `store_unusable` when a newer version
 * made it, `config_invalid` when its secrets need another master key.
 */
export async function checkBackup(file: string, masterKeys: MasterKeys): Promise<BackupHeader> {
  let header: BackupHeader | null = null;
  await readBackup(file, {
    header: (found) => {
      requireKnownForm(file, found);
      requireKey(file, found, allOf(masterKeys));
      header = found;
    },
    rows: ({ table }) => {
      if (!KEPT_TABLES.some(({ name }) => name === table))
        throw unusable(file, `it contains an unknown table: ${table}`);
    },
  });
  if (header === null) throw unusable(file, 'it is not a Doorward backup');
  return header;
}

/**
 * Into an engine without tables. Throws `store_unusable` when it has some; then, and on any fault, nothing
 * was changed.
 */
export async function restoreInto(
  engine: Engine,
  kind: BackupHeader['engine'],
  options: RestoreOptions,
): Promise<Restored> {
  const { file, masterKeys } = options;
  const header = await checkBackup(file, masterKeys);
  return engine.transactAlone(async (db) => {
    if ((await tablesOf(db, kind)).has('migrations')) throw notEmpty();
    await migrateWithin(db, engine, MIGRATIONS.slice(0, header.form.length));
    const filled = await fill(db, options);
    await migrateWithin(db, engine, MIGRATIONS);
    const at = options.now();
    await skipNumbers(db, at);
    await noteRestore(db, { backedUpAt: Date.parse(header.madeAt), restoredAt: at });
    const ended = await endWhatMayBeOver(db, engine, { ...options, at });
    const reason = `a backup of ${header.madeAt}`;
    await noteOperatorEvent(db, { kind: 'store.restored', at, reason });
    return { header, ...filled, ...ended };
  });
}

async function fill(
  db: Transaction<Tables>,
  { file, masterKeys, progress }: RestoreOptions,
): Promise<{ readonly rows: number; readonly unreadable: number }> {
  const resealer = createResealer(masterKeys.key, allOf(masterKeys));
  let rows = 0;
  let unreadable = 0;
  let table: TableLine | null = null;
  await readBackup(file, {
    header: () => undefined,
    rows: async (of, lines) => {
      // What migrations and triggers wrote there makes way.
      if (of !== table && FILLED_ALREADY.has(of.table))
        await sql`DELETE FROM ${sql.table(of.table)}`.execute(db);
      table = of;
      const sealed = lines.map((line) => withSeals(of, line, resealer));
      unreadable += sealed.reduce((sum, one) => sum + one.unreadable, 0);
      await insert(
        db,
        of,
        sealed.map(({ line }) => line),
      );
      rows += lines.length;
      progress(rows);
    },
  });
  return { rows, unreadable };
}

async function insert(db: Transaction<Tables>, { table, columns }: TableLine, lines: readonly RowLine[]) {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = lines.map((line) => sql`(${sql.join(line)})`);
  await sql`INSERT INTO ${sql.table(table)} (${names}) VALUES ${sql.join(values)}`.execute(db);
}

/** The row with its sealed columns under the present master key, and how many of them no key opens. */
function withSeals(
  { table, columns }: TableLine,
  line: RowLine,
  resealer: Resealer,
): { readonly line: RowLine; readonly unreadable: number } {
  const valueOf = (column: string) => String(line[columns.indexOf(column)] ?? '');
  if (table === 'meta' && valueOf('name') === MASTER_KEY_CHECK)
    return { line: [MASTER_KEY_CHECK, newCheck(resealer.to)], unreadable: 0 };
  let sealedLine = line;
  let unreadable = 0;
  for (const sealed of SEALED_COLUMNS.filter((each) => each.table === table)) {
    const at = columns.indexOf(sealed.column);
    const value = line[at];
    if (typeof value !== 'string') continue;
    const done = resealer.reseal(placeIn(sealed, valueOf('id'), valueOf('account_id')), value);
    if (done.kind === 'unreadable') unreadable++;
    if (done.kind === 'resealed') sealedLine = sealedLine.with(at, done.value);
  }
  return { line: sealedLine, unreadable };
}

function requireKnownForm(file: string, { form }: BackupHeader): void {
  const known = MIGRATIONS.map(({ name }) => name);
  if (form.length > 0 && form.every((name, index) => name === known[index])) return;
  throw new ServiceError(
    'store_unusable',
    `Cannot restore ${file}: its schema version is ${form.length}, and this version of Doorward supports ${known.length}`,
    { hint: 'Run the version of Doorward that created the backup, or a newer one.' },
  );
}

function requireKey(file: string, { masterKeyCheck }: BackupHeader, keys: readonly Secret[]): void {
  if (keys.some((key) => opensCheck(createColumnSeal(key), masterKeyCheck))) return;
  throw new ServiceError(
    'config_invalid',
    `Cannot restore ${file}: its secrets are encrypted with another master key`,
    {
      hint: 'Set store.master_key_file to the key of that time, or add that key to the file as a line "previous KEY".',
    },
  );
}

function notEmpty(): ServiceError {
  return new ServiceError(
    'store_unusable',
    'Cannot restore into the database of store.url: it is not empty',
    {
      hint: 'Set store.url to an empty database, or rename the old schema: ALTER SCHEMA public RENAME TO before; CREATE SCHEMA public.',
    },
  );
}

function unusable(file: string, found: string): ServiceError {
  return new ServiceError('backup_unusable', `Cannot restore ${file}: ${found}`);
}

/** `audit_order` by a trigger, the counters by their migrations. */
const FILLED_ALREADY: ReadonlySet<string> = new Set(['audit_order', 'audit_counter', 'change_counter']);
