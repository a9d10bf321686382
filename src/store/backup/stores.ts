// Backing up and restoring the store of a configuration, whichever engine it is on.

import { statSync } from 'node:fs';
import { ServiceError } from '../../domain/service-error.ts';
import { type StoreEngine, openEngine } from '../open.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { type Backup, type BackupOptions, backUp } from './back-up.ts';
import { replaceSqlite } from './replace-sqlite.ts';
import { type RestoreOptions, type Restored, restoreInto } from './restore.ts';

/** Throws what `backUp` throws, and `store_unusable` when there is no store. */
export async function backUpStore(
  engine: StoreEngine,
  options: Omit<BackupOptions, 'read' | 'engine'>,
): Promise<Backup> {
  if (engine.kind === 'sqlite' && statSync(engine.file, { throwIfNoEntry: false }) === undefined)
    throw new ServiceError('store_unusable', `Cannot back up store ${engine.file}: it is not there`, {
      hint: 'point store.url at the store of your service',
    });
  const opened = await openEngine({ engine, exclusive: false, now: options.now });
  try {
    return await backUp({ ...options, read: opened.read, engine: engine.kind });
  } finally {
    await opened.close();
  }
}

/** `keptAside`: the former SQLite file. Throws what `replaceSqlite` and `restoreInto` throw. */
export async function restoreStore(
  engine: StoreEngine,
  options: RestoreOptions & { readonly now: () => number },
): Promise<Restored & { readonly keptAside: string | null }> {
  if (engine.kind === 'sqlite') return replaceSqlite(engine.file, options);
  const opened = openPostgres(engine.url);
  try {
    return { ...(await restoreInto(opened, 'postgres', options)), keptAside: null };
  } finally {
    await opened.close();
  }
}
