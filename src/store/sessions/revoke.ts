// Tokens of sessions that are over: revoked at the provider once the session ran out, or something or
// somebody ended it. They stay sealed in the row until then, so that no crash loses them. Whether and when a
// provider is asked is decided in `login/`.
//
//   due ──claim()──▶ held, fence + 1 ──settle()──▶ over: tokens gone
//    ▲  ▲                               ├─ failed, not for long ─▶ due again when the hold is over
//    │  └──────────── time is up ───────┴─ to wait ─▶ later

import { type Expression, type Transaction, sql } from 'kysely';
import type { Records } from '../records.ts';
import { tokensIfOpen, toSession } from './row.ts';
import type { OwedRevocation, RevocationClaim } from './owed-revocation.ts';
import type { SessionTable } from './session-table.ts';
import type { Tables } from '../tables.ts';
import type { SessionsTable } from './tables.ts';

type Revocations = Pick<SessionTable, 'claimRevocations' | 'settleRevocations'>;

export function createRevocations(records: Records): Revocations {
  return {
    claimRevocations: (claim) => claimRevocations(records, claim),
    settleRevocations: (settled) => settleRevocations(records, settled),
  };
}

async function claimRevocations(
  records: Records,
  claim: RevocationClaim,
): ReturnType<SessionTable['claimRevocations']> {
  // Looked for without a write, since mostly there are none.
  const due = await soonestDue(records, claim);
  if (due.length === 0) return null;
  const byProvider = Map.groupBy(due, (each) => each.provider_name);
  for (const found of byProvider.values()) {
    const claimed = await hold(records, claim, found);
    if (claimed.length > 0) return claimed;
  }
  return [];
}

/** From its index alone, so that it costs little how many are passed over. */
function soonestDue({ read, clock }: Records, { butOf: { providers, accounts } }: RevocationClaim) {
  let due = read
    .selectFrom('sessions')
    .select(['id', 'provider_name'])
    .where('revoke_at', '<=', clock())
    .orderBy('revoke_at')
    .limit(LOOKED_AT);
  if (providers.length > 0) due = due.where('provider_name', 'not in', providers);
  if (accounts.length > 0) due = due.where('account_id', 'not in', accounts);
  return due.execute();
}

function hold(
  records: Records,
  { most, holdMs }: RevocationClaim,
  found: readonly { readonly id: string }[],
): Promise<readonly OwedRevocation[]> {
  const { write, clock, locks, seal } = records;
  return write(async ({ db }) => {
    const rows = await db
      .selectFrom('sessions')
      .selectAll()
      .where(
        'id',
        'in',
        found.map(({ id }) => id),
      )
      .where('revoke_at', '<=', clock())
      // One that is being checked may get other tokens yet.
      .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', clock())]))
      .orderBy('revoke_at')
      .limit(most)
      .modifyEnd(locks.changing)
      .execute();
    if (rows.length === 0) return [];
    await db
      .updateTable('sessions')
      .set((eb) => ({
        revoke_at: eb
          .case()
          .when('tokens', 'is', null)
          .then(null)
          .else(eb(clock(), '+', holdMs))
          .end(),
        fence: eb('fence', '+', 1),
        // A check that is late stores nothing any more.
        leased_until: null,
      }))
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    const claimed: OwedRevocation[] = [];
    for (const row of rows)
      claimed.push({
        row: toSession(row),
        tokens: tokensIfOpen(seal, row),
        fence: row.fence + 1,
        hasOthers: await hasOthers(db, row, clock()),
      });
    return claimed;
  });
}

function settleRevocations(
  { write, clock }: Records,
  { owed, giveUpMs }: Parameters<SessionTable['settleRevocations']>[0],
): Promise<void> {
  return write(async ({ db }) => {
    const isLong = sql<boolean>`coalesce(ended_at, expires_at) + ${sql.lit(giveUpMs)} <= ${clock()}`;
    for (const { id, fence, outcome } of owed) {
      const settled = db.updateTable('sessions').where('id', '=', id).where('fence', '=', fence);
      if (outcome === 'wait') await settled.set({ revoke_at: later(clock()) }).execute();
      else if (outcome === 'over') await settled.set(GONE).execute();
      else await settled.set(GONE).where(isLong).execute();
    }
  });
}

/**
 * At many providers revoking takes a person's whole grant away, and with it what another session of theirs
 * needs.
 */
async function hasOthers(
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

const GONE = { tokens: null, refreshable: 0, revoke_at: null };
/** Among so many, most find enough of one provider to fill a claim. */
const LOOKED_AT = 64;
const WAIT_LEAST_MS = 60_000;
const WAIT_MOST_MS = 60 * 60_000;
