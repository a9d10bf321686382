// Backing up and restoring the store of a configuration, whichever engine it is on.

import { statSync } from 'node:fs';
import { ServiceError } from '../../domain/service-error.ts';
import type { Engine } from '../engine.ts';
import { type StoreEngine, openEngine } from '../open.ts';
import { noteOperatorEvent } from '../audit/operator-event.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { type Backup, type BackupOptions, backUp } from './back-up.ts';
import { replaceSqlite } from './replace-sqlite.ts';
import { type RestoreOptions, type Restored, restoreInto } from './restore.ts';

/**
 * `noted` is false when the audit log took no event of it, as with a user of the database who may only read.
 * Throws what `backUp` throws, and `store_unusable` when there is no store.
 */
export async function backUpStore(
  engine: StoreEngine,
  options: Omit<BackupOptions, 'read' | 'engine'>,
): Promise<Backup & { readonly noted: boolean }> {
  if (engine.kind === 'sqlite' && statSync(engine.file, { throwIfNoEntry: false }) === undefined)
    throw new ServiceError('store_unusable', `Cannot back up database ${engine.file}: it does not exist`, {
      hint: 'Set store.url to the database of your service.',
    });
  const opened = await openEngine({ engine, exclusive: false, now: options.now });
  try {
    const made = await backUp({ ...options, read: opened.read, engine: engine.kind });
    return { ...made, noted: await noteBackup(opened, made, options.now()) };
  } finally {
    await opened.close();
  }
}

/** `keptAside`: the former SQLite file. Throws what `replaceSqlite` and `restoreInto` throw. */
export async function restoreStore(
  engine: StoreEngine,
  options: RestoreOptions,
): Promise<Restored & { readonly keptAside: string | null }> {
  if (engine.kind === 'sqlite') return replaceSqlite(engine.file, options);
  const opened = openPostgres(engine.url);
  try {
    return { ...(await restoreInto(opened, 'postgres', options)), keptAside: null };
  } finally {
    await opened.close();
  }
}

/**
 * The backup is whole whatever becomes of this. Its checksum tells which one it was, wherever it lies later.
 */
async function noteBackup(engine: Engine, { sha256 }: Backup, at: number): Promise<boolean> {
  try {
    await engine.transact((db) =>
      noteOperatorEvent(db, { kind: 'store.backed_up', at, reason: `sha256 ${sha256}` }),
    );
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
