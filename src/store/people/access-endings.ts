// When all access of a person was ended, by the store's clock, for as long as a login can be in progress. A
// login that set out before that begins nothing any more: whoever ends the access and whoever logs in take
// the same lock, so that one of the two sees what the other did.

import { type Transaction, sql } from 'kysely';
import { comparableAddress } from '../../domain/email-address.ts';
import type { AccountId } from '../../domain/id.ts';
import type { MemberLogin } from '../../domain/member-match.ts';
import { shortHash } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { BATCH_ROWS } from '../columns.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';

type Person = { readonly accountId: AccountId; readonly email: string };

/** First in its transaction: no login of the person begins a session until that ends. */
export async function markAccessEnded(
  { locks, clock }: Pick<Records, 'locks' | 'clock'>,
  db: Transaction<Tables>,
  person: Person,
): Promise<void> {
  await locks.name(db, lockName(person));
  await noteAccessEnded({ clock }, db, person);
}

/**
 * As `markAccessEnded`, under an address, or a `loginName`, whose logins wait for the person's member, who is
 * held by now.
 */
export async function noteAccessEnded(
  { clock }: Pick<Records, 'clock'>,
  db: Transaction<Tables>,
  person: Person,
): Promise<void> {
  await db
    .insertInto('access_endings')
    .values({
      account_id: person.accountId,
      email: comparableAddress(person.email),
      ended_at: clock(),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'email'])
        .doUpdateSet((eb) => ({ ended_at: eb.ref('excluded.ended_at') })),
    )
    .execute();
}

/** Nobody ends the person's access until the transaction ends. Before the locks of any rows. */
export function holdAccess(
  { locks }: Pick<Records, 'locks'>,
  db: Transaction<Tables>,
  person: Person,
): Promise<void> {
  return locks.sharedName(db, lockName(person));
}

/** What stands for an address where a login is meant, under whatever address: no address has a space. */
export function loginName({ provider, generation, subject }: MemberLogin): string {
  return `login ${shortHash(JSON.stringify([provider, generation, subject]))}`;
}

/**
 * `names`: what the access may have been ended by. `ageMs`: how long before `calledAt` (of
 * `performance.now()`) the login set out; it may have waited since, for the ending itself among others.
 * Throws `access_ended` when the access was ended since.
 */
export async function requireAccessSince(
  { clock }: Pick<Records, 'clock'>,
  db: Transaction<Tables>,
  { accountId, email, names, ageMs, calledAt }: SetOut,
): Promise<void> {
  const age = Math.max(0, ageMs) + performance.now() - calledAt;
  const ended = await db
    .selectFrom('access_endings')
    .select('ended_at')
    .where('account_id', '=', accountId)
    .where('email', 'in', [...new Set([email, ...names].map(comparableAddress))])
    .where('ended_at', '>=', sql<number>`${clock()} - ${sql.lit(Math.ceil(age))}`)
    .limit(1)
    .executeTakeFirst();
  if (ended === undefined) return;
  throw new ServiceError(
    'access_ended',
    `Cannot log in ${email}: an admin ended their access during this login`,
    { hint: 'Start the login again.' },
  );
}

/**
 * Whether the access of one of those names in the account ended since a login that set out `ageMs` ago:
 * outside a transaction, for what people are shown. What lets in asks `requireAccessSince`.
 */
export async function accessEndedSince(
  { read, clock }: Pick<Records, 'read' | 'clock'>,
  asked: {
    readonly accountIds: readonly AccountId[];
    readonly names: readonly string[];
    readonly ageMs: number;
  },
): Promise<(accountId: AccountId, name: string) => boolean> {
  const { accountIds, names, ageMs } = asked;
  if (accountIds.length === 0) return () => false;
  const rows = await read
    .selectFrom('access_endings')
    .select(['account_id', 'email'])
    .where('account_id', 'in', [...new Set(accountIds)])
    .where('email', 'in', [...new Set(names.map(comparableAddress))])
    .where('ended_at', '>=', sql<number>`${clock()} - ${sql.lit(Math.ceil(Math.max(0, ageMs)))}`)
    .execute();
  const ended = new Set(rows.map(({ account_id: id, email }) => `${id} ${email}`));
  return (accountId, name) => ended.has(`${accountId} ${comparableAddress(name)}`);
}

type SetOut = Person & {
  readonly names: readonly string[];
  readonly ageMs: number;
  readonly calledAt: number;
};

/**
 * Not before whatever had set out is over, however short other things are kept: a login in progress, and the
 * working day of a session that goes on in another account.
 */
export async function sweepAccessEndings(
  { clock }: Pick<Records, 'clock'>,
  db: Transaction<Tables>,
  before: number,
): Promise<number> {
  const over = sql<number>`${clock()} - ${sql.lit(KEPT_MS)}`;
  const { numDeletedRows } = await db
    .deleteFrom('access_endings')
    .where(sql<string>`account_id || ' ' || email`, 'in', (eb) =>
      eb
        .selectFrom('access_endings')
        .select(sql<string>`account_id || ' ' || email`.as('key'))
        .where('ended_at', '<', before)
        .where('ended_at', '<', over)
        .limit(BATCH_ROWS),
    )
    .where('ended_at', '<', before)
    .where('ended_at', '<', over)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function lockName({ accountId, email }: Person): string {
  return `access of ${comparableAddress(email)} at ${accountId}`;
}

const KEPT_MS = 2 * 24 * 60 * 60 * 1000;
