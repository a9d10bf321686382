// Accounts: who owns everything else. Never deleted; a suspended one's shares and keys stop working.

import type { AccountCaId, AccountId, ProviderDefinitionId, ShareId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Account, AccountTable } from './account.ts';
import { insertCa } from '../certificates/account-cas.ts';
import { insertApiKey } from './api-keys.ts';
import { flag, isSet } from '../columns.ts';
import { insertAdmin } from './members.ts';
import type { Records } from '../records.ts';
import { countOf } from '../room.ts';
import { endSessions } from '../sessions/end.ts';
import type { AccountsTable } from './tables.ts';

export function createAccountTable(records: Records): AccountTable {
  return {
    create: (start) => createAccount(records, start),
    list: async () => {
      const rows = await records.read.selectFrom('accounts').selectAll().orderBy('name').execute();
      return rows.map(toAccount);
    },
    page: async ({ after, limit }) => {
      const all = records.read.selectFrom('accounts').selectAll();
      const rest = after === null ? all : all.where('name', '>', after);
      return (await rest.orderBy('name').limit(limit).execute()).map(toAccount);
    },
    find: (id) => findBy(records, 'id', id),
    findByName: (name) => findBy(records, 'name', name),
    usage: async (id) => ({
      shares: await countOf(records.read, 'shares', id),
      hosts: await countOf(records.read, 'share_hosts', id),
      providers: await countOf(records.read, 'provider_definitions', id),
      members: await countOf(records.read, 'members', id),
      apiKeys: await countOf(records.read, 'api_keys', id),
      serviceTokens: await countOf(records.read, 'service_tokens', id),
    }),
    suspend: (id, suspended) => suspendAccount(records, id, suspended),
    hold: (id) => records.write(({ db }) => records.locks.name(db, `state of ${id}`)),
  };
}

async function findBy({ read }: Records, column: 'id' | 'name', value: string): Promise<Account | null> {
  const row = await read.selectFrom('accounts').selectAll().where(column, '=', value).executeTakeFirst();
  return row === undefined ? null : toAccount(row);
}

function createAccount(
  { write }: Records,
  { account, adminEmail, apiKey, authority }: Parameters<AccountTable['create']>[0],
): Promise<void> {
  return write(async (writing) => {
    const { db } = writing;
    const { id, name, createdAt, suspended } = account;
    const inserted = await db
      .insertInto('accounts')
      .values({ id, name, created_at: createdAt, suspended: flag(suspended) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 1n)
      throw new ServiceError('account_exists', `Cannot create account ${name}: the name is taken`, {
        hint: 'Choose another name. doorward account list shows all accounts.',
      });
    const memberId = await insertAdmin(db, { accountId: id, email: adminEmail, createdAt });
    await insertApiKey(db, { ...apiKey, ...FIRST_KEY, accountId: id, memberId });
    if (authority !== undefined) await insertCa(writing, authority);
  });
}

function suspendAccount({ write, clock }: Records, id: AccountId, suspended: boolean): Promise<boolean> {
  return write(async (writing) => {
    const { db, note } = writing;
    const updated = await db
      .updateTable('accounts')
      .set({ suspended: flag(suspended) })
      .where('id', '=', id)
      .executeTakeFirst();
    if (updated.numUpdatedRows !== 1n) return false;
    const ending = { reason: 'account_suspended', at: clock(), owesTokens: true };
    if (suspended) await endSessions(writing, { column: 'account_id', values: [id] }, ending);
    // To the gateways each of its shares, providers and authorities comes or goes.
    const shares = await db.selectFrom('shares').select('id').where('account_id', '=', id).execute();
    for (const share of shares) note({ kind: 'share', id: share.id as ShareId });
    const providers = await db
      .selectFrom('provider_definitions')
      .select('id')
      .where('account_id', '=', id)
      .execute();
    for (const provider of providers) note({ kind: 'provider', id: provider.id as ProviderDefinitionId });
    const cas = await db.selectFrom('account_cas').select('id').where('account_id', '=', id).execute();
    for (const ca of cas) note({ kind: 'ca', id: ca.id as AccountCaId });
    return true;
  });
}

/** The key that an account is made with: its admin's, without limits. */
const FIRST_KEY = { role: 'admin', scope: 'full', expiresAt: null, createdBy: null } as const;

function toAccount(row: AccountsTable): Account {
  return {
    id: row.id as AccountId,
    name: row.name,
    createdAt: row.created_at,
    suspended: isSet(row.suspended),
  };
}
