// The log of deliveries: written in the transaction that says how an attempt went, so there is never one
// without the other. Of a webhook it has the last `MOST_LOGGED`, and those since it was last cut to that.

import { sql, type Transaction } from 'kysely';
import type { AuditKind } from '../../domain/audit-kind.ts';
import type { AccountId, AuditEventId, DeliveryId, WebhookId } from '../../domain/id.ts';
import { BATCH_ROWS } from '../columns.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';
import {
  type AttemptedDelivery,
  type DeliveryAttempt,
  type DeliveryDetail,
  type DeliveryLogTable,
  type DeliveryState,
  type LoggedDelivery,
  type LogPage,
  MOST_ATTEMPTS,
  MOST_LOGGED,
} from './logged-delivery.ts';
import type { WebhookLogTable } from './tables.ts';

export function createDeliveryLogTable(records: Records): DeliveryLogTable {
  return {
    list: async (of, page) => (await listed(records, of, page).execute()).map(toLogged),
    find: async (accountId, id) => {
      const row = await logged(records, accountId)
        .selectAll('log')
        .where('log.id', '=', id)
        .executeTakeFirst();
      return row === undefined ? null : toDetail(row);
    },
    attempted: (delivery, attempt) =>
      records.write(({ db }) => noteByHand(records, db, { delivery, attempt })),
    forget: async (before) => {
      let swept: number;
      do swept = await records.write(({ db }) => forgetSome(db, before));
      while (swept >= BATCH_ROWS);
    },
  };
}

type Noted = { readonly delivery: AttemptedDelivery; readonly attempt: DeliveryAttempt };

/** The webhook's row is locked by then, so that of two attempts at once neither is lost. */
export async function noteAttempt(
  { clock }: Records,
  db: Transaction<Tables>,
  { delivery, attempt }: Noted,
): Promise<void> {
  const known = await earlierAttempts(db, delivery, attempt);
  const attempts = [...(known ?? []), attempt].slice(-MOST_ATTEMPTS);
  const columns = {
    last_at: clock(),
    attempted_at: attempt.at,
    number: attempt.number,
    status: attempt.status,
    reason: attempt.reason,
    duration_ms: attempt.durationMs,
    attempts: JSON.stringify(attempts),
  };
  if (known !== null) {
    await db.updateTable('webhook_log').set(columns).where('id', '=', delivery.id).execute();
    return;
  }
  await db
    .insertInto('webhook_log')
    .values({
      id: delivery.id,
      account_id: delivery.accountId,
      webhook_id: delivery.webhookId,
      event_id: delivery.eventId,
      kind: delivery.kind,
      payload: delivery.payload,
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
  if (CUTS.test(delivery.id)) await dropOldest(db, delivery.webhookId);
}

/** Null where nothing is logged yet, as before the first by itself: nobody looks then. */
async function earlierAttempts(
  db: Transaction<Tables>,
  { id }: AttemptedDelivery,
  { number }: DeliveryAttempt,
): Promise<readonly DeliveryAttempt[] | null> {
  if (number === 1) return null;
  const row = await db.selectFrom('webhook_log').select('attempts').where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : attemptsIn(row.attempts);
}

export async function dropDeliveryLog(db: Transaction<Tables>, webhookId: WebhookId): Promise<void> {
  await db.deleteFrom('webhook_log').where('webhook_id', '=', webhookId).execute();
}

async function noteByHand(records: Records, db: Transaction<Tables>, noted: Noted): Promise<void> {
  const { delivery, attempt } = noted;
  const webhook = await db
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', delivery.webhookId)
    .where('account_id', '=', delivery.accountId)
    .modifyEnd(records.locks.changing)
    .executeTakeFirst();
  if (webhook === undefined) return;
  if (attempt.reason === null) {
    await db.deleteFrom('webhook_deliveries').where('id', '=', delivery.id).execute();
    await db
      .updateTable('webhooks')
      .set({ last_delivered_at: records.clock(), failing_since: null })
      .where('id', '=', delivery.webhookId)
      .execute();
  }
  await noteAttempt(records, db, noted);
}

/** Of those beyond the bound at most some hundred: an earlier bound may have left more. */
async function dropOldest(db: Transaction<Tables>, webhookId: WebhookId): Promise<void> {
  await db
    .deleteFrom('webhook_log')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_log')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .orderBy('last_at', 'desc')
        .orderBy('id', 'desc')
        .limit(BATCH_ROWS)
        .offset(MOST_LOGGED),
    )
    .execute();
}

async function forgetSome(db: Transaction<Tables>, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_log')
    .where('id', 'in', (eb) =>
      eb.selectFrom('webhook_log').select('id').where('last_at', '<', before).limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

type Of = { readonly accountId: AccountId; readonly webhookId: WebhookId };

function logged({ read }: Records, accountId: AccountId) {
  return read
    .selectFrom('webhook_log as log')
    .leftJoin('webhook_deliveries as queued', 'queued.id', 'log.id')
    .select('queued.next_at')
    .where('log.account_id', '=', accountId);
}

/** Without payloads and answers, which may be long. */
function listed(records: Records, { accountId, webhookId }: Of, { state, before, limit }: LogPage) {
  return logged(records, accountId)
    .where('log.webhook_id', '=', webhookId)
    .select([
      'log.id',
      'log.account_id',
      'log.webhook_id',
      'log.event_id',
      'log.kind',
      'log.last_at',
      'log.attempted_at',
      'log.number',
      'log.status',
      'log.reason',
      'log.duration_ms',
    ])
    .$if(state === 'delivered', (query) => query.where('log.reason', 'is', null))
    .$if(state === 'retrying', (query) =>
      query.where('log.reason', 'is not', null).where('queued.id', 'is not', null),
    )
    .$if(state === 'failed', (query) =>
      query.where('log.reason', 'is not', null).where('queued.id', 'is', null),
    )
    .$if(before !== null, (query) =>
      query.where(sql<boolean>`(log.last_at, log.id) < (${before?.lastAt ?? 0}, ${before?.id ?? ''})`),
    )
    .orderBy('log.last_at', 'desc')
    .orderBy('log.id', 'desc')
    .limit(limit);
}

type LoggedRow = Omit<WebhookLogTable, 'payload' | 'attempts'> & { readonly next_at: number | null };

function toLogged(row: LoggedRow): LoggedDelivery {
  return {
    id: row.id as DeliveryId,
    webhookId: row.webhook_id as WebhookId,
    accountId: row.account_id as AccountId,
    eventId: row.event_id as AuditEventId,
    kind: row.kind as AuditKind,
    state: stateOf(row),
    lastAt: row.last_at,
    last: {
      number: row.number,
      at: row.attempted_at,
      durationMs: row.duration_ms,
      status: row.status,
      reason: row.reason,
    },
    nextAt: row.reason === null ? null : row.next_at,
  };
}

function toDetail(row: WebhookLogTable & LoggedRow): DeliveryDetail {
  return { ...toLogged(row), payload: row.payload, attempts: attemptsIn(row.attempts) };
}

function stateOf({ reason, next_at: nextAt }: LoggedRow): DeliveryState {
  if (reason === null) return 'delivered';
  return nextAt === null ? 'failed' : 'retrying';
}

/** Ids are random: one delivery in sixteen, since to cut costs as much as to log. */
const CUTS = /[01]$/;

/** What stands there was written by `noteAttempt`. */
function attemptsIn(column: string): readonly DeliveryAttempt[] {
  return JSON.parse(column) as readonly DeliveryAttempt[];
}
