// The one place where faults of SQLite and of its file become faults of the service. Parameters are never in
// them.

import { ServiceError } from '../../domain/service-error.ts';
import { cannotWrite } from '../write-trouble.ts';

/**
 * `store_unavailable` when the file or disk is at fault, `internal` when the statement is; a ServiceError
 * stays itself.
 */
export function sqliteFault(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const primary = primaryCode(error);
  if (primary === null && !isClosed(error) && !isFileError(error))
    return new ServiceError('internal', 'Cannot use the database: an unexpected error occurred', {
      cause: error,
    });
  if (primary !== null && !FILE_FAULTS.has(primary))
    return new ServiceError('internal', 'Cannot use the database: it refused a statement', { cause: error });
  if (primary === FULL)
    return cannotWrite('disk_full', 'Free up space on the disk of the file of store.url.', error);
  if (primary === READONLY)
    return cannotWrite(
      'read_only',
      'Mount the disk of the file of store.url for writing, and allow the user of the service to write the file and its folder.',
      error,
    );
  return new ServiceError(
    'store_unavailable',
    `Cannot use the store: ${error instanceof Error ? error.message : ''}`,
    {
      cause: error,
      hint: 'Check that the file of store.url exists and is writable, and that its disk has space.',
    },
  );
}

/** Whether another connection holds the lock that was asked for. */
export function isBusy(error: unknown): boolean {
  const primary = primaryCode(error);
  return primary === BUSY || primary === LOCKED;
}

/** SQLite's primary result code (https://sqlite.org/rescode.html), or null when the error is not SQLite's. */
function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

/** node:sqlite's error for a database that was closed. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const FULL = 13;
/** PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB. */
const FILE_FAULTS: ReadonlySet<number> = new Set([3, BUSY, LOCKED, READONLY, 10, 11, FULL, 14, 15, 26]);
