// The newest revocation list of each authority, for all gateways: they answer the same one, and none goes
// back to one before.

import type { AccountCaId } from '../../domain/id.ts';
import type { PublishedList, RevocationListTable } from './certificate.ts';
import type { Records } from '../records.ts';

export function createRevocationListTable({ read, write }: Records): RevocationListTable {
  return {
    newestNumber: async (caId) => {
      const row = await read
        .selectFrom('revocation_lists')
        .select('number')
        .where('ca_id', '=', caId)
        .executeTakeFirst();
      return row?.number ?? 0;
    },
    newest: async (caId) => {
      const row = await read
        .selectFrom('revocation_lists')
        .selectAll()
        .where('ca_id', '=', caId)
        .executeTakeFirst();
      if (row === undefined) return null;
      const { number, state, this_update: thisUpdate, next_update: nextUpdate, list } = row;
      return { number, state, thisUpdate, nextUpdate, der: Buffer.from(list, 'base64') };
    },
    nextNumber: (caId, atLeast) =>
      write(async ({ db }) => {
        const row = await db
          .updateTable('account_cas')
          .set((eb) => ({
            crl_number: eb
              .case()
              .when('crl_number', '>=', atLeast)
              .then(eb('crl_number', '+', 1))
              .else(atLeast)
              .end(),
          }))
          .where('id', '=', caId)
          .returning('crl_number')
          .executeTakeFirstOrThrow();
        return row.crl_number;
      }),
    publish: (caId, list) => write(async ({ db }) => publish(db, caId, list)),
  };
}

async function publish(
  db: Parameters<Parameters<Records['write']>[0]>[0]['db'],
  caId: AccountCaId,
  { number, state, thisUpdate, nextUpdate, der }: PublishedList,
): Promise<boolean> {
  const columns = {
    number,
    state,
    this_update: thisUpdate,
    next_update: nextUpdate,
    list: Buffer.from(der).toString('base64'),
  };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('revocation_lists')
    .values({ ca_id: caId, ...columns })
    .onConflict((conflict) =>
      conflict.column('ca_id').doUpdateSet(columns).where('revocation_lists.number', '<', number),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
