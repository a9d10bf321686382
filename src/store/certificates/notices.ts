// Tells that certificates are about to be over: an audit event, which webhooks are told of, for each notice
// that is due. The event and what is due next are written in one transaction, so a notice is given once,
// whoever else tries and whatever crashes.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { type AuditEvent, auditEvent } from '../../domain/audit-event.ts';
import { nextNoticeAt } from '../../domain/certificate-notice.ts';
import type { AccountId } from '../../domain/id.ts';
import { appendEvents } from '../audit/audit.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';

/** Answers how many were told of. */
export async function noteExpiring(records: Records, now: number): Promise<number> {
  let told = 0;
  for (;;) {
    const batch = await records.write(({ db }) => noteBatch(records, db, now));
    told += batch.told;
    // SQLite answers without leaving this turn of the event loop; others get theirs here.
    await nextTurn();
    if (batch.due < BATCH) return told;
  }
}

async function noteBatch(
  records: Records,
  db: Transaction<Tables>,
  now: number,
): Promise<{ readonly due: number; readonly told: number }> {
  const due = await dueAt(records, db, now);
  const events = due.filter((row) => !isSettled(row, now)).map((row) => eventOf(row, now));
  for (const row of due) {
    const next = nextNoticeAt({ createdAt: row.created_at, notAfter: row.not_after }, now);
    await db
      .updateTable('client_certificates')
      .set({ next_notice_at: row.revoked_at === null && row.not_after > now ? next : null })
      .where('id', '=', row.id)
      .execute();
  }
  await appendEvents(records, db, events);
  return { due: due.length, told: events.length };
}

type DueRow = Awaited<ReturnType<typeof dueAt>>[number];

function dueAt({ locks }: Records, db: Transaction<Tables>, now: number) {
  return (
    db
      .selectFrom('client_certificates')
      .select(['id', 'account_id', 'email_address', 'created_at', 'not_after', 'revoked_at'])
      .select((eb) =>
        eb
          .selectFrom('client_certificates as next')
          .select('next.id')
          .whereRef('next.renewed_from', '=', 'client_certificates.id')
          .whereRef('next.not_after', '>', 'client_certificates.not_after')
          .where('next.revoked_at', 'is', null)
          .limit(1)
          .as('renewed_as'),
      )
      .where('next_notice_at', '<=', now)
      .orderBy('next_notice_at')
      .limit(BATCH)
      // Another gateway that tries at the same time waits, and then finds them told.
      .modifyEnd(locks.changing)
      .execute()
  );
}

/** Nobody needs to hear of one that is over, or that another took the place of. */
function isSettled(row: DueRow, now: number): boolean {
  return row.revoked_at !== null || row.not_after <= now || row.renewed_as !== null;
}

function eventOf(row: DueRow, now: number): AuditEvent {
  return auditEvent({
    kind: 'certificate.expiring',
    at: now,
    accountId: row.account_id as AccountId,
    email: row.email_address,
    reason: `${row.id} ${new Date(row.not_after).toISOString()}`,
  });
}

/** A write each, in one turn of the event loop on SQLite: some milliseconds. */
const BATCH = 50;
