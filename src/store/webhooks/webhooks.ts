// Webhooks of an account. Secrets are sealed; what waits for a webhook, and its former secrets, go with it.

import { sql, type Transaction } from 'kysely';
import type { AccountId, WebhookId } from '../../domain/id.ts';
import { WEBHOOK_ORDERS, type WebhookOrder } from '../../domain/list-orders.ts';
import { flag, listText } from '../columns.ts';
import type { Records } from '../records.ts';
import {
  countUpTo,
  numberColumn,
  numberColumnOr,
  orderedBy,
  pageInOrder,
  type SortColumns,
  textColumn,
} from '../sorting.ts';
import type { Tables } from '../tables.ts';
import type { WebhooksTable } from './tables.ts';
import type { ListedWebhook, WebhookJudge, WebhookSettings, WebhookTable } from './webhook.ts';
import { dropDeliveryLog } from './delivery-log.ts';
import { dropDeliveries } from './queue.ts';
import { sealSecret, toWebhook } from './row.ts';
import { dropFormerSecrets, replaceSecret, signingSecrets } from './secrets.ts';

export function createWebhookTable(records: Records): WebhookTable {
  return {
    create: (made) => createWebhook(records, made),
    find: (accountId, id) => findWebhook(records, records.read, { accountId, id }),
    list: async (accountId, page) => {
      const ordered = orderedBy(WEBHOOK_ORDERS, ORDERS, page);
      const { rows, next } = await pageInOrder(listed(records, records.read, accountId), ordered, page);
      return { rows: rows.map(toListed), next };
    },
    count: (accountId, most) =>
      countUpTo(records.read, records.read.selectFrom('webhooks').where('account_id', '=', accountId), most),
    secrets: async (accountId, id) => {
      const row = await records.read
        .selectFrom('webhooks')
        .select(['id', 'account_id', 'secret'])
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row === undefined ? null : signingSecrets(records, records.read, row);
    },
    modify: (accountId, id, settings, judge) => modifyWebhook(records, { accountId, id, judge }, settings),
    rotate: (accountId, id, rotation, judge) =>
      records.write(async (writing) => {
        const webhook = await holdWebhook(records, writing.db, { accountId, id, judge });
        if (webhook === null) return null;
        if (!(await replaceSecret(records, writing, { ...rotation, webhook }))) return 'full';
        return findWebhook(records, writing.db, { accountId, id });
      }),
    remove: (accountId, id, judge) =>
      records.write(async ({ db }) => {
        if ((await holdWebhook(records, db, { accountId, id, judge })) === null) return false;
        await db.deleteFrom('webhooks').where('id', '=', id).execute();
        await dropDeliveries(db, id);
        await dropFormerSecrets(db, id);
        await dropDeliveryLog(db, id);
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
        secret_rotated_at: null,
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

function modifyWebhook(
  records: Records,
  judged: Judged,
  { url, name, kinds, enabled }: WebhookSettings,
): Promise<ListedWebhook | null> {
  return records.write(async ({ db }) => {
    const before = await holdWebhook(records, db, judged);
    if (before === null) return null;
    const isElsewhere = url !== undefined && url !== before.url;
    await db
      .updateTable('webhooks')
      .set({
        url: url ?? before.url,
        name: name === undefined ? before.name : name,
        kinds: kinds === undefined ? before.kinds : listText(kinds),
        enabled: enabled === undefined ? before.enabled : flag(enabled),
        ...(isElsewhere || enabled !== undefined ? { failing_since: null } : {}),
        ...(isElsewhere || enabled === true ? { last_failure: null } : {}),
      })
      .where('id', '=', judged.id)
      .execute();
    if (enabled === false) await dropDeliveries(db, judged.id);
    return findWebhook(records, db, judged);
  });
}

/** Null when there is none; else it is judged, and nobody changes it until the transaction ends. */
async function holdWebhook(
  { locks }: Records,
  db: Transaction<Tables>,
  { accountId, id, judge }: Judged,
): Promise<WebhooksTable | null> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .modifyEnd(locks.changing)
    .executeTakeFirst();
  if (row === undefined) return null;
  judge?.(toWebhook(row));
  return row;
}

async function findWebhook(
  records: Records,
  db: Records['read'],
  { accountId, id }: Pick<Judged, 'accountId' | 'id'>,
): Promise<ListedWebhook | null> {
  const row = await listed(records, db, accountId).where('webhooks.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toListed(row);
}

function listed({ clock }: Records, db: Records['read'], accountId: AccountId) {
  return db
    .selectFrom('webhooks')
    .selectAll('webhooks')
    .select((eb) => [
      eb
        .selectFrom('webhook_deliveries')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
        .as('waiting'),
      eb
        .selectFrom('webhook_former_secrets as former')
        .select((of) => of.fn.max('former.signs_until').as('until'))
        .whereRef('former.webhook_id', '=', 'webhooks.id')
        .where('former.signs_until', '>', clock())
        .as('former_until'),
    ])
    .where('webhooks.account_id', '=', accountId);
}

type ListedRow = WebhooksTable & { readonly waiting: number | null; readonly former_until: number | null };

function toListed({ waiting, former_until: until, ...row }: ListedRow): ListedWebhook {
  return {
    ...toWebhook(row),
    waiting: Number(waiting ?? 0),
    formerSecretsUntil: until === null ? null : Number(until),
  };
}

/** As it is shown, without its scheme; no more of it than a cursor has room for. */
const NAME = sql<string>`substr(lower(coalesce(webhooks.name,
  replace(replace(webhooks.url, 'https://', ''), 'http://', ''))), 1, 100)`;
const ID = textColumn('webhooks.id');
const ORDERS: Readonly<Record<WebhookOrder, SortColumns>> = {
  name: [{ sql: NAME, is: 'text' }, ID],
  created: [numberColumn('webhooks.created_at'), ID],
  last_delivered: [numberColumnOr('webhooks.last_delivered_at', 0), ID],
};
