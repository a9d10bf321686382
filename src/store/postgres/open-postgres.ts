// Opens a PostgreSQL database as an engine. Any number of processes share it: their transactions run side by
// side, kept apart by row locks and named locks, on the database's clock. Knows no tables.

import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, type Transaction, sql } from 'kysely';
import { randomToken, type Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { postgresDialect } from './dialect.ts';
import { isConflict } from './fault.ts';
import { hearOtherProcesses, notificationOf } from './other-processes.ts';
import { createLine } from './line.ts';
import { ANSWER_LIMIT_MS, createPool, type Origin } from './pool.ts';
import {
  POSTGRES_AUDIT_GUARD,
  POSTGRES_AUDIT_ORDER,
  POSTGRES_AUDIT_STILL,
  POSTGRES_CHANGE_SIGNAL,
} from './rules.ts';
import { POSTGRES_SESSION_SEARCH } from './session-search.ts';
import { POSTGRES_CERTIFICATE_SEARCH } from './certificate-search.ts';

/**
 * `url` as `parsePostgresAddress` takes it. Connects when first used. Throws `config_invalid` for an unusable
 * address.
 */
export function openPostgres(url: Secret): Engine {
  const origin = { url, process: randomToken() };
  const own = openPools(origin, OWN_CONNECTIONS);
  const calls = openPools(origin, CALL_CONNECTIONS);
  const others = hearOtherProcesses(origin);
  const running = createRunning();
  const writing = databaseOn(postgresDialect(own.write.pool, { limitMs: ANSWER_LIMIT_MS }));
  const reforming = databaseOn(postgresDialect(own.write.pool, { limitMs: REFORM_LIMIT_MS }));
  const inLine = (use: 'read' | 'write') =>
    databaseOn(
      postgresDialect(calls[use].pool, {
        limitMs: ANSWER_LIMIT_MS,
        line: createLine(CALL_CONNECTIONS[use], CALL_WAIT_MS),
      }),
    );
  const writingCalls = inLine('write');
  const transactOn =
    (db: Kysely<Tables>): Engine['transact'] =>
    (work) =>
      running.add(() => withRetry(() => db.transaction().execute(work)));
  const close = once(async () => {
    await Promise.all([running.end(), others.stop()]);
    await Promise.all([own.read, own.write, calls.read, calls.write].map((pool) => pool.close()));
  });
  return {
    read: databaseOn(postgresDialect(own.read.pool, { limitMs: ANSWER_LIMIT_MS })),
    transact: transactOn(writing),
    // Each commits by itself.
    transactLong: transactOn(writing),
    forCalls: {
      read: inLine('read'),
      transact: transactOn(writingCalls),
      transactLong: transactOn(writingCalls),
    },
    transactAlone: (work) =>
      running.add(() =>
        reforming.transaction().execute(async (db) => {
          await waitAlone(db);
          return work(db);
        }),
      ),
    locks: {
      name: (db, name) => lockName(db, name),
      sharedName: async (db, name) => {
        await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${`doorward ${name}`}, 0))`.execute(
          db,
        );
      },
      unchanged: sql`for share`,
      changing: sql`for update`,
    },
    clock: () => sql<number>`floor(extract(epoch from now()) * 1000)::bigint`,
    auditGuard: POSTGRES_AUDIT_GUARD,
    auditStill: POSTGRES_AUDIT_STILL,
    auditOrder: POSTGRES_AUDIT_ORDER,
    sessionSearch: POSTGRES_SESSION_SEARCH,
    certificateSearch: POSTGRES_CERTIFICATE_SEARCH,
    wholeTables: {
      placeIn: (table) => sql.ref(`${table}.id`),
      asList: (columns) => sql`json_build_array(${sql.join(columns.map((column) => sql.ref(column)))})::text`,
    },
    textByBytes: 'text COLLATE "C"',
    rowsInKey: '',
    changeSignal: POSTGRES_CHANGE_SIGNAL,
    onOtherCommit: others.onCommit,
    bulletin: {
      post: async (text) => {
        const [channel, payload] = notificationOf(origin, text);
        await sql`SELECT pg_notify(${channel}, ${payload})`.execute(writing);
      },
      onPost: others.onPost,
    },
    close,
  };
}

/**
 * Writers may wait for each other's locks; readers have connections of their own, so they never wait behind
 * them.
 */
function openPools(origin: Origin, most: { readonly read: number; readonly write: number }) {
  return {
    read: createPool(origin, { use: 'read', most: most.read }),
    write: createPool(origin, { use: 'write', most: most.write }),
  };
}

function databaseOn(dialect: ReturnType<typeof postgresDialect>): Kysely<Tables> {
  return new Kysely<Tables>({ dialect });
}

/**
 * Those whom the database rolled back for another's sake go again, after a moment that differs from the
 * other's.
 */
async function withRetry<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction();
    } catch (error) {
      if (!isConflict(error) || tries === MOST_TRIES) throw error;
    }
    await delay(Math.random() * RETRY_WITHIN_MS * tries);
  }
}

/**
 * Named locks are 64-bit numbers to PostgreSQL. Two names that share one only wait for each other needlessly.
 */
async function lockName(db: Transaction<Tables>, name: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`doorward ${name}`}, 0))`.execute(db);
}

/**
 * First in line behind whoever changes the form; then a table in long use (a backup) is not waited for with
 * all others behind us.
 */
async function waitAlone(db: Transaction<Tables>): Promise<void> {
  await sql`SELECT set_config('statement_timeout', ${String(REFORM_LIMIT_MS)}, true),
    set_config('idle_in_transaction_session_timeout', ${String(REFORM_STANDSTILL_MS)}, true)`.execute(db);
  await lockName(db, 'form');
  await sql`SELECT set_config('lock_timeout', ${String(REFORM_LOCK_LIMIT_MS)}, true)`.execute(db);
}

type Running = { add<T>(work: () => Promise<T>): Promise<T>; end(): Promise<void> };

/** Transactions under way. After `end` began none is added. */
function createRunning(): Running {
  const running = new Set<Promise<unknown>>();
  let ended = false;
  return {
    add: async (work) => {
      if (ended) throw new ServiceError('store_unavailable', 'Cannot use the database: it is closed');
      const one = work();
      running.add(one);
      try {
        return await one;
      } finally {
        running.delete(one);
      }
    },
    end: async () => {
      ended = true;
      await Promise.allSettled(running);
    },
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => (done ??= work());
}

/** A process uses at most these and one more to listen; servers allow 100 unless told otherwise. */
const OWN_CONNECTIONS = { read: 4, write: 6 };
/** For the control API: however many call, gates, logins and the feed have theirs. */
const CALL_CONNECTIONS = { read: 3, write: 3 };
/** Each account has few calls under way at once (`limits.calls_at_once`); callers give up by then. */
const CALL_WAIT_MS = 20_000;
/**
 * Two that deadlock are settled by the first retry; ever more are a sign of trouble, and callers have limits
 * of their own.
 */
const MOST_TRIES = 5;
const RETRY_WITHIN_MS = 20;
/** A change of form may rewrite a large table. */
const REFORM_LIMIT_MS = 10 * 60 * 1000;
const REFORM_LOCK_LIMIT_MS = 4_000;
/** A restore reads its file between statements, from whatever disk that is on. */
const REFORM_STANDSTILL_MS = 60_000;
