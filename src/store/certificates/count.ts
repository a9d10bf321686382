// How many certificates of an account live, and how many of them are over soon: what a list of them would
// hold.

import { sql, type Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../domain/at-most.ts';
import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Locks } from '../engine.ts';
import type { Records } from '../records.ts';
import { requireRoom } from '../room.ts';
import type { Tables } from '../tables.ts';

type Asked = {
  readonly accountId: AccountId;
  readonly at: number;
  readonly most: number;
  readonly isRenewal: boolean;
};

/**
 * Whether the account may have one more: throws `limit_reached`. The last thing before it is kept. One that
 * renews another may be beyond the limit, since the other is over soon: an account that is full renews all it
 * has, and gets nothing else. Of an account with much room, not each is counted.
 */
export async function requireCertificateRoom(
  locks: Locks,
  db: Transaction<Tables>,
  { most, ...asked }: Omit<Asked, 'most'> & { readonly most: number | undefined },
): Promise<void> {
  if (most === undefined) return;
  const { accountId, at } = asked;
  const counts = countsOf(locks);
  const known = counts.get(accountId);
  if (known !== undefined && isGood(known, { at, most })) {
    known.uncounted -= 1;
    return;
  }
  const living = await countLiving(locks, db, { ...asked, most });
  const revoked = await countRevoked(db, { ...asked, most });
  const room = Math.min(most - living, most * REVOKED_FOR_EACH - revoked);
  counts.set(accountId, { most, countedAt: at, uncounted: Math.floor(room / GATEWAYS) });
}

/** `uncounted`: how many more this process keeps before it counts again. */
type Counted = { readonly most: number; readonly countedAt: number; uncounted: number };

function isGood(
  { most, countedAt, uncounted }: Counted,
  now: { readonly at: number; readonly most: number },
): boolean {
  return uncounted > 0 && most === now.most && now.at >= countedAt && now.at < countedAt + COUNTED_MS;
}

function countsOf(locks: Locks): LRUCache<AccountId, Counted> {
  const counts = COUNTS.get(locks) ?? new LRUCache<AccountId, Counted>(atMost(MAX_COUNTS));
  COUNTS.set(locks, counts);
  return counts;
}

/** Whoever counts holds the lock until the certificate is kept, and answers how many live. */
async function countLiving(
  locks: Locks,
  db: Transaction<Tables>,
  { accountId, at, most, isRenewal }: Asked,
): Promise<number> {
  let living = 0;
  await requireRoom(locks, db, {
    accountId,
    key: 'certificates',
    most,
    spare: isRenewal ? most : 0,
    count: async () => (living = await countUnexpired(db, { accountId, at, isRevoked: false })),
  });
  return living;
}

/** Until they are over, gateways and revocation lists hold them: revoking must not make room without end. */
async function countRevoked(
  db: Transaction<Tables>,
  { accountId, at, most }: Omit<Asked, 'isRenewal'>,
): Promise<number> {
  const count = await countUnexpired(db, { accountId, at, isRevoked: true });
  if (count < most * REVOKED_FOR_EACH) return count;
  throw new ServiceError(
    'limit_reached',
    `Cannot issue another certificate: ${count} revoked certificates of the account stay on its CRL until they expire`,
    {
      hint: 'Wait until some have expired, or ask the operator to raise limits.certificates.',
      extra: { limit: most, setting: 'limits.certificates' },
    },
  );
}

async function countUnexpired(
  db: Transaction<Tables>,
  of: { readonly accountId: AccountId; readonly at: number; readonly isRevoked: boolean },
): Promise<number> {
  const { count } = await db
    .selectFrom('client_certificates')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', of.accountId)
    .where('revoked_at', of.isRevoked ? 'is not' : 'is', null)
    .where('not_after', '>', of.at)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export type CertificateCount = { readonly living: number; readonly endingSoon: number };

/** `soon`: living ones that are over before then are counted as such. */
export async function countCertificates(
  { read }: Records,
  accountId: AccountId,
  { now, soon }: { readonly now: number; readonly soon: number },
): Promise<CertificateCount> {
  const row = await read
    .selectFrom('client_certificates')
    .select((eb) => [
      eb.fn.countAll<number>().as('living'),
      sql<number>`sum(CASE WHEN not_after < ${soon} THEN 1 ELSE 0 END)`.as('endingSoon'),
    ])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('not_after', '>', now)
    .executeTakeFirstOrThrow();
  // Sums of nothing are null, and texts on PostgreSQL.
  return { living: Number(row.living), endingSoon: Number(row.endingSoon ?? 0) };
}

/** Room to replace all of an account's at once, and once more. */
const REVOKED_FOR_EACH = 2;
/** By the locks of their database, since each has one object of those. */
const COUNTS = new WeakMap<Locks, LRUCache<AccountId, Counted>>();
/** Accounts that issue at the same time. */
const MAX_COUNTS = 1_000;
/** What others keep meanwhile is not known: each gateway takes a tenth of the room between two counts. */
const GATEWAYS = 10;
/** To count 100,000 takes milliseconds, which a rush of redemptions would pay for each. */
const COUNTED_MS = 1_000;
