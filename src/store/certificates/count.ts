// How many certificates of an account live, and how many of them are over soon: what a list of them would
// hold.

import { sql, type Transaction } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Locks } from '../engine.ts';
import type { Records } from '../records.ts';
import { requireRoom } from '../room.ts';
import type { Tables } from '../tables.ts';

/**
 * Whether the account may have one more: throws `limit_reached`. The last thing before it is kept. One that
 * renews another may be beyond the limit, since the other is over soon: an account that is full renews all it
 * has, and gets nothing else.
 */
export async function requireCertificateRoom(
  locks: Locks,
  db: Transaction<Tables>,
  {
    accountId,
    at,
    most,
    isRenewal,
  }: {
    readonly accountId: AccountId;
    readonly at: number;
    readonly most: number | undefined;
    readonly isRenewal: boolean;
  },
): Promise<void> {
  await requireRoom(locks, db, {
    accountId,
    key: 'certificates',
    most,
    spare: isRenewal ? (most ?? 0) : 0,
    count: () => countUnexpired(db, { accountId, at, isRevoked: false }),
  });
  if (most !== undefined) await requireFewRevoked(db, { accountId, at, most });
}

/** Until they are over, gateways and revocation lists hold them: revoking must not make room without end. */
async function requireFewRevoked(
  db: Transaction<Tables>,
  { accountId, at, most }: { readonly accountId: AccountId; readonly at: number; readonly most: number },
): Promise<void> {
  const count = await countUnexpired(db, { accountId, at, isRevoked: true });
  if (count < most * REVOKED_FOR_EACH) return;
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
