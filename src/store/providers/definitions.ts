// Providers that accounts define (contract 2.4). The credential is sealed; a definition that shares use is
// not deleted; a name never passes to another account.

import type { AccountId, ProviderDefinitionId } from '../../domain/id.ts';
import type { DefinitionConfig, ProviderDefinition } from '../../domain/provider-definition.ts';
import type { DefinitionType } from '../../domain/provider-kinds.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { allRows } from '../all-rows.ts';
import { inBatches } from '../columns.ts';
import { openCredential, sealCredential } from './credential.ts';
import type { Records, Writing } from '../records.ts';
import { countOf, requireRoom } from '../room.ts';
import { endSessions } from '../sessions/end.ts';
import type { ProviderDefinitionTable, StoredDefinition, UsableDefinition } from './definition.ts';
import type { ProviderDefinitionsTable } from './tables.ts';
import { namesProvider } from '../shares/names-provider.ts';

export function createProviderDefinitionTable(records: Records): ProviderDefinitionTable {
  const { read } = records;
  return {
    create: (stored, most) => createDefinition(records, stored, most),
    find: async (accountId, name) => {
      const row = await read
        .selectFrom('provider_definitions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .executeTakeFirst();
      return row === undefined ? null : toDefinition(row);
    },
    list: async (accountId, { after, limit }) => {
      const rows = await read
        .selectFrom('provider_definitions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('name', '>', after ?? '')
        .orderBy('name')
        .limit(limit)
        .execute();
      return rows.map(toDefinition);
    },
    all: () =>
      allRows(
        (after, limit) =>
          usable(records).where('definition.id', '>', after).orderBy('definition.id').limit(limit).execute(),
        (row) => usableDefinition(records, row),
      ),
    among: async (ids) => {
      const found: UsableDefinition[] = [];
      for (const batch of inBatches(ids)) {
        const rows = await usable(records).where('definition.id', 'in', batch).execute();
        for (const row of rows) found.push(usableDefinition(records, row));
      }
      return found;
    },
    modify: (change) => modifyDefinition(records, change),
    remove: (accountId, id, judge) => removeDefinition(records, { accountId, id, judge }),
  };
}

/** Those of accounts that are not suspended. */
function usable({ read }: Records) {
  return read
    .selectFrom('provider_definitions as definition')
    .innerJoin('accounts as account', 'account.id', 'definition.account_id')
    .where('account.suspended', '=', 0)
    .selectAll('definition');
}

function usableDefinition({ seal }: Records, row: ProviderDefinitionsTable): UsableDefinition {
  const definition = toDefinition(row);
  // No more of the row is kept for as long as the definition is: its configuration may be long.
  const { client_secret, client_private_key } = row;
  const sealed = { client_secret, client_private_key };
  return { definition, openCredential: () => openCredential(seal, definition, sealed) };
}

function createDefinition(
  { write, locks }: Records,
  { definition, ...credential }: StoredDefinition,
  most: number | undefined,
): Promise<void> {
  return write(async ({ db, sealer, note }) => {
    const { name, accountId } = definition;
    const count = () => countOf(db, 'provider_definitions', accountId);
    await requireRoom(locks, db, { accountId, key: 'providers', most, count });
    await db
      .insertInto('provider_names')
      .values({ name, account_id: accountId })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const owner = await db
      .selectFrom('provider_names')
      .select('account_id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    if (owner.account_id !== accountId) throw nameTaken(name);
    const inserted = await db
      .insertInto('provider_definitions')
      .values({
        ...fromDefinition(definition),
        ...sealCredential(await sealer(), definition, credential),
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 1n) throw nameTaken(name);
    note({ kind: 'provider', id: definition.id });
  });
}

function modifyDefinition(
  records: Records,
  change: Parameters<ProviderDefinitionTable['modify']>[0],
): Promise<ProviderDefinition | null> {
  return records.write(async (writing) => {
    const before = await changing(writing, records, change);
    if (before === null) return null;
    const { type, config, endsSessions } = change.become(before);
    const after: ProviderDefinition = {
      ...before,
      type,
      config,
      version: before.version + 1,
      updatedAt: change.at,
    };
    const { id, ...columns } = fromDefinition(after);
    const { credential } = change;
    const sealed = credential === null ? {} : sealCredential(await writing.sealer(), after, credential);
    await writing.db
      .updateTable('provider_definitions')
      .set({ ...columns, ...sealed })
      .where('id', '=', id)
      .execute();
    if (endsSessions)
      await endItsSessions(records, writing, { definition: after, reason: 'provider_changed' });
    writing.note({ kind: 'provider', id: after.id });
    return after;
  });
}

function removeDefinition(
  records: Records,
  removal: OneDefinition & { readonly judge: ((definition: ProviderDefinition) => void) | undefined },
): Promise<boolean> {
  return records.write(async (writing) => {
    const { db, note } = writing;
    const definition = await changing(writing, records, removal);
    if (definition === null) return false;
    removal.judge?.(definition);
    const { name } = definition;
    const users = await db
      .selectFrom('shares')
      .select('name')
      .where('account_id', '=', removal.accountId)
      .where((eb) => namesProvider(eb, name))
      .orderBy('name')
      .limit(MOST_NAMED)
      .execute();
    if (users.length > 0)
      throw inUse(
        name,
        users.map((share) => share.name),
      );
    await endItsSessions(records, writing, { definition, reason: 'provider_deleted' });
    await db
      .deleteFrom('provider_findings')
      .where('account_id', '=', removal.accountId)
      .where('provider', '=', name)
      .execute();
    await db.deleteFrom('provider_definitions').where('id', '=', definition.id).execute();
    note({ kind: 'provider', id: definition.id });
    return true;
  });
}

type OneDefinition = { readonly accountId: AccountId; readonly id: ProviderDefinitionId };

/** The row, kept from others until the transaction ends. */
async function changing(
  { db }: Writing,
  { locks }: Records,
  { accountId, id }: OneDefinition,
): Promise<ProviderDefinition | null> {
  const row = await db
    .selectFrom('provider_definitions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .modifyEnd(locks.changing)
    .executeTakeFirst();
  return row === undefined ? null : toDefinition(row);
}

/** Sessions made at another identity source end with it (DESIGN "Who may use which provider"). */
async function endItsSessions(
  { clock }: Records,
  writing: Writing,
  { definition, reason }: { readonly definition: ProviderDefinition; readonly reason: string },
): Promise<void> {
  const living = await writing.db
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', definition.accountId)
    .where('provider_name', '=', definition.name)
    .where('ended_at', 'is', null)
    .execute();
  const ending = { reason, at: clock(), owesTokens: true };
  await endSessions(writing, { column: 'id', values: living.map(({ id }) => id) }, ending);
}

function nameTaken(name: string): ServiceError {
  return new ServiceError('name_taken', `Cannot create provider ${name}: the name is taken`, {
    hint: 'Choose another name. A name is part of URLs and never passes from one account to another.',
  });
}

function inUse(name: string, shares: readonly string[]): ServiceError {
  return new ServiceError(
    'provider_in_use',
    `Cannot delete provider ${name}: shares use it: ${shares.join(', ')}`,
    {
      hint: 'Set another provider for those shares, or delete them.',
      extra: { shares },
    },
  );
}

function toDefinition(row: ProviderDefinitionsTable): ProviderDefinition {
  return {
    id: row.id as ProviderDefinitionId,
    accountId: row.account_id as AccountId,
    name: row.name,
    type: row.type as DefinitionType,
    // What is there was written by `fromDefinition`.
    config: JSON.parse(row.config) as DefinitionConfig,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function fromDefinition(
  definition: ProviderDefinition,
): Omit<ProviderDefinitionsTable, 'client_secret' | 'client_private_key'> {
  return {
    id: definition.id,
    account_id: definition.accountId,
    name: definition.name,
    type: definition.type,
    config: JSON.stringify(definition.config),
    version: definition.version,
    created_at: definition.createdAt,
    updated_at: definition.updatedAt,
  };
}

/** Enough to know where to look; the list of shares has them all. */
const MOST_NAMED = 20;
