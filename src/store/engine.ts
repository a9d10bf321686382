// What a database must give so that the tables can stand on it. SQLite is one (`sqlite/`); whatever is not portable SQL
// is behind this type.

import type { Expression, Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export type Engine = {
  /** Reads see committed data only. Faults are already `ServiceError`s, here and in `transact`. */
  readonly read: Kysely<Tables>;
  /** One write transaction, durable when the promise resolves, rolled back when `work` throws. No network calls inside. */
  readonly transact: <T>(work: (db: Transaction<Tables>) => Promise<T>) => Promise<T>;
  /** The store's clock in milliseconds as SQL, so that every process that shares a store has the same one. */
  readonly clock: () => Expression<number>;
  /** Statements that keep `audit_events` append-only, but for rows older than `audit_retention.before`. */
  readonly auditGuard: readonly string[];
  /** Waits for the transaction that runs. Closing twice does nothing. */
  readonly close: () => Promise<void>;
};
