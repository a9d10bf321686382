// Whether an account may have one more of something. Asked first in the transaction that makes it: two at
// once must not both be the last that is allowed.

import type { Kysely, Transaction } from 'kysely';
import type { AccountId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Locks } from './engine.ts';
import type { Tables } from './tables.ts';

export type Room = {
  readonly accountId: AccountId;
  /** `limits.<key>` of the configuration. */
  readonly key:
    | 'shares'
    | 'hosts'
    | 'providers'
    | 'members'
    | 'api_keys'
    | 'service_tokens'
    | 'certificate_request_tokens'
    | 'certificates'
    | 'revoked_serials';
  /** Undefined for the operator, whom nothing limits. */
  readonly most: number | undefined;
  /** How many more there may be of what takes the place of another. */
  readonly spare?: number;
  readonly count: () => Promise<number>;
};

/** Throws `limit_reached`. */
export async function requireRoom(
  locks: Locks,
  db: Transaction<Tables>,
  { accountId, key, most, spare = 0, count }: Room,
): Promise<void> {
  if (most === undefined) return;
  await locks.name(db, `${key} of ${accountId}`);
  if ((await count()) >= most + spare) throw limitReached(key, most);
}

/** How many rows of a table are the account's. */
export async function countOf(
  db: Kysely<Tables>,
  table:
    | 'shares'
    | 'share_hosts'
    | 'provider_definitions'
    | 'members'
    | 'api_keys'
    | 'service_tokens'
    | 'revoked_serials',
  accountId: AccountId,
): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

function limitReached(key: Room['key'], most: number): ServiceError {
  const things = key.replaceAll('_', ' ').replace('api', 'API');
  return new ServiceError(
    'limit_reached',
    `Cannot create another: the account has ${most} ${things}, which is the limit`,
    {
      hint: `Delete what you no longer need, or ask the operator to raise limits.${key}.`,
      extra: { limit: most, setting: `limits.${key}` },
    },
  );
}
