// API keys: only their SHA-256 is kept, so neither the file nor a backup lets anybody in.

import type { Transaction } from 'kysely';
import type { AccountId, ApiKeyId, MemberId } from '../domain/id.ts';
import type { ApiKeyTable, NewApiKey } from './store.ts';
import { isSet } from './columns.ts';
import type { Records } from './records.ts';
import type { Tables } from './tables.ts';

export function createApiKeyTable({ read, write }: Records): ApiKeyTable {
  return {
    findByHash: async (hash) => {
      const row = await read
        .selectFrom('api_keys as key')
        .innerJoin('accounts as account', 'account.id', 'key.account_id')
        .select([
          'key.id',
          'key.account_id',
          'key.name',
          'key.created_at',
          'key.last_used_at',
          'account.suspended',
        ])
        .where('key.hash', '=', hash)
        .executeTakeFirst();
      if (row === undefined) return null;
      return {
        id: row.id as ApiKeyId,
        accountId: row.account_id as AccountId,
        name: row.name,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        accountSuspended: isSet(row.suspended),
      };
    },
    touch: (id, at) =>
      write(async ({ db }) => {
        await db
          .updateTable('api_keys')
          .set({ last_used_at: at })
          .where('id', '=', id)
          .where((eb) =>
            eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', at - TOUCH_STEP_MS)]),
          )
          .execute();
      }),
  };
}

export async function insertApiKey(
  db: Transaction<Tables>,
  key: NewApiKey,
  memberId: MemberId,
): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      id: key.id,
      account_id: key.accountId,
      member_id: memberId,
      name: key.name,
      hash: key.hash,
      created_at: key.createdAt,
      last_used_at: null,
    })
    .execute();
}

/** "Last used" is shown to the minute; writing it for each call would cost a disk flush each. */
const TOUCH_STEP_MS = 60_000;
