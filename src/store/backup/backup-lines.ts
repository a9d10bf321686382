// The form of a backup: lines of JSON. A header; for each table its name and columns, then its rows, each a
// list of values; last a line with the number of rows and the SHA-256 of all that stands before it. The same
// for both engines, so that a backup of one is restored onto the other.

import { createReadStream } from 'node:fs';
import { createHash } from 'node:crypto';
import { ServiceError } from '../../domain/service-error.ts';

export type BackupHeader = {
  readonly doorward: 'backup';
  /** Of this form of file. */
  readonly version: 1;
  /** RFC 3339, UTC. */
  readonly madeAt: string;
  readonly engine: 'sqlite' | 'postgres';
  /** The migrations that the store had, in order. */
  readonly form: readonly string[];
  /** Sealed: tells which master key the store's secrets need. */
  readonly masterKeyCheck: string;
};

export type TableLine = { readonly table: string; readonly columns: readonly string[] };
export type RowLine = readonly (string | number | null)[];
export type LastLine = { readonly rows: number; readonly sha256: string };

export const BACKUP_VERSION = 1;

export type BackupVisitor = {
  readonly header: (header: BackupHeader) => Promise<void> | void;
  /** Rows of one table at a time, at most `ROWS_AT_ONCE`. */
  readonly rows: (table: TableLine, rows: readonly RowLine[]) => Promise<void> | void;
};

/**
 * Reads a backup to its end. Throws `backup_unusable` when it is none, cut short or changed; what came before
 * was visited.
 */
export async function readBackup(file: string, visitor: BackupVisitor): Promise<LastLine> {
  const hash = createHash('sha256');
  let last: LastLine | null = null;
  let table: TableLine | null = null;
  let pending: RowLine[] = [];
  let rows = 0;
  let number = 0;
  const flush = async (): Promise<void> => {
    if (table !== null && pending.length > 0) await visitor.rows(table, pending);
    pending = [];
  };
  for await (const line of linesOf(file)) {
    number++;
    if (last !== null) throw unusable(file, 'it continues after its last line');
    const value = parse(file, line, number);
    if (number === 1) await visitor.header(headerOf(file, value));
    else if (Array.isArray(value)) {
      if (table?.columns.length !== value.length)
        throw unusable(file, `line ${number} is not a row of a table`);
      rows++;
      pending.push(value as RowLine);
      if (pending.length === ROWS_AT_ONCE) await flush();
    } else if (isTable(value)) {
      await flush();
      table = value;
    } else if (isLast(value)) {
      await flush();
      last = value;
      continue;
    } else throw unusable(file, `line ${number} is not a line of a backup`);
    hash.update(line).update('\n');
  }
  if (last === null) throw unusable(file, 'it is incomplete');
  if (last.rows !== rows || last.sha256 !== hash.digest('hex'))
    throw unusable(file, 'it was changed: its checksum does not match');
  return last;
}

/** By the byte 0x0a alone: JSON may hold any other end of a line within. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, end)]);
        rest = [];
        start = end + 1;
      }
      if (start < chunk.length) rest.push(chunk.subarray(start));
    }
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw unusable(file, cause.message, cause);
  }
  if (rest.length > 0) throw unusable(file, 'it is incomplete');
}

function parse(file: string, line: Buffer, number: number): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch (cause) {
    throw unusable(file, number === 1 ? 'it is not a Doorward backup' : `line ${number} is not JSON`, cause);
  }
}

function headerOf(file: string, value: unknown): BackupHeader {
  if (typeof value !== 'object' || value === null || (value as BackupHeader).doorward !== 'backup')
    throw unusable(file, 'it is not a Doorward backup');
  const header = value as BackupHeader;
  if (header.version !== BACKUP_VERSION)
    throw new ServiceError(
      'backup_unusable',
      `Cannot restore ${file}: its format version is ${String(header.version)}, and this version of Doorward supports ${BACKUP_VERSION}`,
      { hint: 'Use the version of Doorward that created the backup, or a newer one.' },
    );
  return header;
}

function isTable(value: unknown): value is TableLine {
  return typeof value === 'object' && value !== null && 'table' in value && 'columns' in value;
}

function isLast(value: unknown): value is LastLine {
  return typeof value === 'object' && value !== null && 'sha256' in value && 'rows' in value;
}

function unusable(file: string, found: string, cause?: unknown): ServiceError {
  return new ServiceError('backup_unusable', `Cannot restore ${file}: ${found}`, {
    cause,
    hint: 'Use another backup, or copy this one again from its source.',
  });
}

const NEWLINE = 0x0a;
/** In one statement: with the widest row far below the parameters that either engine takes. */
const ROWS_AT_ONCE = 500;
