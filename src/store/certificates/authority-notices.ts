// Tells accounts, a year ahead, that the authority which issues their certificates ends: an audit event,
// which webhooks are told of. The event and that it was given are written in one transaction, so it is given
// once, whoever else tries.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { type AuditEvent, auditEvent } from '../../domain/audit-event.ts';
import { AUTHORITY_NOTICE_MS } from '../../domain/authority-end.ts';
import type { AccountId } from '../../domain/id.ts';
import { appendEvents } from '../audit/audit.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';

/** Answers how many were told of. */
export async function noteEndingAuthorities(records: Records, now: number): Promise<number> {
  let told = 0;
  for (;;) {
    const batch = await records.write(({ db }) => noteBatch(records, db, now));
    told += batch;
    // SQLite answers without leaving this turn of the event loop; others get theirs here.
    await nextTurn();
    if (batch < BATCH) return told;
  }
}

async function noteBatch(records: Records, db: Transaction<Tables>, now: number): Promise<number> {
  const ending = await db
    .selectFrom('account_cas')
    .select(['id', 'account_id', 'not_after'])
    // One that issues nothing more needs nobody: what it signed ends before it does.
    .where('retired_at', 'is', null)
    .where('not_after', '<=', now + AUTHORITY_NOTICE_MS)
    .where('end_noted_at', 'is', null)
    .orderBy('not_after')
    .limit(BATCH)
    // Another gateway that tries at the same time waits, and then finds them told.
    .modifyEnd(records.locks.changing)
    .execute();
  for (const { id } of ending)
    await db.updateTable('account_cas').set({ end_noted_at: now }).where('id', '=', id).execute();
  await appendEvents(
    records,
    db,
    ending.map((row) => eventOf(row, now)),
  );
  return ending.length;
}

type EndingRow = { readonly id: string; readonly account_id: string; readonly not_after: number };

function eventOf(row: EndingRow, now: number): AuditEvent {
  const reason = `${row.id} ${new Date(row.not_after).toISOString()}`;
  return auditEvent({ kind: 'ca.expiring', at: now, accountId: row.account_id as AccountId, reason });
}

/** A write each, in one turn of the event loop on SQLite: some milliseconds. */
const BATCH = 50;
