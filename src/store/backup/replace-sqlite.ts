// Puts a backup in the place of a SQLite file: beside it first, then by renaming, with the file that was
// there kept aside. Whoever serves from the file, or has it open, is in the way and stays untouched.

import { chmodSync, chownSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../domain/service-error.ts';
import { isBusy } from '../sqlite/fault.ts';
import { createFolder, openSqlite, takeLock } from '../sqlite/open-sqlite.ts';
import { type RestoreOptions, type Restored, restoreInto } from './restore.ts';

/**
 * `keptAside` is where the file lies now that was there. Throws `store_in_use`, and what `restoreInto`
 * throws.
 */
export async function replaceSqlite(
  file: string,
  options: RestoreOptions,
): Promise<Restored & { readonly keptAside: string | null }> {
  createFolder(dirname(file));
  const lock = takeLock(`${file}.lock`, file);
  try {
    const fresh = `${file}.restoring`;
    // Of a restore that was broken off: nobody else makes one while this has the lock.
    removeDatabase(fresh);
    try {
      const restored = await fill(fresh, options);
      const keptAside = await putInPlace(fresh, file, options.now());
      return { ...restored, keptAside };
    } finally {
      removeDatabase(fresh);
    }
  } finally {
    lock.close();
  }
}

async function fill(fresh: string, options: RestoreOptions): Promise<Restored> {
  const engine = await openSqlite({ file: fresh, exclusive: false, now: options.now });
  let restored: Restored;
  try {
    restored = await restoreInto(engine, 'sqlite', options);
  } finally {
    await engine.close();
  }
  await flush(fresh);
  return restored;
}

async function putInPlace(fresh: string, file: string, at: number): Promise<string | null> {
  const old = hold(file);
  try {
    likeFormer(file, fresh);
    const keptAside = exists(file) ? freeName(`${file}.before-${timeText(at)}`) : null;
    if (keptAside !== null)
      // The log before the file: without its log an old file is a file of before, a new one with an old log
      // is spoiled.
      for (const end of [...BESIDE, '']) if (exists(file + end)) renameSync(file + end, keptAside + end);
    renameSync(fresh, file);
    await flush(dirname(file));
    return keptAside;
  } finally {
    old?.close();
  }
}

/** As root, for the service's user; a group that may read the former file may read this one. */
function likeFormer(former: string, fresh: string): void {
  const { uid, gid, mode } = statSync(former, { throwIfNoEntry: false }) ?? {};
  if (uid === undefined || gid === undefined || mode === undefined) return;
  if (process.getuid?.() === 0) chownSync(fresh, uid, gid);
  chmodSync(fresh, mode & 0o777);
}

/**
 * Keeps everybody else from the file, with all of its log in it. Null when there is none or it is damaged.
 */
function hold(file: string): DatabaseSync | null {
  if (!exists(file)) return null;
  const old = new DatabaseSync(file, { timeout: 0 });
  try {
    // Only the one that alone has it open can leave the write-ahead log.
    const mode = old.prepare('PRAGMA journal_mode = DELETE').get();
    if (mode?.['journal_mode'] === 'wal') throw inUse(file);
    old.exec('BEGIN EXCLUSIVE');
    return old;
  } catch (error) {
    old.close();
    if (error instanceof ServiceError) throw error;
    if (isBusy(error)) throw inUse(file, error);
    return null;
  }
}

function removeDatabase(file: string): void {
  for (const end of ['', ...BESIDE]) rmSync(file + end, { force: true });
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

function freeName(name: string): string {
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name}-${number}`;
    if (!exists(tried)) return tried;
  }
}

/** `20301231T235959Z`. */
function timeText(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

function inUse(file: string, cause?: unknown): ServiceError {
  return new ServiceError('store_in_use', `Cannot replace database ${file}: another program has it open`, {
    cause,
    hint: 'Wait for other doorward commands to finish, and close other programs that have the file open.',
  });
}

const BESIDE = ['-wal', '-shm'] as const;
