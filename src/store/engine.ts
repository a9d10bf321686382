// What a database must give so that the tables can stand on it. SQLite is one (`sqlite/`), PostgreSQL the
// other (`postgres/`); whatever is not portable SQL is behind this type.

import type { Expression, Kysely, RawBuilder, Transaction } from 'kysely';
import type { Bulletin } from './bulletin.ts';
import type { Tables } from './tables.ts';

export type Engine = {
  /** Reads see committed data only. Faults are already `ServiceError`s, here and in `transact`. */
  readonly read: Kysely<Tables>;
  /**
   * One write transaction, durable when the promise resolves, rolled back when `work` throws. No network
   * calls inside. Others may write at the same time (not on SQLite): each statement sees what was committed
   * before it, so what was read and must still hold is kept by `locks`. `work` runs again when the database
   * finds two in each other's way.
   */
  readonly transact: <T>(work: (db: Transaction<Tables>) => Promise<T>) => Promise<T>;
  /** The same for a work that may take long: no commit of others waits for its end. */
  readonly transactLong: Engine['transact'];
  /**
   * The same on connections of their own, where there are several, for callers who may be many: they wait for
   * each other, and nobody waits for them.
   */
  readonly forCalls: Pick<Engine, 'read' | 'transact' | 'transactLong'>;
  /** As `transact`, for changes of form: one process at a time, and minutes rather than seconds. */
  readonly transactAlone: Engine['transact'];
  readonly locks: Locks;
  /** The store's clock in milliseconds as SQL, so that every process that shares a store has the same one. */
  readonly clock: () => Expression<number>;
  /** Statements that keep `audit_events` append-only, but for rows older than `audit_retention.before`. */
  readonly auditGuard: readonly string[];
  /** Statements after which nobody else writes audit events until the transaction ends. */
  readonly auditStill: readonly string[];
  /** Statements that write each new audit event into `audit_order`, numbered in the order of commits. */
  readonly auditOrder: readonly string[];
  /** Statements that keep `session_emails`, which sessions are found by, as sessions come and go. */
  readonly sessionSearch: readonly string[];
  /** Statements that note each new certificate in `certificates_unsearched`. */
  readonly certificateSearch: readonly string[];
  /** How a whole table is read fastest. */
  readonly wholeTables: WholeTables;
  /** The type of a column of texts that stand in the order of their bytes. */
  readonly textByBytes: string;
  /** The end of a CREATE TABLE whose rows are all in its key. */
  readonly rowsInKey: string;
  /** Statements that make each commit of a new change number known to `onOtherCommit` of other processes. */
  readonly changeSignal: readonly string[];
  /**
   * Calls `heard` when another process committed changes, as far as that is known: it may be late or never.
   * Ends with `close`.
   */
  readonly onOtherCommit: (heard: () => void) => void;
  readonly bulletin: Bulletin;
  /** Waits for the transactions that run. Closing twice does nothing. */
  readonly close: () => Promise<void>;
};

export type WholeTables = {
  /**
   * Where a row of that table stands: its rows lie in this order, or are found by it as fast as by any other.
   * None changes its place within one transaction of reads.
   */
  readonly placeIn: (table: string) => RawBuilder<string | number>;
  /** Columns as one text, a JSON list, which costs less than each of them for itself. */
  readonly asList: (columns: readonly string[]) => RawBuilder<string>;
};

/** What keeps a transaction's reads true until its end. Nothing on an engine where one writes at a time. */
export type Locks = {
  /** Until the transaction ends, nobody else holds the lock of this name. Taken before any other. */
  readonly name: (db: Transaction<Tables>, name: string) => Promise<void>;
  /** As `name`, but others may hold it at the same time by this; nobody does by `name`. */
  readonly sharedName: (db: Transaction<Tables>, name: string) => Promise<void>;
  /** The end of a SELECT whose rows nobody may change until the transaction ends. */
  readonly unchanged: Expression<unknown>;
  /**
   * The end of a SELECT whose rows this transaction is going to change: others wait, to change them or to
   * keep them.
   */
  readonly changing: Expression<unknown>;
};
