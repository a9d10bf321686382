// The account at each ACME server that was ever used: its key, and how the server was of late.

import { type AcmeAccountId, newId } from '../../domain/id.ts';
import type { Records, Writing } from '../records.ts';
import type { SealedPlace } from '../sealing/sealed-columns.ts';
import type { AcmeAccount, AcmeTable } from './acme.ts';
import type { Fenced } from './acme-lease.ts';
import type { AcmeAccountsTable } from './tables.ts';

type AccountTable = Pick<
  AcmeTable,
  'account' | 'keyChangeWaits' | 'setNextKey' | 'useNextKey' | 'noteServer'
>;

export function accountTable(records: Records, fenced: Fenced): AccountTable {
  const { read, write, locks, seal } = records;
  return {
    account: (directory, privateKey, at) =>
      write(async ({ db, sealer }) => {
        const to = await sealer();
        await locks.name(db, 'acme account');
        const known = await db
          .selectFrom('acme_accounts')
          .selectAll()
          .where('directory', '=', directory)
          .executeTakeFirst();
        if (known !== undefined) return toAccount(records, known);
        const id = newId('acm');
        const row = {
          id,
          account_id: '',
          directory,
          private_key: to.seal(place(id, 'private_key'), privateKey),
          next_key: null,
          created_at: at,
          failures: 0,
          retry_at: null,
          last_failure: null,
        };
        await db.insertInto('acme_accounts').values(row).execute();
        return toAccount(records, row);
      }),
    keyChangeWaits: async (directory) => {
      const row = await read
        .selectFrom('acme_accounts')
        .select('id')
        .where('directory', '=', directory)
        .where('next_key', 'is not', null)
        .executeTakeFirst();
      return row !== undefined;
    },
    setNextKey: (holder, id, key) =>
      fenced(holder, async (writing) => {
        const sealed = key === null ? null : (await writing.sealer()).seal(place(id, 'next_key'), key);
        await update(writing, id, { next_key: sealed });
      }),
    useNextKey: (holder, id) =>
      fenced(holder, async (writing) => {
        const to = await writing.sealer();
        const row = await writing.db
          .selectFrom('acme_accounts')
          .selectAll()
          .where('id', '=', id)
          .modifyEnd(locks.changing)
          .executeTakeFirst();
        if (row === undefined || row.next_key === null) return;
        const key = seal.open(place(id, 'next_key'), row.next_key);
        await update(writing, id, { private_key: to.seal(place(id, 'private_key'), key), next_key: null });
      }),
    noteServer: (holder, id, { failures, retryAt, lastFailure }) =>
      fenced(holder, (writing) =>
        update(writing, id, { failures, retry_at: retryAt, last_failure: lastFailure }),
      ),
  };
}

async function update(
  { db }: Writing,
  id: AcmeAccountId,
  set: Partial<Omit<AcmeAccountsTable, 'id'>>,
): Promise<void> {
  await db.updateTable('acme_accounts').set(set).where('id', '=', id).execute();
}

function toAccount({ seal }: Records, row: AcmeAccountsTable): AcmeAccount {
  return {
    id: row.id as AcmeAccountId,
    privateKey: seal.open(place(row.id, 'private_key'), row.private_key),
    nextKey: row.next_key === null ? null : seal.open(place(row.id, 'next_key'), row.next_key),
    createdAt: row.created_at,
    failures: row.failures,
    retryAt: row.retry_at,
    lastFailure: row.last_failure,
  };
}

function place(rowId: string, column: 'private_key' | 'next_key'): SealedPlace {
  return { table: 'acme_accounts', column, rowId, accountId: '' };
}
