// Opens a SQLite file as an engine: one connection writes, one reads, and a lock beside the file keeps a
// second `serve` away. Files are for their owner only. Knows no tables.

import { chownSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { ServiceError } from '../../domain/service-error.ts';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { SQLITE_AUDIT_GUARD, SQLITE_AUDIT_ORDER } from './audit-guard.ts';
import { type CommitGroup, createCommitGroup } from './commit-group.ts';
import { sqliteDialect, whenFree } from './dialect.ts';
import { isBusy, sqliteFault } from './fault.ts';
import { SQLITE_SESSION_SEARCH } from './session-search.ts';
import { SQLITE_CERTIFICATE_SEARCH } from './certificate-search.ts';

export type SqliteOptions = {
  /** Absolute. It and its folder are made when missing. */
  readonly file: string;
  /** Whether this process is the one that serves from the file. */
  readonly exclusive: boolean;
  /** The store's clock, in milliseconds since the epoch. */
  readonly now: () => number;
};

/**
 * Throws `store_in_use` when `exclusive` and another process serves from it; `store_unavailable` on faults of
 * the file.
 */
export async function openSqlite({ file, exclusive, now }: SqliteOptions): Promise<Engine> {
  const opened: DatabaseSync[] = [];
  const closeAll = (): void => {
    // The reader before the writer: the last to close writes the log back into the file. The lock goes last.
    for (const database of opened.toReversed()) if (database.isOpen) database.close();
  };
  try {
    createFile(file);
    if (exclusive) opened.push(takeLock(`${file}.lock`, file));
    const writer = await whenFree(() => openWriter(file, opened));
    const reader = await whenFree(() => openReader(file, opened));
    return engineOf({ writer, reader, check: stillThere(file), now, closeAll });
  } catch (error) {
    closeAll();
    throw sqliteFault(error);
  }
}

type Parts = {
  readonly writer: DatabaseSync;
  readonly reader: DatabaseSync;
  readonly check: () => void;
  readonly now: () => number;
  readonly closeAll: () => void;
};

function engineOf({ writer, reader, check, now, closeAll }: Parts): Engine {
  const commits = createCommitGroup(writer, check);
  const writing = new Kysely<Tables>({ dialect: sqliteDialect(writer, { commits }) });
  const transact = transactIn(writing, commits);
  // Nobody's commit waits for it, as nobody else gets the connection until it is over.
  const transactLong: Engine['transact'] = (work) =>
    writing.connection().execute((db) => {
      commits.flush();
      return transactIn(db, commits)(work);
    });
  const read = new Kysely<Tables>({ dialect: sqliteDialect(reader, { check }) });
  return {
    read,
    transact,
    transactLong,
    forCalls: { read, transact, transactLong },
    transactAlone: (work) =>
      writing.connection().execute(async (db) => {
        commits.flush();
        // Such a work may sort a whole table for an index.
        writer.exec('PRAGMA temp_store = DEFAULT');
        try {
          return await transactIn(db, commits)(work);
        } finally {
          writer.exec(UNDO_IN_MEMORY);
        }
      }),
    // One transaction at a time, in all processes: what it read stays so until its end.
    locks: { name: async () => {}, sharedName: async () => {}, unchanged: sql``, changing: sql`` },
    clock: () => sql<number>`${now()}`,
    auditGuard: SQLITE_AUDIT_GUARD,
    // One writer at a time: nobody else does.
    auditStill: [],
    auditOrder: SQLITE_AUDIT_ORDER,
    sessionSearch: SQLITE_SESSION_SEARCH,
    certificateSearch: SQLITE_CERTIFICATE_SEARCH,
    wholeTables: {
      // Rows lie by it, and in no order of their ids: by these, each is on another page.
      placeIn: (table) => sql.ref(`${table}.rowid`),
      asList: (columns) => sql`json_array(${sql.join(columns.map((column) => sql.ref(column)))})`,
    },
    textByBytes: 'text',
    rowsInKey: 'WITHOUT ROWID',
    changeSignal: [],
    onOtherCommit: () => {},
    // One process serves from a file: there is nobody else to tell.
    bulletin: { post: async () => {}, onPost: () => {} },
    close: () =>
      writing.connection().execute(async () => {
        commits.flush();
        closeAll();
      }),
  };
}

function transactIn(db: Kysely<Tables>, commits: CommitGroup): Engine['transact'] {
  return async (work) => {
    let durable: Promise<void> | null = null;
    try {
      return await db.transaction().execute((transaction) => {
        durable = commits.durable();
        return work(transaction);
      });
    } finally {
      // What it throws, too, may come of what another transaction of its group wrote.
      await durable;
    }
  };
}

/**
 * Makes the file and its folder with narrow modes; the files that SQLite puts beside it take the file's mode.
 * An existing file is never opened here: closing it again would drop the locks that this process has on it
 * (fcntl).
 */
function createFile(file: string): void {
  createFolder(dirname(file));
  try {
    closeSync(openSync(file, 'wx', FILE_MODE));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw error;
  }
  giveToOwnerOf(dirname(file), file);
}

/** With those above it that are missing. */
export function createFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  if (first === undefined) return;
  const made = [folder];
  while (made[0] !== first && made[0] !== dirname(first)) made.unshift(dirname(made[0] ?? first));
  for (const each of made) giveToOwnerOf(dirname(each), each);
}

/**
 * As root, for the service's user: a command of an operator must not leave files that the service cannot
 * open.
 */
function giveToOwnerOf(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
}

/**
 * Held while a process serves from `file` or replaces it. It ends with the process, however that dies: a
 * transaction held open on a file of its own. Throws `store_in_use` when another has it.
 */
export function takeLock(lockFile: string, file: string): DatabaseSync {
  createFile(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    // Nothing is ever written, so no journal beside it.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new ServiceError('store_in_use', `Cannot open database ${file}: another process uses it`, {
      cause: error,
      hint: 'Stop the other doorward process, or set another file in store.url.',
    });
  }
}

function openWriter(file: string, opened: DatabaseSync[]): DatabaseSync {
  // No wait inside SQLite: it would block the thread. `whenFree` waits.
  const writer = new DatabaseSync(file, { timeout: 0 });
  try {
    const mode = writer.prepare('PRAGMA journal_mode = WAL').get();
    if (mode?.['journal_mode'] !== 'wal')
      throw new ServiceError(
        'store_unusable',
        `Cannot open database ${file}: its disk does not support a write-ahead log`,
        {
          hint: 'Move the file of store.url to a local disk.',
        },
      );
    // FULL: the log is on the disk before a commit is answered.
    writer.exec(
      `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -${WRITER_CACHE_KIB}`,
    );
    writer.exec(UNDO_IN_MEMORY);
  } catch (error) {
    writer.close();
    throw error;
  }
  opened.push(writer);
  return writer;
}

function openReader(file: string, opened: DatabaseSync[]): DatabaseSync {
  const reader = new DatabaseSync(file, { readOnly: true, timeout: READ_WAIT_MS });
  opened.push(reader);
  return reader;
}

/**
 * SQLite goes on writing to a file that was deleted or replaced; those writes would be lost with the process.
 */
function stillThere(file: string): () => void {
  const { ino, dev } = statSync(file);
  return () => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.ino === ino && found.dev === dev) return;
    throw new ServiceError(
      'store_unavailable',
      `Cannot use database ${file}: the file was ${found === undefined ? 'deleted' : 'replaced'}`,
      { hint: 'Put the file back, then restart Doorward.' },
    );
  };
}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/**
 * Pages that one commit writes, with room: those of the indexes that a rush of certificates and of audit
 * events changes all over. SQLite's own 2 MB made it write and read pages again within a transaction.
 */
const WRITER_CACHE_KIB = 8_000;
/** Pages as they were before a statement or a savepoint, in memory instead of a file made for each. */
const UNDO_IN_MEMORY = 'PRAGMA temp_store = MEMORY';
/** Readers wait only while another process recovers the log after a crash, which is short. */
const READ_WAIT_MS = 1_000;
