// API keys: only their SHA-256 is kept, so neither the file nor a backup lets anybody in. A member's key is
// never more than the member is at that moment, and goes with the member (`members.ts`).

import type { Transaction } from 'kysely';
import type { AccountId, ApiKeyId, MemberId } from '../../domain/id.ts';
import { API_KEY_ORDERS, type ApiKeyOrder } from '../../domain/list-orders.ts';
import { type KeyScope, lesserRights, mayServeTunnels, type Role } from '../../domain/role.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { inBatches, isSet } from '../columns.ts';
import { compiledOnce } from '../compiled.ts';
import { loginColumns, loginIn } from './login-columns.ts';
import { requireMaker } from './maker.ts';
import { membersLock } from './members.ts';
import type { ApiKeyRow, ApiKeyTable, KnownApiKey, LimitedApiKey } from './people.ts';
import type { Records } from '../records.ts';
import { countOf, requireRoom } from '../room.ts';
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
import type { ApiKeysTable } from './tables.ts';

export function createApiKeyTable(records: Records): ApiKeyTable {
  const { read, write } = records;
  return {
    findByHash: (hash) => findByHash(records, hash),
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
    create: (key, by, most) => createKey(records, key, { by, most }),
    list: async (accountId, page) => {
      const ofAccount = read.selectFrom('api_keys').selectAll().where('account_id', '=', accountId);
      const { rows, next } = await pageInOrder(ofAccount, orderedBy(API_KEY_ORDERS, ORDERS, page), page);
      return { rows: rows.map(toKey), next };
    },
    count: (accountId, most) =>
      countUpTo(read, read.selectFrom('api_keys').where('account_id', '=', accountId), most),
    ofMember: async (accountId, memberId, limit) => {
      const rows = await read
        .selectFrom('api_keys')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('member_id', '=', memberId)
        .orderBy('created_at', 'desc')
        .orderBy('name')
        .limit(limit)
        .execute();
      return rows.map(toKey);
    },
    find: async (accountId, named) => {
      const find = columnOf(named) === 'id' ? keyById : keyByName;
      const [row] = (await find({ db: read, locks: records.locks }, { accountId, named })).rows;
      return row === undefined ? null : toKey(row);
    },
    remove: (accountId, named) =>
      write(async ({ db, note }) => {
        // As with members: two admins who delete each other's key leave one of them.
        await records.locks.name(db, membersLock(accountId));
        const couldAct = await canAct(records, db, accountId);
        const row = await db
          .deleteFrom('api_keys')
          .where('account_id', '=', accountId)
          .where(columnOf(named), '=', named)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        if (couldAct && !(await canAct(records, db, accountId))) throw lastKey(row.name);
        note({ kind: 'api-key', id: row.id as ApiKeyId });
        return toKey(row);
      }),
    ofLogins: (providers) => keysOfLogins(records, providers),
    serving: (ids) => servingAmong(records, ids),
  };
}

/** No name holds an underscore, so the two cannot be mixed up. */
function columnOf(named: string): 'id' | 'name' {
  return named.startsWith('key_') ? 'id' : 'name';
}

type Named = { readonly accountId: AccountId; readonly named: string };
const keyById = compiledOnce(({ db }, { accountId, named }: Named) =>
  db.selectFrom('api_keys').selectAll().where('account_id', '=', accountId).where('id', '=', named),
);
const keyByName = compiledOnce(({ db }, { accountId, named }: Named) =>
  db.selectFrom('api_keys').selectAll().where('account_id', '=', accountId).where('name', '=', named),
);

async function findByHash({ read }: Records, hash: string): Promise<KnownApiKey | null> {
  const row = await knownKeys(read).where('key.hash', '=', hash).executeTakeFirst();
  return row === undefined ? null : toKnownKey(row);
}

/**
 * Somebody can act for the account: an admin who has logged in, or whoever holds a key that may do
 * everything.
 */
export async function canAct(
  { clock }: Records,
  db: Transaction<Tables>,
  accountId: AccountId,
): Promise<boolean> {
  const admin = await db
    .selectFrom('members')
    .select('id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'admin')
    .where('accepted_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (admin !== undefined) return true;
  const key = await db
    .selectFrom('api_keys as key')
    .leftJoin('members as member', 'member.id', 'key.member_id')
    .select('key.id')
    .where('key.account_id', '=', accountId)
    .where('key.role', '=', 'admin')
    .where('key.scope', '=', 'full')
    .where((eb) => eb.or([eb('key.member_id', 'is', null), eb('member.role', '=', 'admin')]))
    .where((eb) => eb.or([eb('key.expires_at', 'is', null), eb('key.expires_at', '>', clock())]))
    .limit(1)
    .executeTakeFirst();
  return key !== undefined;
}

export function lastKey(name: string): ServiceError {
  return new ServiceError(
    'last_admin',
    `Cannot delete API key ${name}: the account would have no active admin`,
    { hint: 'First create another key with role "admin" and scope "full", or log in once as an admin.' },
  );
}

/** By the accounts that had the names: what one account changes costs no more for the keys of others. */
async function keysOfLogins(
  { read }: Records,
  providers: readonly string[] | 'all',
): Promise<readonly ApiKeyRow[]> {
  const logins = read.selectFrom('api_keys').selectAll().where('login_provider', 'is not', null);
  if (providers === 'all') return (await logins.execute()).map(toKey);
  const keys: ApiKeyRow[] = [];
  for (const batch of inBatches(providers)) {
    const rows = await logins
      .where('login_provider', 'in', batch)
      .where('account_id', 'in', (eb) =>
        eb.selectFrom('provider_names').select('account_id').where('name', 'in', batch),
      )
      .execute();
    keys.push(...rows.map(toKey));
  }
  return keys;
}

/** Those of `ids` that may serve tunnels. */
async function servingAmong({ read }: Records, ids: readonly ApiKeyId[]): Promise<readonly ApiKeyId[]> {
  const serving: ApiKeyId[] = [];
  for (const batch of inBatches(ids)) {
    const rows = await knownKeys(read).where('key.id', 'in', batch).execute();
    for (const key of rows.map(toKnownKey))
      if (!key.accountSuspended && mayServeTunnels(key)) serving.push(key.id);
  }
  return serving;
}

/** Keys with what their account and their member say of them. */
export function knownKeys(db: Records['read']) {
  return db
    .selectFrom('api_keys as key')
    .innerJoin('accounts as account', 'account.id', 'key.account_id')
    .leftJoin('members as member', 'member.id', 'key.member_id')
    .selectAll('key')
    .select(['account.suspended', 'member.role as member_role']);
}

export function toKnownKey(
  row: ApiKeysTable & { readonly suspended: number; readonly member_role: string | null },
): KnownApiKey {
  const key = toKey(row);
  const memberRole = row.member_role as Role | null;
  return {
    ...key,
    ...lesserRights(key, memberRole ?? 'admin'),
    accountSuspended: isSet(row.suspended),
  };
}

type Making = { readonly by: Parameters<ApiKeyTable['create']>[1]; readonly most: number | undefined };

function createKey(records: Records, key: LimitedApiKey, { by, most }: Making) {
  return records.write(async ({ db }) => {
    const { accountId } = key;
    const count = () => countOf(db, 'api_keys', accountId);
    await requireRoom(records.locks, db, { accountId, key: 'api_keys', most, count });
    if (by !== null)
      await requireMaker(records, db, {
        ...key,
        keyId: by.keyId,
        sessionHash: by.sessionHash,
        made: 'API key',
      });
    const inserted = await insertApiKey(db, key);
    if (!inserted)
      throw new ServiceError('name_taken', `Cannot create API key ${key.name}: the name is taken`, {
        hint: 'Choose another name, or delete that key.',
      });
  });
}

/** False when the account has a key of that name. */
export async function insertApiKey(db: Transaction<Tables>, key: LimitedApiKey): Promise<boolean> {
  const inserted = await db
    .insertInto('api_keys')
    .values({
      id: key.id,
      account_id: key.accountId,
      member_id: key.memberId,
      name: key.name,
      hash: key.hash,
      start: key.start ?? null,
      created_at: key.createdAt,
      last_used_at: null,
      role: key.role,
      scope: key.scope,
      expires_at: key.expiresAt,
      created_by: key.createdBy,
      ...loginColumns(key.login ?? null),
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export function toKey(row: ApiKeysTable): ApiKeyRow {
  return {
    id: row.id as ApiKeyId,
    accountId: row.account_id as AccountId,
    name: row.name,
    start: row.start,
    createdAt: row.created_at,
    role: row.role as Role,
    scope: row.scope as KeyScope,
    expiresAt: row.expires_at,
    memberId: row.member_id as MemberId | null,
    createdBy: row.created_by,
    login: loginIn(row),
    lastUsedAt: row.last_used_at,
  };
}

const ID = textColumn('api_keys.id');
const ORDERS: Readonly<Record<ApiKeyOrder, SortColumns>> = {
  name: [textColumn('api_keys.name')],
  created: [numberColumn('api_keys.created_at'), ID],
  last_used: [numberColumnOr('api_keys.last_used_at', 0), ID],
  expires: [numberColumnOr('api_keys.expires_at', Number.MAX_SAFE_INTEGER), ID],
};
/** "Last used" is shown to the minute; writing it for each call would cost a disk flush each. */
const TOUCH_STEP_MS = 60_000;
