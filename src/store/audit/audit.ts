// The audit log: appended to, never changed (the database itself refuses: `auditGuard` of its engine). Only
// the retention sweep deletes, and only what is older than the time it is given.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { AuditEvent } from '../../domain/audit-event.ts';
import type { AuditTable } from './query.ts';
import { latestLogins } from './latest-logins.ts';
import { countLogins } from './logins.ts';
import { auditPage } from './page.ts';
import { fromEvent } from './row.ts';
import { forgetWords, indexBatch } from './search.ts';
import { BATCH_ROWS, inBatches } from '../columns.ts';
import { compiledOnce } from '../compiled.ts';
import type { Records } from '../records.ts';
import type { AuditEventsTable } from './tables.ts';
import type { Tables } from '../tables.ts';
import { queueDeliveries } from '../webhooks/fan-out.ts';

export function createAuditTable(records: Records): AuditTable {
  return {
    append: (events) => records.write(({ db }) => appendEvents(records, db, events)),
    page: (query) => auditPage(records, query),
    logins: (accountId, since) => countLogins(records, accountId, since),
    latestLogins: (accountId) => latestLogins(records, accountId),
    forget: async (before) => {
      for (;;) {
        const forgotten = await records.write(({ db }) => forgetBatch(db, before));
        // SQLite answers without leaving this turn of the event loop; others get theirs here.
        await nextTurn();
        if (forgotten < BATCH_ROWS) break;
      }
      while (await forgetWords(records)) await nextTurn();
    },
    index: () => indexBatch(records),
  };
}

/**
 * With what webhooks are to be told of them: both are kept, or neither. An event that is there already is
 * left out.
 */
export async function appendEvents(
  records: Records,
  db: Transaction<Tables>,
  events: readonly AuditEvent[],
): Promise<void> {
  for (const batch of inBatches(events)) {
    const rows = await insertEvents({ db, locks: records.locks }, batch.map(fromEvent));
    const added = new Set<string>(rows.map(({ id }) => id));
    await queueDeliveries(
      records,
      db,
      batch.filter(({ id }) => added.has(id)),
    );
  }
}

async function insertEvents(
  on: { readonly db: Transaction<Tables> } & Pick<Records, 'locks'>,
  rows: readonly AuditEventsTable[],
): Promise<readonly { readonly id: string }[]> {
  const [only] = rows;
  if (only !== undefined && rows.length === 1) return (await insertEvent(on, only)).rows;
  return insertion(on.db, rows).execute();
}

function insertion(db: Kysely<Tables>, rows: readonly AuditEventsTable[]) {
  return db
    .insertInto('audit_events')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id');
}

const insertEvent = compiledOnce(({ db }, row: AuditEventsTable) => insertion(db, [row]));

/**
 * Opens the guard up to `before`, deletes a batch, closes it: in one transaction, so nobody else passes
 * through.
 */
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
