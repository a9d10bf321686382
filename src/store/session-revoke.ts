// Tokens of sessions that nobody ends by hand: revoked at the provider once the session ran out, or its share, provider or account
// ended it. They stay sealed in the row until then, so that no crash loses them.
//
//   due ──claim()──▶ held, fence + 1 ──settle()──▶ tokens gone
//    ▲  └─ the person has another session ─▶ later      └─ not taken, and not for long ─▶ due again when the hold is over
//    └──────────────── time is up ────────────────┘

import type { Expression, Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Records } from './records.ts';
import { endedSession } from './session-end-chosen.ts';
import type { SessionTable } from './store.ts';
import type { SessionsTable, Tables } from './tables.ts';

type Revocations = Pick<SessionTable, 'claimRevocations' | 'settleRevocations'>;

export function createRevocations(records: Records): Revocations {
  return {
    claimRevocations: (claim) => claimRevocations(records, claim),
    settleRevocations: (settled) => settleRevocations(records, settled),
  };
}

function claimRevocations(
  records: Records,
  { most, holdMs }: Parameters<SessionTable['claimRevocations']>[0],
): ReturnType<SessionTable['claimRevocations']> {
  const { read, write, clock, locks } = records;
  return (async () => {
    // Looked for without a write, since mostly there are none.
    const due = await dueSessions(read, clock()).select('id').limit(1).execute();
    if (due.length === 0) return null;
    return write(async ({ db }) => {
      const rows = await dueSessions(db, clock())
        .selectAll()
        .orderBy('revoke_at')
        .limit(most)
        .modifyEnd(locks.changing)
        .execute();
      const claimed: SessionsTable[] = [];
      for (const row of rows) {
        const isHeld = row.tokens !== null && !(await hasOthers(db, row, clock()));
        if (isHeld) claimed.push(row);
        await db
          .updateTable('sessions')
          .set((eb) => ({
            revoke_at: row.tokens === null ? null : isHeld ? eb(clock(), '+', holdMs) : later(clock()),
            fence: row.fence + 1,
            // A check that is late stores nothing any more.
            leased_until: null,
          }))
          .where('id', '=', row.id)
          .execute();
      }
      return claimed.map((columns) => {
        const { row, tokens } = endedSession(records, columns, true);
        return { row, tokens, fence: columns.fence + 1 };
      });
    });
  })();
}

function settleRevocations(
  { write, clock }: Records,
  { owed, giveUpMs }: Parameters<SessionTable['settleRevocations']>[0],
): Promise<void> {
  return write(async ({ db }) => {
    for (const { id, fence, isTaken } of owed) {
      const settled = db
        .updateTable('sessions')
        .set({ tokens: null, refreshable: 0, revoke_at: null })
        .where('id', '=', id)
        .where('fence', '=', fence);
      const over = sql<number>`coalesce(ended_at, expires_at) + ${sql.lit(giveUpMs)}`;
      await (isTaken ? settled : settled.where(over, '<=', clock())).execute();
    }
  });
}

/** One that is being checked may get other tokens yet. */
function dueSessions(db: Kysely<Tables>, now: Expression<number>) {
  return db
    .selectFrom('sessions')
    .where('revoke_at', '<=', now)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]));
}

/** At many providers revoking takes a person's whole grant away, and with it what another session of theirs needs. */
export async function hasOthers(
  db: Transaction<Tables>,
  row: SessionsTable,
  now: Expression<number>,
): Promise<boolean> {
  const other = await db
    .selectFrom('sessions')
    .select('id')
    .where('provider_name', '=', row.provider_name)
    .where('subject', '=', row.subject)
    .where('provider_generation', '=', row.provider_generation)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('id', '!=', row.id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** In as long as the session is over by now: one that waits for days is not looked at each minute. */
function later(now: Expression<number>) {
  const over = sql<number>`${now} - coalesce(ended_at, expires_at)`;
  return sql<number>`${now} + CASE WHEN ${over} < ${sql.lit(WAIT_LEAST_MS)} THEN ${sql.lit(WAIT_LEAST_MS)}
    WHEN ${over} > ${sql.lit(WAIT_MOST_MS)} THEN ${sql.lit(WAIT_MOST_MS)} ELSE ${over} END`;
}

const WAIT_LEAST_MS = 60_000;
const WAIT_MOST_MS = 60 * 60_000;
