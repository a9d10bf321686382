// Kysely on a pool of pg: connections that failed without an answer leave the pool, and faults leave as
// ServiceErrors. Knows neither tables nor addresses.

import type { Pool, PoolClient, QueryConfig, QueryResult as PgResult } from 'pg';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DataTypeNode,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { ServiceError } from '../../domain/service-error.ts';
import { isAnswer, postgresFault } from './fault.ts';
import type { Line } from './line.ts';

export type PostgresOptions = {
  /** For the answer to one statement. */
  readonly limitMs: number;
  /** Where to wait for one of the pool's connections; without it, in the pool. */
  readonly line?: Line;
};

export function postgresDialect(pool: Pool, options: PostgresOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pool, options),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new BytewiseCompiler(),
  };
}

function createDriver(pool: Pool, { limitMs, line }: PostgresOptions): Driver {
  // Kysely hands back the very connection that it was given; the rest of it is kept here.
  const held = new WeakMap<DatabaseConnection, Held>();
  const of = (connection: DatabaseConnection): Held => {
    const found = held.get(connection);
    if (found === undefined) throw new Error('Cannot use a connection of another driver');
    return found;
  };
  return {
    init: async () => {},
    acquireConnection: async () => {
      const leave = (await line?.enter()) ?? stay;
      const client = await pool.connect().catch((error: unknown) => {
        leave();
        return refuse(error);
      });
      const one: Held = { client, limitMs, leave, lost: false };
      const connection = createConnection(one);
      held.set(connection, one);
      return connection;
    },
    beginTransaction: async (connection, { accessMode }) =>
      void (await ask(of(connection), accessMode === 'read only' ? BEGIN_SNAPSHOT : BEGIN)),
    commitTransaction: async (connection) => {
      const { command } = await ask(of(connection), 'commit');
      if (command !== 'COMMIT')
        throw new ServiceError(
          'internal',
          'Cannot commit: an earlier statement failed, so the transaction was rolled back',
        );
    },
    rollbackTransaction: async (connection) => {
      const one = of(connection);
      // A lost connection is closed, and the server undoes what it had open.
      if (!one.lost) await ask(one, 'rollback').catch(() => (one.lost = true));
    },
    releaseConnection: async (connection) => {
      const { client, leave, lost } = of(connection);
      client.release(lost);
      leave();
    },
    destroy: async () => {},
  };
}

/** pg takes it with each query too, which its types do not say. */
type Limited = { readonly query_timeout: number };

type Held = {
  readonly client: PoolClient;
  readonly limitMs: number;
  /** Gives the place in the line back. */
  readonly leave: () => void;
  lost: boolean;
};

function stay(): void {}

function createConnection(one: Held): DatabaseConnection {
  return {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
      const { command, rowCount, rows } = await ask(one, sql, parameters.map(storable));
      const answer = { rows: rows as R[] };
      return CHANGING.has(command) ? { ...answer, numAffectedRows: BigInt(rowCount ?? 0) } : answer;
    },
    streamQuery: () => {
      throw new Error('Cannot stream a query: this driver returns whole results');
    },
  };
}

async function ask(one: Held, text: string, values: readonly unknown[] = []): Promise<PgResult> {
  if (one.lost)
    throw new ServiceError('store_unavailable', 'Cannot use the database: the connection was lost');
  try {
    const query: QueryConfig & Limited = { text, values: [...values], query_timeout: one.limitMs };
    return await one.client.query(query);
  } catch (error) {
    one.lost ||= !isAnswer(error);
    throw postgresFault(error);
  }
}

function refuse(error: unknown): never {
  throw postgresFault(error);
}

/**
 * PostgreSQL's text cannot hold NUL; it becomes what an unpaired surrogate becomes on the way, so nothing
 * fails by it.
 */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

/**
 * Kysely's compiler, but texts are compared and sorted by their bytes, as SQLite does, whatever the
 * database's collation: pages come in one order on both engines, and no index breaks when the system's
 * collation changes.
 */
class BytewiseCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node);
    if (node.dataType === 'text') this.append(' collate "C"');
  }
}

/** Said, not left to the database's default: `locks` are made for it, and stricter levels fail under load. */
const BEGIN = 'begin isolation level read committed';
/**
 * One moment of the store to its end. It holds no locks that others wait for, so it may stand still for a
 * slow disk.
 */
const BEGIN_SNAPSHOT =
  "begin isolation level repeatable read, read only; set local idle_in_transaction_session_timeout = '60s'";
const CHANGING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
