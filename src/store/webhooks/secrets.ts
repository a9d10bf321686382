// What the deliveries of a webhook are signed with: its secret, and those of before a rotation, until the
// receiver has surely learnt the new one. A secret that signs no more is deleted with the next rotation, or
// swept.

import { type Expression, sql, type Transaction } from 'kysely';
import { newId, type WebhookId } from '../../domain/id.ts';
import type { Secret } from '../../domain/secret.ts';
import type { SealedPlace } from '../sealing/sealed-columns.ts';
import { BATCH_ROWS } from '../columns.ts';
import type { Records, Writing } from '../records.ts';
import type { Tables } from '../tables.ts';
import type { WebhooksTable } from './tables.ts';
import { MOST_FORMER_SECRETS, type SecretRotation } from './webhook.ts';
import { openSecret, sealSecret } from './row.ts';

type SealedRow = Pick<WebhooksTable, 'id' | 'account_id' | 'secret'>;

/** The present one first, then the former ones, the newest first. */
export async function signingSecrets(
  { clock, seal }: Pick<Records, 'clock' | 'seal'>,
  db: Records['read'],
  webhook: SealedRow,
): Promise<readonly Secret[]> {
  const former = await db
    .selectFrom('webhook_former_secrets')
    .selectAll()
    .where('webhook_id', '=', webhook.id)
    .where('signs_until', '>', clock())
    .orderBy('signs_until', 'desc')
    .execute();
  const opened = former.map(({ id, account_id, secret }) => seal.open(formerPlace(id, account_id), secret));
  return [openSecret(seal, webhook), ...opened];
}

/**
 * Gives a webhook that nobody else can change meanwhile another secret. No secret of before signs for longer
 * than `overlapMs` from now. False when as many of them would sign as may.
 */
export async function replaceSecret(
  { clock, seal }: Pick<Records, 'clock' | 'seal'>,
  { db, sealer }: Writing,
  { webhook, secret, overlapMs }: SecretRotation & { readonly webhook: SealedRow },
): Promise<boolean> {
  const { id, account_id: accountId } = webhook;
  if (overlapMs > 0 && (await countSigning(db, clock(), id)) >= MOST_FORMER_SECRETS) return false;
  const until = sql<number>`${clock()} + ${sql.lit(overlapMs)}`;
  await db
    .updateTable('webhook_former_secrets')
    .set({ signs_until: until })
    .where('webhook_id', '=', id)
    .where('signs_until', '>', until)
    .execute();
  await db
    .deleteFrom('webhook_former_secrets')
    .where('webhook_id', '=', id)
    .where('signs_until', '<=', clock())
    .execute();
  const to = await sealer();
  if (overlapMs > 0) {
    const formerId = newId('whf');
    const former = openSecret(seal, webhook);
    await db
      .insertInto('webhook_former_secrets')
      .values({
        id: formerId,
        account_id: accountId,
        webhook_id: id,
        secret: to.seal(formerPlace(formerId, accountId), former),
        signs_until: until,
      })
      .execute();
  }
  await db
    .updateTable('webhooks')
    .set({ secret: sealSecret(to, { id, accountId }, secret), secret_rotated_at: clock() })
    .where('id', '=', id)
    .execute();
  return true;
}

export async function dropFormerSecrets(db: Transaction<Tables>, webhookId: WebhookId): Promise<void> {
  await db.deleteFrom('webhook_former_secrets').where('webhook_id', '=', webhookId).execute();
}

/** Those that sign no more: a secret is kept no longer than it is needed. */
export async function sweepFormerSecrets(
  { clock }: Pick<Records, 'clock'>,
  db: Transaction<Tables>,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_former_secrets')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_former_secrets')
        .select('id')
        .where('signs_until', '<=', clock())
        .limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function countSigning(
  db: Transaction<Tables>,
  now: Expression<number>,
  webhookId: string,
): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_former_secrets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('webhook_id', '=', webhookId)
    .where('signs_until', '>', now)
    .executeTakeFirstOrThrow();
  return Number(count);
}

function formerPlace(rowId: string, accountId: string): SealedPlace {
  return { table: 'webhook_former_secrets', column: 'secret', rowId, accountId };
}
