// Webhooks of an account. The secret is sealed; what waits for a webhook goes with it.

import { sql, type Transaction } from 'kysely';
import type { AccountId, WebhookId } from '../domain/id.ts';
import { flag, listText } from './columns.ts';
import type { Records } from './records.ts';
import type { Tables } from './tables.ts';
import type { ListedWebhook, WebhookJudge, WebhookTable } from './webhook.ts';
import { dropDeliveries } from './webhook-queue.ts';
import { openSecret, sealSecret, toWebhook } from './webhook-row.ts';

export function createWebhookTable(records: Records): WebhookTable {
  return {
    create: (made) => createWebhook(records, made),
    find: (accountId, id) => findWebhook(records.read, accountId, id),
    list: async (accountId, { after, limit }) => {
      const rows = await listed(records.read, accountId)
        .where('webhooks.id', '>', after ?? '')
        .orderBy('webhooks.id')
        .limit(limit)
        .execute();
      return rows.map(toListed);
    },
    secret: async (accountId, id) => {
      const row = await records.read
        .selectFrom('webhooks')
        .select(['id', 'account_id', 'secret'])
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row === undefined ? null : openSecret(records.seal, row);
    },
    switch: (accountId, id, enabled, judge) => switchWebhook(records, { accountId, id, judge }, enabled),
    remove: (accountId, id, judge) =>
      records.write(async ({ db }) => {
        if (!(await holdWebhook(records, db, { accountId, id, judge }))) return false;
        await db.deleteFrom('webhooks').where('id', '=', id).execute();
        await dropDeliveries(db, id);
        return true;
      }),
  };
}

function createWebhook(
  { write, locks }: Records,
  { webhook, secret, most }: Parameters<WebhookTable['create']>[0],
): Promise<boolean> {
  return write(async ({ db, sealer }) => {
    // Two at once must not both be the last that is allowed.
    await locks.name(db, `webhooks of ${webhook.accountId}`);
    const { count } = await db
      .selectFrom('webhooks')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('account_id', '=', webhook.accountId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= most) return false;
    await db
      .insertInto('webhooks')
      .values({
        id: webhook.id,
        account_id: webhook.accountId,
        name: webhook.name,
        url: webhook.url,
        kinds: listText(webhook.kinds),
        secret: sealSecret(await sealer(), webhook, secret),
        enabled: flag(webhook.enabled),
        created_at: webhook.createdAt,
        failing_since: null,
        last_failure: null,
        last_delivered_at: null,
      })
      .execute();
    return true;
  });
}

type Judged = {
  readonly accountId: AccountId;
  readonly id: WebhookId;
  readonly judge: WebhookJudge | undefined;
};

async function switchWebhook(
  records: Records,
  judged: Judged,
  enabled: boolean,
): Promise<ListedWebhook | null> {
  const { accountId, id } = judged;
  return records.write(async ({ db }) => {
    if (!(await holdWebhook(records, db, judged))) return null;
    await db
      .updateTable('webhooks')
      .set({ enabled: flag(enabled), failing_since: null, ...(enabled ? { last_failure: null } : {}) })
      .where('id', '=', id)
      .execute();
    if (!enabled) await dropDeliveries(db, id);
    return findWebhook(db, accountId, id);
  });
}

/** False when there is none; else it is judged, and nobody changes it until the transaction ends. */
async function holdWebhook(
  { locks }: Records,
  db: Transaction<Tables>,
  { accountId, id, judge }: Judged,
): Promise<boolean> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .modifyEnd(locks.changing)
    .executeTakeFirst();
  if (row === undefined) return false;
  judge?.(toWebhook(row));
  return true;
}

async function findWebhook(
  db: Records['read'],
  accountId: AccountId,
  id: WebhookId,
): Promise<ListedWebhook | null> {
  const row = await listed(db, accountId).where('webhooks.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toListed(row);
}

function listed(db: Records['read'], accountId: AccountId) {
  return db
    .selectFrom('webhooks')
    .selectAll('webhooks')
    .select((eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
        .as('waiting'),
    )
    .where('webhooks.account_id', '=', accountId);
}

type ListedRow = Parameters<typeof toWebhook>[0] & { readonly waiting: number | null };

function toListed({ waiting, ...row }: ListedRow): ListedWebhook {
  return { ...toWebhook(row), waiting: Number(waiting ?? 0) };
}
