// People of an account. So far one row: the admin that an account is made with.

import type { Transaction } from 'kysely';
import type { AccountId, MemberId } from '../domain/id.ts';
import { newId } from '../domain/id.ts';
import type { Tables } from './tables.ts';

export async function insertAdmin(
  db: Transaction<Tables>,
  admin: { readonly accountId: AccountId; readonly email: string; readonly createdAt: number },
): Promise<MemberId> {
  const id: MemberId = newId('mem');
  await db
    .insertInto('members')
    .values({
      id,
      account_id: admin.accountId,
      email: admin.email,
      role: 'admin',
      created_at: admin.createdAt,
    })
    .execute();
  return id;
}
