// The one place where faults of PostgreSQL and of the way to it become faults of the service. Values of rows
// are never in them: what PostgreSQL says about one is left out (`detail`, and the message of class 22).

import { DatabaseError } from 'pg';
import { ServiceError } from '../../domain/service-error.ts';
import { cannotWrite } from '../write-trouble.ts';

/**
 * `store_unavailable` when the server or the way to it is at fault, `internal` when the statement is; a
 * ServiceError stays itself.
 */
export function postgresFault(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const state = sqlState(error);
  if (state === null) return unavailable(error instanceof Error ? error : new Error(String(error)));
  const cause = withoutValues(error as DatabaseError, state);
  if (state === DISK_FULL)
    return cannotWrite(
      'disk_full',
      'Free up space on the disk of the PostgreSQL server of store.url.',
      cause,
    );
  if (state === READ_ONLY)
    return cannotWrite('read_only', 'Set store.url to the primary, and allow writes to the database.', cause);
  if (SERVER_FAULT.test(state) || CONFLICT.test(state)) return unavailable(cause);
  return new ServiceError('internal', 'Cannot use the database: it refused a statement', { cause });
}

/**
 * Whether the database undid the transaction because another was in its way: all of it may be tried again.
 */
export function isConflict(error: unknown): boolean {
  return error instanceof ServiceError && CONFLICT.test(sqlState(error.cause) ?? '');
}

/**
 * Whether the connection answered and can go on after `rollback`. One that did not may still be busy: it is
 * closed.
 */
export function isAnswer(error: unknown): boolean {
  const state = sqlState(error);
  return state !== null && !CONNECTION_LOST.test(state);
}

function unavailable(cause: Error): ServiceError {
  const message = cause.message === '' ? cause.name : cause.message;
  return new ServiceError('store_unavailable', `Cannot use the database: ${message}`, {
    cause,
    hint: 'Check that the PostgreSQL server of store.url is running and reachable, and accepts the user, password and sslmode.',
  });
}

/**
 * The five characters of SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html), or null.
 */
function sqlState(error: unknown): string | null {
  if (!(error instanceof DatabaseError) && !(error instanceof PostgresError)) return null;
  return error.code ?? null;
}

/** PostgreSQL's error without the fields that quote rows and parameters. */
class PostgresError extends Error {
  readonly code: string;
  readonly table: string | null;
  readonly constraint: string | null;

  constructor(message: string, code: string, { table, constraint }: DatabaseError) {
    super(message);
    this.name = 'PostgresError';
    this.code = code;
    this.table = table ?? null;
    this.constraint = constraint ?? null;
  }
}

function withoutValues(error: DatabaseError, state: string): PostgresError {
  const message = QUOTES_VALUES.test(state) ? 'a value was refused' : error.message;
  return new PostgresError(`${message} (${state})`, state, error);
}

/** Data exceptions: `invalid input syntax for type bigint: "…"`. */
const QUOTES_VALUES = /^22/;
const DISK_FULL = '53100';
const READ_ONLY = '25006';
/** serialization_failure, deadlock_detected. */
const CONFLICT = /^40(?:001|P01)$/;
/**
 * Of the server, its machine or its settings, rather than of a statement: connection (08), log-in (28),
 * unknown database (3D), resources (53), operator's intervention and time limits (57), locks not to be had
 * (55P03), system (58), internal (XX), the server is a standby (25006), a transaction that stood still or
 * took too long (25P03, 25P04), no permission (42501).
 */
const SERVER_FAULT = /^(?:08|28|3D|53|57|58|XX|55P03|25006|25P0[34]|42501)/;
/**
 * After these nothing more can be asked on the connection: 08, server going down (57P0x), ended for standing
 * still, a standby.
 */
const CONNECTION_LOST = /^(?:08|57P0|25P0[34]|25006)/;
