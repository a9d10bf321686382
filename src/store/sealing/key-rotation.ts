// Rotates the master key while gateways go on. The file names the next key before anything is sealed with it;
// then that is in force; then every sealed column is sealed again; then the file holds the new key, and the
// one before as a previous one: backups need it. Killed between any two lines, it is taken up again where it
// was, and until then both keys are in the file.

import { setTimeout as pause } from 'node:timers/promises';
import { type Transaction, sql } from 'kysely';
import type { Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { createColumnSeal } from './column-seal.ts';
import type { Engine } from '../engine.ts';
import { writeMasterKeys } from './key-file.ts';
import { allOf, newMasterKeyText, parseMasterKey, readMasterKeys } from './master-key.ts';
import { checkMasterKey, putInForce } from '../meta.ts';
import { migrate } from '../migrations/run.ts';
import { type StoreEngine, openEngine } from '../open.ts';
import { noteOperatorEvent } from '../audit/operator-event.ts';
import { type Resealer, createResealer } from './reseal.ts';
import { SEALED_COLUMNS, type SealedColumn, placeIn } from './sealed-columns.ts';
import { takeLock } from '../sqlite/open-sqlite.ts';
import type { Tables } from '../tables.ts';

export type RotationOptions = {
  readonly engine: StoreEngine;
  readonly keyFile: string;
  /** Whether to stop once the file names the next key, so that it can be copied to other machines first. */
  readonly prepareOnly: boolean;
  readonly now: () => number;
  /** Secrets looked at so far, after each few. */
  readonly progress: (secrets: number) => void;
};

export type Rotation =
  /** The file names the next key; nothing is sealed with it yet. */
  | { readonly state: 'prepared' }
  /**
   * The file holds the new key, and those of before as previous ones. `unreadable`: secrets that no key
   * opened, which stay as they are.
   */
  | { readonly state: 'rotated'; readonly resealed: number; readonly unreadable: number };

/**
 * Throws `store_in_use` while another rotation has the file; `config_invalid` when its key is not the
 * store's.
 */
export async function rotateMasterKey(options: RotationOptions): Promise<Rotation> {
  const lock = lockFile(options.keyFile);
  try {
    const engine = await openEngine({ ...options, exclusive: false });
    try {
      return await rotate(engine, options);
    } finally {
      await engine.close();
    }
  } finally {
    lock.close();
  }
}

async function rotate(
  engine: Engine,
  { keyFile, prepareOnly, now, progress }: RotationOptions,
): Promise<Rotation> {
  const found = await readMasterKeys(keyFile);
  await migrate(engine);
  await checkMasterKey(
    engine,
    createColumnSeal(found.key, () => allOf(found)),
  );
  const next = found.next ?? freshKey();
  if (found.next === null) await writeMasterKeys(keyFile, { ...found, next });
  if (prepareOnly) return { state: 'prepared' };
  const resealer = createResealer(next, allOf(found));
  await putInForce(engine, resealer.to);
  const first = await resealAll(engine, resealer, progress);
  // Gateways of an older version may have gone on sealing with the key before, for a while.
  for (let more = first.resealed; more > 0;)
    more = (await resealAll(engine, resealer, () => undefined)).resealed;
  // Before the last step: killed after it, nobody would know that there was a rotation.
  const reason = `${first.resealed} secrets re-encrypted`;
  await engine.transact((db) => noteOperatorEvent(db, { kind: 'master_key.rotated', at: now(), reason }));
  const previous = [found.key, ...found.previous].filter((key) => key.reveal() !== next.reveal());
  await writeMasterKeys(keyFile, { key: next, next: null, previous });
  return { state: 'rotated', ...first };
}

type Counts = { readonly resealed: number; readonly unreadable: number };

async function resealAll(
  engine: Engine,
  resealer: Resealer,
  progress: (secrets: number) => void,
): Promise<Counts> {
  let [seen, resealed, unreadable] = [0, 0, 0];
  for (const column of SEALED_COLUMNS) {
    let after = '';
    for (;;) {
      const page = await engine.transact((db) => resealPage(db, engine, { column, after, resealer }));
      seen += page.rows;
      resealed += page.resealed;
      unreadable += page.unreadable;
      progress(seen);
      if (page.rows < PAGE_ROWS) break;
      after = page.last;
      // On SQLite the next in line gets the lock only while nobody holds it.
      await pause(PAUSE_MS);
    }
  }
  return { resealed, unreadable };
}

type Page = { readonly column: SealedColumn; readonly after: string; readonly resealer: Resealer };
type Row = { readonly id: string; readonly account_id: string; readonly value: string };

async function resealPage(
  db: Transaction<Tables>,
  { locks }: Engine,
  { column, after, resealer }: Page,
): Promise<Counts & { readonly rows: number; readonly last: string }> {
  const [table, value] = [sql.table(column.table), sql.ref(column.column)];
  const { rows } = await sql<Row>`SELECT id, account_id, ${value} AS value FROM ${table}
    WHERE id > ${after} AND ${value} IS NOT NULL ORDER BY id LIMIT ${sql.lit(PAGE_ROWS)} ${locks.changing}`.execute(
    db,
  );
  let [resealed, unreadable] = [0, 0];
  for (const row of rows) {
    const done = resealer.reseal(placeIn(column, row.id, row.account_id), row.value);
    if (done.kind === 'unreadable') unreadable++;
    if (done.kind !== 'resealed') continue;
    await sql`UPDATE ${table} SET ${value} = ${done.value} WHERE id = ${row.id}`.execute(db);
    resealed++;
  }
  return { rows: rows.length, last: rows.at(-1)?.id ?? after, resealed, unreadable };
}

function lockFile(keyFile: string) {
  try {
    return takeLock(`${keyFile}.lock`, keyFile);
  } catch (cause) {
    if (!(cause instanceof ServiceError)) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
      throw new ServiceError(
        'config_invalid',
        `Cannot rotate master key ${keyFile}: its folder is not writable (${code})`,
        {
          cause,
          hint: 'Run the command as a user who can write to its folder.',
        },
      );
    }
    throw new ServiceError(
      'store_in_use',
      `Cannot rotate master key ${keyFile}: another rotation is running`,
      {
        cause,
        hint: 'Wait until the other doorward key rotate has finished.',
      },
    );
  }
}

function freshKey(): Secret {
  const key = parseMasterKey(newMasterKeyText());
  if (key === null) throw new Error('Cannot create a master key');
  return key;
}

/** A few milliseconds of sealing a transaction: no login waits behind more. */
const PAGE_ROWS = 100;
/** Longer than a waiting writer sleeps between its tries. */
const PAUSE_MS = 10;
