// What is to be delivered to webhooks (`fan-out.ts` queues it), tried under a lease on the store's clock, so
// that of several gateways one does it, and one that dies is followed by another.
//
//   queued ──lease()──▶ next_at ahead, attempts + 1 ──delivered()──▶ gone
//                          ├─ failed() ──▶ queued for later, or given up
//                          └─ time is up ──▶ due again; the late holder's count is refused

import { type Transaction, sql } from 'kysely';
import type { AuditEvent } from '../../domain/audit-event.ts';
import type { AccountId, DeliveryId, WebhookId } from '../../domain/id.ts';
import { appendEvents } from '../audit/audit.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDeliveriesTable } from './tables.ts';
import { noteAttempt } from './delivery-log.ts';
import type { DeliveryFailure, DeliveryTable, LeasedAttempt, LeasedDelivery } from './webhook.ts';
import { toWebhook } from './row.ts';
import { signingSecrets } from './secrets.ts';

export function createDeliveryTable(records: Records): DeliveryTable {
  const { write } = records;
  return {
    backlog: async () => ({
      waiting: await countWaiting(records, null),
      overdue: await countWaiting(records, OVERDUE_MS),
    }),
    due: () => dueWebhooks(records),
    lease: (of) => leaseDue(records, of),
    delivered: (made) => write(({ db }) => markDelivered(records, db, made)),
    failed: (failure) => write(({ db }) => markFailed(records, db, failure)),
    release: (delivery) =>
      write(async ({ db }) => {
        await db
          .updateTable('webhook_deliveries')
          .set({ next_at: records.clock() })
          .where('id', '=', delivery.id)
          .where('attempts', '=', delivery.attempt)
          .execute();
      }),
  };
}

async function dueWebhooks({ read, clock }: Records): ReturnType<DeliveryTable['due']> {
  const rows = await read
    .selectFrom('webhooks as webhook')
    .innerJoin('accounts as account', 'account.id', 'webhook.account_id')
    .select(['webhook.id', 'webhook.account_id'])
    .where('webhook.enabled', '=', 1)
    .where('account.suspended', '=', 0)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('webhook_deliveries as delivery')
          .select('delivery.id')
          .whereRef('delivery.webhook_id', '=', 'webhook.id')
          .where('delivery.next_at', '<=', clock()),
      ),
    )
    .execute();
  return rows.map(({ id, account_id }) => ({
    webhookId: id as WebhookId,
    accountId: account_id as AccountId,
  }));
}

/** Those due for that long; all of them when it is null. */
async function countWaiting({ read, clock }: Records, dueForMs: number | null): Promise<number> {
  const { count } = await read
    .selectFrom(
      read
        .selectFrom('webhook_deliveries as delivery')
        .innerJoin('webhooks as webhook', 'webhook.id', 'delivery.webhook_id')
        .innerJoin('accounts as account', 'account.id', 'webhook.account_id')
        .select('delivery.id')
        .where('webhook.enabled', '=', 1)
        .where('account.suspended', '=', 0)
        .$if(dueForMs !== null, (query) =>
          query.where((eb) => eb('delivery.next_at', '<=', eb(clock(), '-', dueForMs ?? 0))),
        )
        .limit(MOST_COUNTED)
        .as('counted'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  // A text on PostgreSQL.
  return Number(count);
}

function leaseDue(
  records: Records,
  { webhookId, limit, leaseMs }: Parameters<DeliveryTable['lease']>[0],
): ReturnType<DeliveryTable['lease']> {
  const { write, clock } = records;
  return write(async ({ db }) => {
    const webhook = await db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', webhookId)
      .where('enabled', '=', 1)
      .executeTakeFirst();
    if (webhook === undefined) return null;
    const rows = await db
      .updateTable('webhook_deliveries')
      .set((eb) => ({ next_at: eb(clock(), '+', leaseMs), attempts: eb('attempts', '+', 1) }))
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('webhook_id', '=', webhookId)
          .where('next_at', '<=', clock())
          .orderBy('next_at')
          .limit(limit),
      )
      // Said again for those that another gateway has leased since they were selected.
      .where('next_at', '<=', clock())
      .returningAll()
      .returning(sql<number>`${clock()}`.as('now'))
      .execute();
    if (rows.length === 0) return null;
    return {
      webhook: toWebhook(webhook),
      secrets: await signingSecrets(records, db, webhook),
      deliveries: rows.map(({ now, ...row }) => toLeased(row, now)),
    };
  });
}

function toLeased(row: WebhookDeliveriesTable, now: number): LeasedDelivery {
  return {
    id: row.id as DeliveryId,
    webhookId: row.webhook_id as WebhookId,
    accountId: row.account_id as AccountId,
    // What stands there was written by `queueDeliveries`.
    event: JSON.parse(row.event) as AuditEvent,
    attempt: row.attempts,
    ageMs: now - row.created_at,
  };
}

async function markDelivered(records: Records, db: Transaction<Tables>, made: LeasedAttempt): Promise<void> {
  const { delivery } = made;
  if (!(await removeDelivery(db, delivery))) return;
  await db
    .updateTable('webhooks')
    .set({ last_delivered_at: records.clock(), failing_since: null })
    .where('id', '=', delivery.webhookId)
    .execute();
  await noteLeased(records, db, made);
}

async function markFailed(
  records: Records,
  db: Transaction<Tables>,
  failure: DeliveryFailure,
): Promise<boolean> {
  const { clock } = records;
  const { delivery, attempt, retryAfterMs, disableAfterMs, disabled } = failure;
  const isHolder =
    retryAfterMs === null
      ? await removeDelivery(db, delivery)
      : await postpone(records, db, { delivery, retryAfterMs });
  if (!isHolder) return false;
  await db
    .updateTable('webhooks')
    .set((eb) => ({ last_failure: attempt.reason, failing_since: eb.fn.coalesce('failing_since', clock()) }))
    .where('id', '=', delivery.webhookId)
    .execute();
  await noteLeased(records, db, failure);
  const off = await db
    .updateTable('webhooks')
    .set({ enabled: 0 })
    .where('id', '=', delivery.webhookId)
    .where('enabled', '=', 1)
    .where((eb) => eb('failing_since', '<=', eb(clock(), '-', disableAfterMs)))
    .executeTakeFirst();
  if (off.numUpdatedRows !== 1n) return false;
  await dropDeliveries(db, delivery.webhookId);
  await appendEvents(records, db, [disabled]);
  return true;
}

function noteLeased(
  records: Records,
  db: Transaction<Tables>,
  { delivery, payload, attempt }: LeasedAttempt,
): Promise<void> {
  const { id, webhookId, accountId, event } = delivery;
  const about = { id, webhookId, accountId, eventId: event.id, kind: event.kind, payload };
  return noteAttempt(records, db, { delivery: about, attempt });
}

async function postpone(
  { clock }: Records,
  db: Transaction<Tables>,
  { delivery, retryAfterMs }: { readonly delivery: LeasedDelivery; readonly retryAfterMs: number },
): Promise<boolean> {
  const updated = await db
    .updateTable('webhook_deliveries')
    .set((eb) => ({ next_at: eb(clock(), '+', retryAfterMs) }))
    .where('id', '=', delivery.id)
    .where('attempts', '=', delivery.attempt)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

async function removeDelivery(db: Transaction<Tables>, { id, attempt }: LeasedDelivery): Promise<boolean> {
  const deleted = await db
    .deleteFrom('webhook_deliveries')
    .where('id', '=', id)
    .where('attempts', '=', attempt)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

export async function dropDeliveries(db: Transaction<Tables>, webhookId: WebhookId): Promise<void> {
  await db.deleteFrom('webhook_deliveries').where('webhook_id', '=', webhookId).execute();
}

/** What the deliverer, which looks every second, leaves behind for this long is more than it can do. */
const OVERDUE_MS = 60_000;
/** Bounds the look, which every gateway takes four times a minute. */
const MOST_COUNTED = 10_000;
