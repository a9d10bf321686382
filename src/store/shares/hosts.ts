// Host names of their own that shares have. Whatever changes whose a host is goes one after the other for
// each host; the share's own list of its proved hosts changes in the same transaction.

import type { Transaction } from 'kysely';
import type { AccountId, ShareHostId, ShareId } from '../../domain/id.ts';
import { HOST_ORDERS, type HostOrder } from '../../domain/list-orders.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { listText } from '../columns.ts';
import type { Records, Writing } from '../records.ts';
import { countOf, requireRoom } from '../room.ts';
import type { HostGrant, HostJudge, HostProof, ShareHostRow, ShareHostTable } from './host.ts';
import { countUpTo, numberColumn, orderedBy, pageInOrder, type SortColumns, textColumn } from '../sorting.ts';
import type { Tables } from '../tables.ts';
import type { HostGrantsTable, ShareHostsTable } from './tables.ts';

export function createShareHostTable(records: Records): ShareHostTable {
  const { read } = records;
  return {
    claim: (claim) => claimHost(records, claim),
    find: (accountId, named) => findHost(read, accountId, named),
    list: async (accountId, { shareId, ...page }) => {
      const chosen = hosts(read)
        .where('host.account_id', '=', accountId)
        .$if(shareId !== null, (query) => query.where('host.share_id', '=', shareId));
      const { rows, next } = await pageInOrder(chosen, orderedBy(HOST_ORDERS, ORDERS, page), page);
      return { rows: rows.map(toShareHost), next };
    },
    count: (accountId, shareId, most) => {
      const chosen = read
        .selectFrom('share_hosts')
        .where('account_id', '=', accountId)
        .$if(shareId !== null, (query) => query.where('share_id', '=', shareId));
      return countUpTo(read, chosen, most);
    },
    holder: (host) => holderOf(read, host),
    prove: (proving) => proveHost(records, proving),
    remove: (accountId, named, at, judge) => removeHost(records, { accountId, named, at, judge }),
    isGranted: async (accountId, host) => (await grantOf(read, host))?.account_id === accountId,
    grant: (grant) => grantHost(records, grant),
    revoke: (accountId, host, at) => revokeHost(records, { accountId, host, at }),
    grants: async () =>
      (await read.selectFrom('host_grants').selectAll().orderBy('host').execute()).map(toGrant),
  };
}

type Reader = Records['read'] | Transaction<Tables>;

function hosts(db: Reader) {
  return db
    .selectFrom('share_hosts as host')
    .innerJoin('shares as share', 'share.id', 'host.share_id')
    .selectAll('host')
    .select('share.name as share_name');
}

async function findHost(db: Reader, accountId: AccountId, named: string): Promise<ShareHostRow | null> {
  const row = await hosts(db)
    .where('host.account_id', '=', accountId)
    // No host holds an underscore, so the two cannot be mixed up.
    .where(named.startsWith('hst_') ? 'host.id' : 'host.host', '=', named)
    .executeTakeFirst();
  return row === undefined ? null : toShareHost(row);
}

async function holderOf(db: Reader, host: string): Promise<ShareHostRow | null> {
  const row = await hosts(db)
    .where('host.host', '=', host)
    .where('host.proved_at', 'is not', null)
    .executeTakeFirst();
  return row === undefined ? null : toShareHost(row);
}

async function grantOf(db: Reader, host: string): Promise<HostGrantsTable | undefined> {
  return db.selectFrom('host_grants').selectAll().where('host', '=', host).executeTakeFirst();
}

function claimHost(records: Records, claim: Parameters<ShareHostTable['claim']>[0]): Promise<void> {
  const { id, accountId, shareId, host, createdAt, most } = claim;
  return records.write(async ({ db }) => {
    await requireRoom(records.locks, db, {
      accountId,
      key: 'hosts',
      most: claim.mostOfAccount,
      count: () => countOf(db, 'share_hosts', accountId),
    });
    // Held until the end: two at once must not both be the last that is allowed, nor the share go meanwhile.
    await holdShare(records, db, { accountId, shareId });
    const { count } = await db
      .selectFrom('share_hosts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('share_id', '=', shareId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= most)
      throw new ServiceError(
        'too_many_hosts',
        `Cannot add a host: the share has ${most}, which is the limit`,
        {
          hint: 'Delete a host that you no longer need. doorward host list shows them.',
        },
      );
    const inserted = await db
      .insertInto('share_hosts')
      .values({
        id,
        account_id: accountId,
        share_id: shareId,
        host,
        created_at: createdAt,
        proved_at: null,
        proof: null,
      })
      .onConflict((conflict) => conflict.columns(['account_id', 'host']).doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 1n)
      throw new ServiceError(
        'host_taken',
        `Cannot add host ${host}: a share of your account already has it`,
        {
          hint: 'Delete it there first. doorward host list shows the share.',
        },
      );
  });
}

function proveHost(
  records: Records,
  proving: Parameters<ShareHostTable['prove']>[0],
): ReturnType<ShareHostTable['prove']> {
  const { accountId, id, host, proof, at } = proving;
  return records.write(async (writing) => {
    const { db } = writing;
    await records.locks.name(db, hostLock(host));
    const claim = await findHost(db, accountId, id);
    if (claim === null) return null;
    if (claim.proof !== null) return { row: claim, isNew: false, displaced: null };
    const { version } = await holdShare(records, db, claim);
    if (version !== proving.shareVersion)
      throw new ServiceError(
        'precondition_failed',
        `Cannot add host ${host}: the share changed at the same time`,
        {
          hint: 'Try again.',
        },
      );
    const displaced = await makeRoom(records, writing, proving);
    await db
      .updateTable('share_hosts')
      .set({ proved_at: at, proof })
      .where('id', '=', claim.id)
      .where('account_id', '=', accountId)
      .execute();
    await rewriteHosts(writing, claim.shareId, at);
    return { row: { ...claim, provedAt: at, proof }, isNew: true, displaced };
  });
}

/**
 * Throws `host_taken` unless the host is free for the account; takes it from one whose own proof is gone, and
 * answers that.
 */
async function makeRoom(
  records: Records,
  writing: Writing,
  { accountId, host, proof, displaces, at }: Parameters<ShareHostTable['prove']>[0],
): Promise<ShareHostRow | null> {
  const { db } = writing;
  const grant = await grantOf(db, host);
  const isForeign = grant !== undefined && grant.account_id !== accountId;
  const isRevoked = grant === undefined && proof === 'operator';
  if (isForeign || isRevoked) throw hostTaken(host);
  const holder = await holderOf(db, host);
  if (holder === null) return null;
  if (holder.proof !== 'dns' || holder.accountId !== displaces) throw hostTaken(host);
  await dropHost(records, writing, { row: holder, at });
  return holder;
}

type HostRemoval = {
  readonly accountId: AccountId;
  readonly named: string;
  readonly at: number;
  readonly judge: HostJudge | undefined;
};

function removeHost(
  records: Records,
  { accountId, named, at, judge }: HostRemoval,
): Promise<ShareHostRow | null> {
  return records.write(async (writing) => {
    const seen = await findHost(writing.db, accountId, named);
    if (seen === null) return null;
    await records.locks.name(writing.db, hostLock(seen.host));
    const row = await findHost(writing.db, accountId, named);
    if (row === null) return null;
    judge?.(row);
    await dropHost(records, writing, { row, at });
    return row;
  });
}

async function dropHost(
  records: Records,
  writing: Writing,
  { row, at }: { readonly row: ShareHostRow; readonly at: number },
): Promise<void> {
  await holdShare(records, writing.db, row);
  await writing.db.deleteFrom('share_hosts').where('id', '=', row.id).execute();
  if (row.proof !== null) await rewriteHosts(writing, row.shareId, at);
}

function grantHost(records: Records, { host, accountId, createdAt }: HostGrant): Promise<void> {
  return records.write(async ({ db }) => {
    await records.locks.name(db, hostLock(host));
    const grant = await grantOf(db, host);
    const holder = await holderOf(db, host);
    for (const other of [grant?.account_id, holder?.accountId])
      if (other !== undefined && other !== accountId) throw hostTaken(host);
    if (grant !== undefined) return;
    await db
      .insertInto('host_grants')
      .values({ host, account_id: accountId, created_at: createdAt })
      .execute();
  });
}

function revokeHost(
  records: Records,
  { accountId, host, at }: { readonly accountId: AccountId; readonly host: string; readonly at: number },
): Promise<boolean> {
  return records.write(async (writing) => {
    await records.locks.name(writing.db, hostLock(host));
    const deleted = await writing.db
      .deleteFrom('host_grants')
      .where('host', '=', host)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (deleted.numDeletedRows !== 1n) return false;
    const holder = await holderOf(writing.db, host);
    if (holder?.accountId === accountId && holder.proof === 'operator')
      await dropHost(records, writing, { row: holder, at });
    return true;
  });
}

/** The share, and nobody changes it until the transaction ends. Throws `share_unknown`. */
async function holdShare(
  { locks }: Records,
  db: Transaction<Tables>,
  { accountId, shareId }: { readonly accountId: AccountId; readonly shareId: ShareId },
): Promise<{ readonly version: number }> {
  const share = await db
    .selectFrom('shares')
    .select('version')
    .where('id', '=', shareId)
    .where('account_id', '=', accountId)
    .modifyEnd(locks.changing)
    .executeTakeFirst();
  if (share === undefined)
    throw new ServiceError('share_unknown', `Cannot find share ${shareId}: it was deleted`, {
      hint: 'List shares with doorward share list.',
    });
  return share;
}

/** The share's own list of its proved hosts, oldest first, and its version. */
async function rewriteHosts({ db, note }: Writing, shareId: ShareId, at: number): Promise<void> {
  const rows = await db
    .selectFrom('share_hosts')
    .select('host')
    .where('share_id', '=', shareId)
    .where('proved_at', 'is not', null)
    .orderBy('proved_at')
    .orderBy('host')
    .execute();
  await db
    .updateTable('shares')
    .set((eb) => ({
      custom_hosts: listText(rows.map(({ host }) => host)),
      version: eb('version', '+', 1),
      updated_at: at,
    }))
    .where('id', '=', shareId)
    .execute();
  note({ kind: 'share', id: shareId });
}

function hostTaken(host: string): ServiceError {
  return new ServiceError('host_taken', `Cannot use host ${host}: it belongs to another account`, {
    hint: 'If the host is yours, remove the other account’s record below _doorward-challenge, or ask the operator.',
  });
}

function hostLock(host: string): string {
  return `host ${host}`;
}

function toShareHost(row: ShareHostsTable & { readonly share_name: string }): ShareHostRow {
  return {
    id: row.id as ShareHostId,
    accountId: row.account_id as AccountId,
    shareId: row.share_id as ShareId,
    shareName: row.share_name,
    host: row.host,
    createdAt: row.created_at,
    provedAt: row.proved_at,
    proof: row.proof as HostProof | null,
  };
}

function toGrant(row: HostGrantsTable): HostGrant {
  return { host: row.host, accountId: row.account_id as AccountId, createdAt: row.created_at };
}

const ORDERS: Readonly<Record<HostOrder, SortColumns>> = {
  name: [textColumn('host.host')],
  created: [numberColumn('host.created_at'), textColumn('host.id')],
};
