// Deletes what is over, a few rows a transaction, so that no login waits behind it.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Transaction, sql } from 'kysely';
import { sweepChanges } from './changes.ts';
import { BATCH_ROWS } from './columns.ts';
import type { Records } from './records.ts';
import type { Tables } from './tables.ts';

/** Attempts and sessions that ended or expired before `before`, and changes that every gateway has long read. */
export async function sweep({ write, clock }: Records, before: number): Promise<void> {
  const changesBefore = [before, sql<number>`${clock()} - ${sql.lit(CHANGES_KEPT_MS)}`];
  const steps: readonly ((db: Transaction<Tables>) => Promise<number>)[] = [
    (db) => sweepAttempts(db, before),
    (db) => sweepSessions(db, before),
    (db) => sweepDeliveries(db, before),
    (db) => sweepConsole(db, before),
    (db) => sweepChanges(db, changesBefore, BATCH_ROWS),
  ];
  for (const step of steps) {
    let swept: number;
    do {
      swept = await write(({ db }) => step(db));
      // SQLite answers without leaving this turn of the event loop; others get theirs here.
      await nextTurn();
    } while (swept >= BATCH_ROWS);
  }
}

async function sweepAttempts(db: Transaction<Tables>, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('attempts')
    .where('id', 'in', (eb) =>
      eb.selectFrom('attempts').select('id').where('expires_at', '<', before).limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function sweepSessions(db: Transaction<Tables>, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where((or) => or.or([or('expires_at', '<', before), or('ended_at', '<', before)]))
        .limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Console sessions and invitations that are over. A deleted member's went with the member. */
async function sweepConsole(db: Transaction<Tables>, before: number): Promise<number> {
  const sessions = await db
    .deleteFrom('console_sessions')
    .where('hash', 'in', (eb) =>
      eb.selectFrom('console_sessions').select('hash').where('expires_at', '<', before).limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  const invitations = await db
    .deleteFrom('invitations')
    .where('id', 'in', (eb) =>
      eb.selectFrom('invitations').select('id').where('expires_at', '<', before).limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  return Math.max(Number(sessions.numDeletedRows), Number(invitations.numDeletedRows));
}

/** Given up long ago, but for those of accounts that are suspended or of webhooks that went away at that moment. */
async function sweepDeliveries(db: Transaction<Tables>, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (eb) =>
      eb.selectFrom('webhook_deliveries').select('id').where('created_at', '<', before).limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** A gateway polls every half second; one that was away for an hour reads everything again. */
const CHANGES_KEPT_MS = 60 * 60 * 1000;
