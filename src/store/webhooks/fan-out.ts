// Queues what webhooks are to be told, in the transaction that appends the events: a crash loses neither or
// both.

import type { Transaction } from 'kysely';
import type { AuditEvent } from '../../domain/audit-event.ts';
import { newId } from '../../domain/id.ts';
import { inBatches } from '../columns.ts';
import { compiledOnce, type On } from '../compiled.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';
import { kindsOf } from './row.ts';

/**
 * One delivery for each event and each webhook that wants its kind. The event of a test goes to the tested
 * one alone.
 */
export async function queueDeliveries(
  { clock, locks }: Pick<Records, 'clock' | 'locks'>,
  db: Transaction<Tables>,
  events: readonly AuditEvent[],
): Promise<void> {
  const wanted = events.filter(({ accountId, kind }) => accountId !== null && kind !== 'webhook.tested');
  const accounts = [...new Set(wanted.flatMap(({ accountId }) => accountId ?? []))];
  if (accounts.length === 0) return;
  const webhooks = await enabledOf({ db, locks }, accounts);
  if (webhooks.length === 0) return;
  const hooks = webhooks.map(({ id, account_id, kinds }) => ({ id, account_id, kinds: kindsOf(kinds) }));
  const rows = wanted.flatMap((event) =>
    hooks
      .filter(({ account_id, kinds }) => account_id === event.accountId && includes(kinds, event.kind))
      .map((hook) => ({
        id: newId('dlv'),
        account_id: hook.account_id,
        webhook_id: hook.id,
        event: JSON.stringify(event),
        created_at: clock(),
        next_at: clock(),
        attempts: 0,
      })),
  );
  for (const batch of inBatches(rows)) await db.insertInto('webhook_deliveries').values(batch).execute();
}

async function enabledOf(on: On, accounts: readonly string[]) {
  const [only] = accounts;
  if (only !== undefined && accounts.length === 1) return (await enabledOfOne(on, { accountId: only })).rows;
  return enabled(on).where('account_id', 'in', accounts).execute();
}

const enabledOfOne = compiledOnce((on, { accountId }: { readonly accountId: string }) =>
  enabled(on).where('account_id', '=', accountId),
);

function enabled({ db }: On) {
  return db.selectFrom('webhooks').select(['id', 'account_id', 'kinds']).where('enabled', '=', 1);
}

function includes(kinds: readonly string[], kind: string): boolean {
  return kinds.length === 0 || kinds.includes(kind);
}
