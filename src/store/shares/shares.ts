// Shares and their names. A name never passes to another account, even after its share is gone (DESIGN 2.3).

import type { Expression, Kysely, Transaction } from 'kysely';
import { type AuditEvent, auditEvent } from '../../domain/audit-event.ts';
import type { AccountId, ShareId } from '../../domain/id.ts';
import { namedProviders, onlyProvider } from '../../domain/named-providers.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { RoutedSettings } from '../../domain/share-values.ts';
import type { TunnelKind } from '../../domain/tunnel-kind.ts';
import type { RoutedRow, ShareRow, ShareTable } from './share.ts';
import { appendEvents } from '../audit/audit.ts';
import { allRows, eachPage } from '../all-rows.ts';
import { inBatches, listOf, listText } from '../columns.ts';
import type { Locks } from '../engine.ts';
import type { Records, Writing } from '../records.ts';
import { countOf, requireRoom } from '../room.ts';
import { shareFigures } from './figures.ts';
import { countFoundShares, findShares } from './search.ts';
import { endSessions } from '../sessions/end.ts';
import { holdRuleRoom, requireRuleRoom } from './rule-room.ts';
import { guarded, namesIn } from './ruled-columns.ts';
import { columnsOf } from './setting-columns.ts';
import { LISTED_COLUMNS, routedOnce, sharedSettings } from './shared-settings.ts';
import type { Tables } from '../tables.ts';
import type { SharesTable } from './tables.ts';
import { noteLooked, takeLook, targetsToLook } from './target-looks.ts';
import { shareStates } from './states.ts';
import { shareChange } from '../../domain/share-fields.ts';

export function createShareTable(records: Records): ShareTable {
  const { read } = records;
  return {
    create: (row, conditions = {}) => createShare(records, row, conditions),
    find: async (accountId, name) => {
      const row = await read
        .selectFrom('shares')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .executeTakeFirst();
      return row === undefined ? null : toShare(row);
    },
    findById: async (id) => {
      const row = await usableShares(records).where('share.id', '=', id).executeTakeFirst();
      return row === undefined ? null : toShare(row);
    },
    findByIds: async (ids) => {
      const found: ShareRow[] = [];
      for (const batch of inBatches(ids))
        found.push(...(await usableShares(records).where('share.id', 'in', batch).execute()).map(toShare));
      return found;
    },
    list: async (accountId, page) => {
      const { rows, next } = await findShares(records, accountId, page);
      return { shares: rows.map(toShare), next };
    },
    countFound: (accountId, filter, most) => countFoundShares(records, accountId, { filter, most }),
    figures: (accountId, ids, now) => shareFigures(records, accountId, { ids, now }),
    count: async (accountId) => {
      const row = await read
        .selectFrom('shares')
        .select(({ fn }) => [fn.countAll().as('total'), fn.sum('enabled').as('enabled')])
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return { total: Number(row.total), enabled: Number(row.enabled ?? 0) };
    },
    countByProvider: async (accountId) => {
      const rows = await read
        .selectFrom('shares')
        .select(({ fn }) => ['oauth_provider', fn.countAll().as('total')])
        .where('account_id', '=', accountId)
        .where('oauth_provider', 'is not', null)
        .where('ruled', 'is', null)
        .groupBy('oauth_provider')
        .execute();
      const counts = new Map<string, number>();
      for (const { oauth_provider: names, total } of rows)
        for (const name of namesIn(names)) counts.set(name, (counts.get(name) ?? 0) + Number(total));
      const ruled = await read
        .selectFrom('shares')
        .select('rule_providers')
        .where('account_id', '=', accountId)
        .where('rule_providers', 'is not', null)
        .execute();
      for (const { rule_providers: names } of ruled)
        for (const name of namesIn(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
      return counts;
    },
    takeLook: (holdMs) => takeLook(records, holdMs),
    targetsToLook: (page) => targetsToLook(records, page),
    looked: (found) => noteLooked(records, found),
    states: (accountId, now) => shareStates(records, accountId, now),
    all: () => allRows(pagesOfAll(records), toShare),
    each: (take) => eachRouted(records, take),
    agentSeen: (id, at) => agentSeen(records, id, at),
    removeAbandoned: (before, at) => removeAbandoned(records, { before, at }),
    modify: (change) => modifyShare(records, change),
    remove: (accountId, id, judge) => removeShare(records, { accountId, id, judge }),
  };
}

/** Those of accounts that are not suspended. */
function usableShares({ read }: Records) {
  return read
    .selectFrom('shares as share')
    .innerJoin('accounts as account', 'account.id', 'share.account_id')
    .where('account.suspended', '=', 0)
    .selectAll('share');
}

function pagesOfAll(records: Records) {
  return (after: string, limit: number) =>
    usableShares(records).where('share.id', '>', after).orderBy('share.id').limit(limit).execute();
}

/** Of one moment: none is missed that moves to another place. */
function eachRouted(
  { read, wholeTables }: Records,
  take: (rows: readonly RoutedRow[]) => void,
): Promise<void> {
  const place = wholeTables.placeIn('share');
  const settings = wholeTables.asList(LISTED_COLUMNS.map((column) => `share.${column}`));
  const rows = (db: Transaction<Tables>) =>
    db
      .selectFrom('shares as share')
      .innerJoin('accounts as account', 'account.id', 'share.account_id')
      .where('account.suspended', '=', 0)
      .select(['share.id', 'share.account_id', 'share.name', 'share.target', 'share.tunnel'])
      .select(['share.custom_hosts', settings.as('settings'), place.as('place')])
      .orderBy(place);
  return read
    .transaction()
    .setAccessMode('read only')
    .execute((db) =>
      eachPage<RowOfAll>(
        (last, limit) =>
          rows(db)
            .$if(last !== null, (query) => query.where(place, '>', last!.place))
            .limit(limit)
            .execute(),
        (page) => take(page.map(toRouted)),
      ),
    );
}

function createShare(
  { write, locks }: Records,
  row: ShareRow,
  { definitions = [], most, mostRules }: NonNullable<Parameters<ShareTable['create']>[1]>,
): Promise<void> {
  return write(async ({ db, note }) => {
    const { accountId } = row;
    const count = () => countOf(db, 'shares', accountId);
    await requireRoom(locks, db, { accountId, key: 'shares', most, count });
    if (mostRules !== undefined) await holdRuleRoom(locks, db, accountId);
    // Whoever suspends the account at the same time waits, and then sees this share; or this waits for that.
    await db
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', row.accountId)
      .modifyEnd(locks.unchanged)
      .execute();
    await requireDefinitions(db, locks, { accountId: row.accountId, names: definitions });
    await db
      .insertInto('share_names')
      .values({ name: row.name, account_id: row.accountId })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const owner = await db
      .selectFrom('share_names')
      .select('account_id')
      .where('name', '=', row.name)
      .executeTakeFirstOrThrow();
    if (owner.account_id !== row.accountId) throw nameTaken(row.name);
    const inserted = await db
      .insertInto('shares')
      .values({ ...fromShare(row), custom_hosts: listText([]) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 1n) throw nameTaken(row.name);
    if (mostRules !== undefined)
      await requireRuleRoom(db, { accountId, most: mostRules }, { before: null, after: columnsOf(row) });
    note({ kind: 'share', id: row.id });
  });
}

function modifyShare(
  { write, clock, locks }: Records,
  change: Parameters<ShareTable['modify']>[0],
): Promise<ShareRow | null> {
  return write(async (writing) => {
    const { db, note } = writing;
    const { accountId, mostRules } = change;
    if (mostRules !== undefined) await holdRuleRoom(locks, db, accountId);
    const before = await heldShare(db, locks, change);
    if (before === null) return null;
    const settings = change.settings(before);
    await requireDefinitions(db, locks, { accountId, names: change.definitions ?? [] });
    const after: ShareRow = { ...before, ...settings, version: before.version + 1, updatedAt: change.at };
    const { id, ...columns } = fromShare(after);
    await db.updateTable('shares').set(columns).where('id', '=', id).execute();
    if (mostRules !== undefined) {
      const sides = { before: columnsOf(before), after: columnsOf(after) };
      await requireRuleRoom(db, { accountId, most: mostRules }, sides);
    }
    const names = namedProviders(after);
    if (namedProviders(before).some((name) => !names.includes(name))) {
      // They opened nothing any more.
      const ending = { reason: 'provider_changed', at: clock(), owesTokens: true };
      const ended = await sessionsElsewhere(db, before.id, names);
      await endSessions(writing, { column: 'id', values: ended }, ending);
    }
    note({ kind: 'share', id: before.id });
    return after;
  });
}

/** Those of providers that the share names no more. */
async function sessionsElsewhere(
  db: Transaction<Tables>,
  id: ShareId,
  names: readonly string[],
): Promise<readonly string[]> {
  const sessions = await db
    .selectFrom('sessions')
    .select(['id', 'provider_name'])
    .where('share_id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
  return sessions.filter(({ provider_name: name }) => !names.includes(name)).map((session) => session.id);
}

function removeShare(
  { write, clock, locks }: Records,
  { judge, ...one }: OneShare & { readonly judge: ((share: ShareRow) => void) | undefined },
): Promise<boolean> {
  return write(async (writing) => {
    const share = await heldShare(writing.db, locks, one);
    if (share === null) return false;
    judge?.(share);
    await deleteShare(writing, share.id, clock());
    return true;
  });
}

async function deleteShare(writing: Writing, id: ShareId, at: Expression<number>): Promise<void> {
  const ending = { reason: 'share_deleted', at, owesTokens: true };
  await endSessions(writing, { column: 'share_id', values: [id] }, ending);
  await writing.db.deleteFrom('access_requests').where('share_id', '=', id).execute();
  await writing.db.deleteFrom('shares').where('id', '=', id).execute();
  writing.note({ kind: 'share', id });
}

type OneShare = { readonly accountId: AccountId; readonly id: ShareId };

/** As it is, and nobody else changes it until the transaction ends. */
async function heldShare(
  db: Transaction<Tables>,
  locks: Locks,
  { accountId, id }: OneShare,
): Promise<ShareRow | null> {
  const row = await db
    .selectFrom('shares')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .modifyEnd(locks.changing)
    .executeTakeFirst();
  return row === undefined ? null : toShare(row);
}

/**
 * Whoever deletes one of the definitions at the same time waits, and then finds that the share uses it; or
 * this waits for that.
 */
async function requireDefinitions(
  db: Transaction<Tables>,
  locks: Locks,
  { accountId, names }: { readonly accountId: AccountId; readonly names: readonly string[] },
): Promise<void> {
  const found = new Set<string>();
  for (const batch of inBatches(names)) {
    const rows = await db
      .selectFrom('provider_definitions')
      .select('name')
      .where('account_id', '=', accountId)
      .where('name', 'in', batch)
      .modifyEnd(locks.unchanged)
      .execute();
    for (const { name } of rows) found.add(name);
  }
  const gone = names.find((name) => !found.has(name));
  if (gone !== undefined)
    throw new ServiceError('provider_unknown', `Cannot use provider ${gone}: it was deleted`, {
      hint: 'Choose another provider. doorward provider list shows them.',
    });
}

function agentSeen({ write }: Records, id: ShareId, at: number): Promise<void> {
  return write(async ({ db }) => {
    await db
      .updateTable('shares')
      .set({ agent_seen_at: at })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('agent_seen_at', 'is', null), eb('agent_seen_at', '<', at - SEEN_STEP_MS)]))
      .execute();
  });
}

type Abandoned = { readonly before: number; readonly at: number };

/**
 * What was abandoned when it was looked for is asked again where it goes: an agent may have come back in
 * between.
 */
async function removeAbandoned(records: Records, since: Abandoned): Promise<number> {
  const found = await abandoned(records.read, since.before).select('id').execute();
  let removed = 0;
  for (const { id } of found)
    if (await removeAbandonedOne(records, { id: id as ShareId, ...since })) removed++;
  return removed;
}

function abandoned(db: Kysely<Tables>, before: number) {
  return db
    .selectFrom('shares')
    .where('tunnel', '=', 'ephemeral')
    .where((eb) => eb(eb.fn.coalesce('agent_seen_at', 'created_at'), '<', before));
}

function removeAbandonedOne(
  records: Records,
  { id, before, at }: Abandoned & { readonly id: ShareId },
): Promise<boolean> {
  const { write, clock, locks } = records;
  return write(async (writing) => {
    const row = await abandoned(writing.db, before)
      .selectAll()
      .where('id', '=', id)
      .modifyEnd(locks.changing)
      .executeTakeFirst();
    if (row === undefined) return false;
    await deleteShare(writing, id, clock());
    await appendEvents(records, writing.db, [abandonedEvent(toShare(row), at)]);
    return true;
  });
}

function abandonedEvent(share: ShareRow, at: number): AuditEvent {
  const { accountId, id: shareId } = share;
  const provider = onlyProvider(share);
  const reason = `${share.name}: abandoned`;
  const changes = shareChange(share, null);
  return auditEvent({ kind: 'share.deleted', at, accountId, shareId, provider, reason, changes });
}

function nameTaken(name: string): ServiceError {
  return new ServiceError('name_taken', `Cannot create share ${name}: the name is taken`, {
    hint: 'Choose another name. A name never passes from one account to another.',
  });
}

type RowOfPlace = Pick<SharesTable, 'id' | 'account_id' | 'name' | 'target' | 'tunnel' | 'custom_hosts'>;

type RowOfAll = RowOfPlace & { readonly settings: string; readonly place: string | number };

function toRouted(row: RowOfAll): RoutedRow {
  const settings = routedOnce(row.settings);
  return { ...placeOf(row, settings), settings };
}

function placeOf(row: RowOfPlace, { behind }: Pick<RoutedSettings, 'behind'>): Omit<RoutedRow, 'settings'> {
  return {
    id: row.id as ShareId,
    accountId: row.account_id as AccountId,
    name: row.name,
    target: row.tunnel === null && !behind ? row.target : null,
    hosts: row.custom_hosts === NO_HOSTS ? NONE : listOf(row.custom_hosts),
  };
}

function toShare(row: SharesTable): ShareRow {
  const settings = sharedSettings(row);
  return {
    ...placeOf(row, settings),
    tunnel: row.tunnel as TunnelKind | null,
    ...settings,
    agentSeenAt: row.agent_seen_at,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/**
 * Without its hosts, which change in `hosts.ts` alone, and its agent, which is noted alone: a new share has
 * none.
 */
function fromShare(share: ShareRow): Omit<SharesTable, 'custom_hosts' | 'agent_seen_at'> {
  return {
    id: share.id,
    account_id: share.accountId,
    name: share.name,
    target: share.target ?? '',
    tunnel: share.tunnel,
    ...guarded(share, columnsOf(share)),
    version: share.version,
    created_at: share.createdAt,
    updated_at: share.updatedAt,
  };
}

const NONE: readonly string[] = [];
const NO_HOSTS = listText(NONE);
/** Several workers note the same agent; abandoned shares are told by the hour. */
const SEEN_STEP_MS = 30_000;
