// Several write transactions in one commit. A commit waits for the disk, and this thread with it; whoever
// comes meanwhile goes together with the next one. Each transaction but the first is a savepoint: one that
// throws takes back its own writes alone. None is answered before the commit that holds it is on the disk,
// and whatever one saw of another before then is lost together with it. Knows no tables.

import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../domain/service-error.ts';
import { sqliteFault } from './fault.ts';

export type CommitGroup = {
  /** Throws as SQLite does, also while another process holds the lock. */
  readonly begin: () => void;
  /** The transaction is done: it is durable when `durable()` of its time resolves. */
  readonly keep: () => void;
  readonly takeBack: () => void;
  /**
   * Of the transaction that runs. Rejects when the commit failed: nothing of its group was kept then,
   * whatever its transactions answered.
   */
  readonly durable: () => Promise<void>;
  /** Before each statement: outside a transaction it would be kept by itself. */
  readonly requireRunning: () => void;
  /** After a statement failed: SQLite may have taken back everything, not the statement alone. */
  readonly noteFault: (fault: ServiceError) => void;
  /** Commits what is done, at once. Not while a transaction runs. */
  readonly flush: () => void;
};

/** `check` throws when the database may not be used any more. */
export function createCommitGroup(database: DatabaseSync, check: () => void): CommitGroup {
  const savepoint = database.prepare(`SAVEPOINT ${NAME}`);
  const release = database.prepare(`RELEASE ${NAME}`);
  let open: Group | null = null;
  let isRunning = false;
  // Of the transaction that runs: SQLite copies each page that it changes. With nothing before it in the
  // group, all that could be taken back is its own.
  let hasSavepoint = false;

  const settle = (fault: ServiceError | null): void => {
    const group = open;
    open = null;
    if (group === null) return;
    clearImmediate(group.timer);
    if (fault === null) group.resolve();
    else group.reject(fault);
  };
  const commit = (): void => {
    if (open === null) return;
    try {
      database.exec('COMMIT');
      settle(null);
    } catch (error) {
      settle(sqliteFault(error));
      undo(database);
    }
  };
  const end = (): void => {
    isRunning = false;
    if (open !== null && (open.isDue || isOld(open))) commit();
  };
  /** Everybody whose request is here already comes before it, and whoever comes while these go on coming. */
  const commitSoon = (group: Group): void => {
    if (group.hasJoined && !isOld(group)) {
      group.hasJoined = false;
      group.timer = setImmediate(() => commitSoon(group));
    } else if (isRunning) group.isDue = true;
    else commit();
  };

  return {
    begin: () => {
      check();
      if (open === null) {
        // IMMEDIATE: the write lock is taken first, so no statement inside can fail for want of it.
        database.exec('BEGIN IMMEDIATE');
        const group = newGroup();
        group.timer = setImmediate(() => commitSoon(group));
        open = group;
      }
      open.hasJoined = true;
      if (open.holdsKept) savepoint.run();
      hasSavepoint = open.holdsKept;
      isRunning = true;
    },
    keep: () => {
      if (open === null || !isInTransaction(database)) throw lost();
      if (hasSavepoint) release.run();
      open.holdsKept = true;
      end();
    },
    takeBack: () => {
      isRunning = false;
      if (!isInTransaction(database)) return settle(lost());
      try {
        if (!hasSavepoint) {
          database.exec('ROLLBACK');
          return settle(null);
        }
        database.exec(`ROLLBACK TO ${NAME}`);
        release.run();
      } catch (error) {
        settle(sqliteFault(error));
        return undo(database);
      }
      end();
    },
    durable: () => open?.durable ?? Promise.resolve(),
    requireRunning: () => {
      if (!isRunning || !isInTransaction(database)) throw lost();
    },
    noteFault: (fault) => {
      if (!isInTransaction(database)) settle(fault);
    },
    flush: commit,
  };
}

type Group = {
  readonly durable: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (fault: ServiceError) => void;
  readonly beganAt: number;
  timer: NodeJS.Immediate | undefined;
  /** A transaction of it is done, and waits for the commit. */
  holdsKept: boolean;
  /** One began since the last turn of the event loop. */
  hasJoined: boolean;
  /** It was to commit while a transaction ran, and does so when that ends. */
  isDue: boolean;
};

function newGroup(): Group {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Whoever waits for it hears of it; that may be nobody.
  promise.catch(() => {});
  return {
    durable: promise,
    resolve,
    reject,
    beganAt: performance.now(),
    timer: undefined,
    holdsKept: false,
    hasJoined: false,
    isDue: false,
  };
}

function isOld({ beganAt }: Group): boolean {
  return performance.now() - beganAt > LONGEST_MS;
}

function isInTransaction(database: DatabaseSync): boolean {
  return database.isOpen && database.isTransaction;
}

/** A full disk or a lost file may have rolled back already. */
function undo(database: DatabaseSync): void {
  try {
    if (isInTransaction(database)) database.exec('ROLLBACK');
  } catch {
    // Whoever waits was told of the fault before.
  }
}

function lost(): ServiceError {
  return new ServiceError('store_unavailable', 'Cannot write to the database: it took the transaction back');
}

const NAME = 'one_of_a_group';
/** As long as a slow disk takes for one commit: whoever began the group waits at most that much longer. */
const LONGEST_MS = 5;
