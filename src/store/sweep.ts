// Deletes what is over, a few rows a transaction, so that no login waits behind it, and by one gateway of
// many at a time.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Transaction, sql } from 'kysely';
import { sweepChanges } from './changes.ts';
import { BATCH_ROWS } from './columns.ts';
import { sweepAccessEndings } from './people/access-endings.ts';
import type { Records } from './records.ts';
import { sweepRevokedSerials } from './certificates/revoked-serials.ts';
import type { Tables } from './tables.ts';
import { takeTurn } from './turn.ts';
import { sweepFormerSecrets } from './webhooks/secrets.ts';

/** Whether this process is to sweep now; no other is for so many milliseconds. */
export function takeSweep(records: Records, holdMs: number): Promise<boolean> {
  return takeTurn(records, SWEEP_UNTIL, holdMs);
}

/**
 * What ended or expired before `before`; changes that every gateway has long read, and secrets that sign no
 * more, whatever it is.
 */
export async function sweep(records: Records, before: number): Promise<void> {
  const { clock } = records;
  const changesBefore = [before, sql<number>`${clock()} - ${sql.lit(CHANGES_KEPT_MS)}`];
  const steps: readonly Step[] = [
    (db) => sweepAttempts(db, before),
    (db) => sweepRequestTokens(db, before),
    (db) => sweepRevokedSerials(db, before),
    (db) => sweepDeliveries(db, before),
    (db) => sweepFormerSecrets(records, db),
    (db) => sweepConsole(db, before),
    (db) => sweepAccessRequests(db, before),
    (db) => sweepAccessEndings(records, db, before),
    (db) => sweepChanges(db, changesBefore, BATCH_ROWS),
  ];
  for (const time of ['expires_at', 'ended_at'] as const)
    await sweepAll(records, (db) => sweepSessions(records, db, { time, before }), SESSIONS_AT_ONCE);
  for (const step of steps) await sweepAll(records, step, BATCH_ROWS);
}

/** Answers how many went; as many as it takes at a time when there may be more. */
type Step = (db: Transaction<Tables>) => Promise<number>;

async function sweepAll({ write }: Records, step: Step, most: number): Promise<void> {
  let swept: number;
  do {
    swept = await write(({ db }) => step(db));
    // SQLite answers without leaving this turn of the event loop; others get theirs here.
    await nextTurn();
  } while (swept >= most);
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

/**
 * By one time after the other: each has its index. Sessions of one address end in any order, and the one that
 * was seen last may go first: with whichever is the last of them, the address goes too.
 */
async function sweepSessions(
  records: Records,
  db: Transaction<Tables>,
  { time, before }: { readonly time: 'expires_at' | 'ended_at'; readonly before: number },
): Promise<number> {
  const gone = await db
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb.selectFrom('sessions').select('id').where(time, '<', before).limit(SESSIONS_AT_ONCE),
    )
    .returning(['account_id', (eb) => eb.fn<string>('lower', ['email']).as('email')])
    .execute();
  for (const [accountId, rows] of Map.groupBy(gone, (row) => row.account_id))
    await forgetEmails(records, db, { accountId, emails: [...new Set(rows.map(({ email }) => email))] });
  return gone.length;
}

/** Those of which no session is left. */
async function forgetEmails(
  { clock }: Records,
  db: Transaction<Tables>,
  { accountId, emails }: { readonly accountId: string; readonly emails: readonly string[] },
): Promise<void> {
  const gone = sql.join(emails.map((email) => sql`(${email})`));
  // Held against the values, for which both databases take the index of sessions.
  const without = sql<string>`(
    SELECT gone.column1 FROM (VALUES ${gone}) AS gone
    WHERE NOT EXISTS (
      SELECT 1 FROM sessions WHERE account_id = ${accountId} AND lower(email) = gone.column1))`;
  await db
    .deleteFrom('session_emails')
    .where('account_id', '=', accountId)
    .where('email', 'in', without)
    // A login of this moment writes an address again that was seen longer ago than a day (`sessionSearch`).
    .where('seen_at', '<', sql<number>`${clock()} - ${sql.lit(SEEN_LATELY_MS)}`)
    .execute();
}

/** Used or not: what was issued for one stays, and so does the audit. */
async function sweepRequestTokens(db: Transaction<Tables>, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('certificate_request_tokens')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('certificate_request_tokens')
        .select('id')
        .where('expires_at', '<', before)
        .limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Those that nobody asked again, or decided on, for a month; who is let in keeps the rule. */
async function sweepAccessRequests(db: Transaction<Tables>, before: number): Promise<number> {
  const askedBefore = before - ACCESS_REQUESTS_KEPT_MS;
  const { numDeletedRows } = await db
    .deleteFrom('access_requests')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('access_requests')
        .select('id')
        .where('last_asked_at', '<', askedBefore)
        .limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/**
 * Console sessions, invitations and logins by device that are over. A deleted member's went with the member.
 */
async function sweepConsole(db: Transaction<Tables>, before: number): Promise<number> {
  const devices = await db
    .deleteFrom('device_logins')
    .where('id', 'in', (eb) =>
      eb.selectFrom('device_logins').select('id').where('expires_at', '<', before).limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  let most = Number(devices.numDeletedRows);
  for (const table of ['console_sessions', 'key_sessions', 'visitor_sessions'] as const) {
    const sessions = await db
      .deleteFrom(table)
      .where('hash', 'in', (eb) =>
        eb.selectFrom(table).select('hash').where('expires_at', '<', before).limit(BATCH_ROWS),
      )
      .executeTakeFirstOrThrow();
    most = Math.max(most, Number(sessions.numDeletedRows));
  }
  const invitations = await db
    .deleteFrom('invitations')
    .where('id', 'in', (eb) =>
      eb.selectFrom('invitations').select('id').where('expires_at', '<', before).limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  return Math.max(most, Number(invitations.numDeletedRows));
}

/**
 * Given up long ago, but for those of accounts that are suspended or of webhooks that went away at that
 * moment.
 */
async function sweepDeliveries(db: Transaction<Tables>, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (eb) =>
      eb.selectFrom('webhook_deliveries').select('id').where('created_at', '<', before).limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Some tens of milliseconds on SQLite: with the last of an address goes all that it is found by. */
const SESSIONS_AT_ONCE = 100;
/** More than the day in which an address is not written again, by whichever clock. */
const SEEN_LATELY_MS = 2 * 86_400_000;
const ACCESS_REQUESTS_KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const SWEEP_UNTIL = 'sweep_until';
/** A gateway polls every half second; one that was away for an hour reads everything again. */
const CHANGES_KEPT_MS = 60 * 60 * 1000;
