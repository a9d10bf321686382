// Names, their certificates and orders. Each write of whoever orders holds the lease's row until its commit.

import type { Transaction } from 'kysely';
import { type AccountId, type AcmeNameId, newId } from '../../domain/id.ts';
import type { Records, Writing } from '../records.ts';
import type { SealedPlace } from '../sealing/sealed-columns.ts';
import type { Tables } from '../tables.ts';
import { accountTable } from './acme-accounts.ts';
import type { AcmeLimits, AcmeName, AcmeTable, HeldDates } from './acme.ts';
import { challengeTable } from './acme-challenges.ts';
import { type Fenced, fencedBy, releaseLease, takeLease } from './acme-lease.ts';
import type { AcmeNamesTable } from './tables.ts';

export function createAcmeTable(records: Records): AcmeTable {
  const { read, seal } = records;
  const fenced = fencedBy(records);
  return {
    takeLease: (holder, holdMs) => takeLease(records, holder, holdMs),
    releaseLease: (holder) => releaseLease(records, holder),
    ...accountTable(records, fenced),
    ...challengeTable(records, fenced),
    ...orderTable(records, fenced),
    want: (wanted, limits) => want(records, wanted, limits),
    names: async () =>
      (await read.selectFrom('acme_names').select(NAME_COLUMNS).orderBy('id').execute()).map(toName),
    find: async (name) => {
      const row = await read.selectFrom('acme_names').selectAll().where('name', '=', name).executeTakeFirst();
      return row === undefined ? null : toName(row);
    },
    served: async (now, unreadable = () => undefined) => {
      const rows = await read
        .selectFrom('acme_names')
        .selectAll()
        .where('not_after', '>', now)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.flatMap(({ id, account_id: account, name, certificate, private_key: key }) => {
        if (certificate === null || key === null) return [];
        try {
          return [{ name, certificate, privateKey: seal.open(keyPlace(id, account), key) }];
        } catch {
          // One that was damaged must not keep the others from being served.
          unreadable(name);
          return [];
        }
      });
    },
    certificate: async (id) => (await rowOf(read, id))?.certificate ?? null,
    order: async (id) => {
      const row = await rowOf(read, id);
      if (row === undefined || row.order_url === null || row.order_key === null) return null;
      const privateKey = seal.open(orderPlace(id, row.account_id), row.order_key);
      return { url: row.order_url, privateKey };
    },
  };
}

type OrderTable = Pick<AcmeTable, 'beginOrder' | 'finishOrder' | 'failed' | 'plan' | 'remove'>;

function orderTable({ seal, locks }: Records, fenced: Fenced): OrderTable {
  return {
    beginOrder: (holder, id, { url, privateKey }) =>
      fenced(holder, async ({ db, sealer }) => {
        const to = await sealer();
        const row = await rowOf(db, id);
        if (row === undefined) return;
        const key = to.seal(orderPlace(id, row.account_id), privateKey);
        await update(db, id, { order_url: url, order_key: key });
      }),
    finishOrder: (holder, id, { certificate, retryAt, ...dates }) =>
      fenced(holder, async ({ db, sealer, note }) => {
        const to = await sealer();
        const row = await db
          .selectFrom('acme_names')
          .selectAll()
          .where('id', '=', id)
          .modifyEnd(locks.changing)
          .executeTakeFirst();
        if (row === undefined || row.order_key === null) return;
        const key = seal.open(orderPlace(id, row.account_id), row.order_key);
        await update(db, id, {
          certificate,
          private_key: to.seal(keyPlace(id, row.account_id), key),
          ...datesOf(dates),
          ...NO_ORDER,
          failures: 0,
          retry_at: retryAt,
          last_failure: null,
        });
        note({ kind: 'public-certificate', id });
      }),
    failed: (holder, id, { failures, retryAt, lastFailure, orderIsOver }) =>
      fenced(holder, ({ db }) =>
        update(db, id, {
          failures,
          retry_at: retryAt,
          last_failure: lastFailure,
          ...(orderIsOver ? NO_ORDER : {}),
        }),
      ),
    plan: (holder, id, { renewAt, checkAt }) =>
      fenced(holder, ({ db }) => update(db, id, { renew_at: renewAt, check_at: checkAt })),
    remove: (holder, id) =>
      fenced(holder, async ({ db, note }) => {
        await db.deleteFrom('acme_challenges').where('name_id', '=', id).execute();
        await db.deleteFrom('acme_names').where('id', '=', id).execute();
        note({ kind: 'public-certificate', id });
      }),
  };
}

function want(
  { write, locks }: Records,
  { name, accountId, at }: Parameters<AcmeTable['want']>[0],
  limits: AcmeLimits | null,
): ReturnType<AcmeTable['want']> {
  return write(async ({ db }) => {
    // Two at once must not both be the last that is allowed.
    await locks.name(db, 'acme names');
    const known = await db.selectFrom('acme_names').select('id').where('name', '=', name).executeTakeFirst();
    if (known !== undefined) return 'known';
    const account = accountId ?? '';
    if (limits !== null && !(await allows(db, limits, { account, at }))) return 'later';
    await db
      .insertInto('acme_names')
      .values({ ...EMPTY_NAME, id: newId('acn'), account_id: account, name, created_at: at })
      .execute();
    return 'wanted';
  });
}

async function allows(
  db: Transaction<Tables>,
  { most, mostOfWindow, mostOfAccount, windowMs }: AcmeLimits,
  { account, at }: { readonly account: string; readonly at: number },
): Promise<boolean> {
  const count = (since: number, of: string | null) =>
    db
      .selectFrom('acme_names')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('created_at', '>', since)
      .$if(of !== null, (query) => query.where('account_id', '=', of ?? ''))
      .executeTakeFirstOrThrow();
  const since = at - windowMs;
  const [all, lately, ofAccount] = [
    await count(Number.MIN_SAFE_INTEGER, null),
    await count(since, null),
    await count(since, account),
  ].map((row) => Number(row.count));
  return (all ?? most) < most && (lately ?? 0) < mostOfWindow && (ofAccount ?? 0) < mostOfAccount;
}

function rowOf(db: Records['read'] | Writing['db'], id: AcmeNameId) {
  return db.selectFrom('acme_names').selectAll().where('id', '=', id).executeTakeFirst();
}

async function update(
  db: Transaction<Tables>,
  id: AcmeNameId,
  set: Partial<Omit<AcmeNamesTable, 'id'>>,
): Promise<void> {
  await db.updateTable('acme_names').set(set).where('id', '=', id).execute();
}

function datesOf({ notBefore, notAfter, renewAt, checkAt }: HeldDates) {
  return { not_before: notBefore, not_after: notAfter, renew_at: renewAt, check_at: checkAt };
}

function toName(row: Pick<AcmeNamesTable, (typeof NAME_COLUMNS)[number]>): AcmeName {
  const { not_before: notBefore, not_after: notAfter, renew_at: renewAt, check_at: checkAt } = row;
  const held =
    notBefore === null || notAfter === null || renewAt === null
      ? null
      : { notBefore, notAfter, renewAt, checkAt: checkAt ?? renewAt };
  return {
    id: row.id as AcmeNameId,
    accountId: row.account_id === '' ? null : (row.account_id as AccountId),
    name: row.name,
    createdAt: row.created_at,
    held,
    ordered: row.order_url !== null,
    failures: row.failures,
    retryAt: row.retry_at,
    lastFailure: row.last_failure,
  };
}

function keyPlace(rowId: string, accountId: string): SealedPlace {
  return { table: 'acme_names', column: 'private_key', rowId, accountId };
}

function orderPlace(rowId: string, accountId: string): SealedPlace {
  return { table: 'acme_names', column: 'order_key', rowId, accountId };
}

/** All but what is long or sealed. */
const NAME_COLUMNS = [
  'id',
  'account_id',
  'name',
  'created_at',
  'not_before',
  'not_after',
  'renew_at',
  'check_at',
  'order_url',
  'failures',
  'retry_at',
  'last_failure',
] as const;
const NO_ORDER = { order_url: null, order_key: null };
const EMPTY_NAME = {
  private_key: null,
  certificate: null,
  not_before: null,
  not_after: null,
  renew_at: null,
  check_at: null,
  ...NO_ORDER,
  failures: 0,
  retry_at: null,
  last_failure: null,
};
