// The audit log: appended to, never changed (the database itself refuses: `auditGuard` of its engine). Only the
// retention sweep deletes, and only what is older than the time it is given.

import type { Transaction } from 'kysely';
import type { AuditEvent, AuditKind } from '../domain/audit-event.ts';
import type { AccountId, AuditEventId, SessionId, ShareId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { AuditTable } from './store.ts';
import { BATCH_ROWS, inBatches } from './columns.ts';
import type { Records } from './records.ts';
import type { AuditEventsTable, Tables } from './tables.ts';

export function createAuditTable(records: Records): AuditTable {
  return {
    append: (events) =>
      records.write(async ({ db }) => {
        for (const batch of inBatches(events))
          await db
            .insertInto('audit_events')
            .values(batch.map(fromEvent))
            .onConflict((conflict) => conflict.column('id').doNothing())
            .execute();
      }),
    list: (page) => listEvents(records, page),
    forget: async (before) => {
      for (;;) {
        const forgotten = await records.write(({ db }) => forgetBatch(db, before));
        if (forgotten < BATCH_ROWS) return;
      }
    },
  };
}

async function listEvents(
  { read }: Records,
  { accountId, before, limit }: Parameters<AuditTable['list']>[0],
): Promise<readonly AuditEvent[]> {
  const events = read
    .selectFrom('audit_events')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (before === null) return (await events.execute()).map(toEvent);
  const last = await read
    .selectFrom('audit_events')
    .select(['at', 'id'])
    .where('account_id', '=', accountId)
    .where('id', '=', before)
    .executeTakeFirst();
  if (last === undefined)
    throw new ServiceError('validation_failed', 'Cannot list audit events: the cursor names no event', {
      hint: 'start again without a cursor',
    });
  const rows = await events
    .where((eb) => eb.or([eb('at', '<', last.at), eb.and([eb('at', '=', last.at), eb('id', '<', last.id)])]))
    .execute();
  return rows.map(toEvent);
}

/** Opens the guard up to `before`, deletes a batch, closes it: in one transaction, so nobody else passes through. */
async function forgetBatch(db: Transaction<Tables>, before: number): Promise<number> {
  const guard = (time: number) => db.updateTable('audit_retention').set({ before: time }).execute();
  await guard(before);
  const { numDeletedRows } = await db
    .deleteFrom('audit_events')
    .where('id', 'in', (eb) =>
      eb.selectFrom('audit_events').select('id').where('at', '<', before).limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  await guard(0);
  return Number(numDeletedRows);
}

function toEvent(row: AuditEventsTable): AuditEvent {
  return {
    id: row.id as AuditEventId,
    at: row.at,
    kind: row.kind as AuditKind,
    accountId: row.account_id as AccountId | null,
    shareId: row.share_id as ShareId | null,
    sessionId: row.session_id as SessionId | null,
    provider: row.provider,
    email: row.email,
    actor: row.actor,
    ip: row.ip,
    requestId: row.request_id,
    reason: row.reason,
  };
}

function fromEvent(event: AuditEvent): AuditEventsTable {
  return {
    id: event.id,
    at: event.at,
    kind: event.kind,
    account_id: event.accountId,
    share_id: event.shareId,
    session_id: event.sessionId,
    provider: event.provider,
    email: event.email,
    actor: event.actor,
    ip: event.ip,
    request_id: event.requestId,
    reason: event.reason,
  };
}
