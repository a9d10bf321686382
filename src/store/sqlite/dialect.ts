// Kysely on node:sqlite: a driver of one connection. Kysely's own mutex gives it to one query or transaction
// at a time. Knows neither tables nor files; faults leave it as ServiceErrors.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { ServiceError } from '../../domain/service-error.ts';
import type { CommitGroup } from './commit-group.ts';
import { isBusy, sqliteFault } from './fault.ts';

type Using =
  /** A connection that reads. It throws when the database may not be used any more. */
  | { readonly check: () => void }
  /** One that writes, in transactions alone: they are durable when this says so, after Kysely's are over. */
  | { readonly commits: CommitGroup };

export function sqliteDialect(database: DatabaseSync, using: Using): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () =>
      'check' in using ? createReadDriver(database, using.check) : createWriteDriver(database, using.commits),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * Tries again, without blocking the thread, while another connection holds the lock. Faults are
 * ServiceErrors.
 */
export async function whenFree<T>(action: () => T): Promise<T> {
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error)) throw sqliteFault(error);
      if (performance.now() > deadline)
        throw new ServiceError(
          'store_unavailable',
          'Cannot write to the database: another process has locked it',
          {
            cause: error,
            hint: 'Close other programs that have the file of store.url open for writing.',
          },
        );
    }
    await delay(LOCK_RETRY_MS);
  }
}

function createReadDriver(database: DatabaseSync, check: () => void): Driver {
  return {
    ...driverOf(
      createConnection(database, {
        check: () => {
          if (!database.isOpen || !database.isTransaction) check();
        },
        faultOf: sqliteFault,
      }),
    ),
    // It takes no lock, and sees one moment of the store to its end.
    beginTransaction: () =>
      whenFree(() => {
        check();
        database.exec('BEGIN');
      }),
    commitTransaction: async () => mapped(() => database.exec('COMMIT')),
    rollbackTransaction: async () =>
      mapped(() => {
        if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
      }),
  };
}

function createWriteDriver(database: DatabaseSync, commits: CommitGroup): Driver {
  const noted = (error: unknown): ServiceError => {
    const fault = sqliteFault(error);
    commits.noteFault(fault);
    return fault;
  };
  return {
    ...driverOf(createConnection(database, { check: commits.requireRunning, faultOf: noted })),
    beginTransaction: () => whenFree(commits.begin),
    commitTransaction: async () => mapped(commits.keep),
    rollbackTransaction: async () => mapped(commits.takeBack),
  };
}

/** Of the one connection that there is. */
function driverOf(
  connection: DatabaseConnection,
): Pick<Driver, 'init' | 'acquireConnection' | 'releaseConnection' | 'destroy'> {
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}

type Statements = {
  /** Before each. */
  readonly check: () => void;
  /** What its error is to whoever asked. */
  readonly faultOf: (error: unknown) => ServiceError;
};

function createConnection(database: DatabaseSync, { check, faultOf }: Statements): DatabaseConnection {
  const statements = new Map<string, Prepared>();
  return {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> =>
      mapped(() => {
        check();
        const { statement, answersRows } = prepare(database, statements, sql);
        const values = parameters as readonly SQLInputValue[];
        if (answersRows) return { rows: statement.all(...values) as R[] };
        const { changes, lastInsertRowid } = statement.run(...values);
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
      }, faultOf),
    streamQuery: () => {
      throw new Error('Cannot stream a query: this driver returns whole results');
    },
  };
}

type Prepared = { readonly statement: StatementSync; readonly answersRows: boolean };

/** Statements by their SQL, the longest unused leaving first. */
function prepare(database: DatabaseSync, statements: Map<string, Prepared>, sql: string): Prepared {
  const known = statements.get(sql);
  statements.delete(sql);
  const prepared = known ?? compile(database, sql);
  statements.set(sql, prepared);
  const oldest = statements.keys().next().value;
  if (statements.size > MOST_STATEMENTS && oldest !== undefined) statements.delete(oldest);
  return prepared;
}

function compile(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql);
  return { statement, answersRows: statement.columns().length > 0 };
}

function mapped<T>(action: () => T, faultOf: (error: unknown) => ServiceError = sqliteFault): T {
  try {
    return action();
  } catch (error) {
    throw faultOf(error);
  }
}

/** The service has some sixty statements; lists of varying length make more. */
const MOST_STATEMENTS = 300;
/**
 * Other writers (the operator's bootstrap) hold the lock for milliseconds; five seconds mean that something
 * is stuck.
 */
const LOCK_WAIT_MS = 5_000;
const LOCK_RETRY_MS = 5;
