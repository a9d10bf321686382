// Logins by device (RFC 8628): each is decided once, and taken once. Anybody may begin one, so how many wait
// is bounded in the transaction that begins it.

import type { Transaction } from 'kysely';
import type { AccountId, DeviceLoginId, MemberId } from '../../domain/id.ts';
import type { KeyScope } from '../../domain/role.ts';
import type {
  DeviceDecision,
  DeviceLogin,
  DeviceLoginLimits,
  DeviceLoginTable,
  NewDeviceLogin,
} from './device-login.ts';
import { placeFor } from './device-login-places.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';
import type { DeviceLoginsTable } from './tables.ts';

export function createDeviceLoginTable({ read, write, locks }: Records): DeviceLoginTable {
  return {
    begin: (login, most) =>
      write(async ({ db }) => {
        await locks.name(db, 'device_logins');
        return begin(db, login, most);
      }),
    findWaiting: async (userHash, now) =>
      loginOf(
        await read
          .selectFrom('device_logins')
          .selectAll()
          .where('user_hash', '=', userHash)
          .where('decision', 'is', null)
          .where('expires_at', '>', now)
          .executeTakeFirst(),
      ),
    decide: (userHash, { kind, accountId, memberId, sessionHash }, now) =>
      write(async ({ db }) =>
        loginOf(
          await db
            .updateTable('device_logins')
            .set({
              decision: kind,
              account_id: accountId,
              member_id: memberId,
              session_hash: sessionHash,
            })
            .where('user_hash', '=', userHash)
            .where('decision', 'is', null)
            .where('expires_at', '>', now)
            .returningAll()
            .executeTakeFirst(),
        ),
      ),
    find: async (deviceHash) =>
      loginOf(
        await read
          .selectFrom('device_logins')
          .selectAll()
          .where('device_hash', '=', deviceHash)
          .executeTakeFirst(),
      ),
    take: (deviceHash, now) =>
      write(async ({ db }) =>
        loginOf(
          await db
            .deleteFrom('device_logins')
            .where('device_hash', '=', deviceHash)
            .where('decision', '=', 'allowed')
            .where('expires_at', '>', now)
            // Here, rather than before: whoever logs out at this moment leaves no key behind.
            .where('session_hash', 'in', (eb) =>
              eb.selectFrom('console_sessions').select('hash').where('console_sessions.expires_at', '>', now),
            )
            .returningAll()
            .executeTakeFirst(),
        ),
      ),
  };
}

/** Under the lock of all that wait: one may have to leave for it. */
async function begin(
  db: Transaction<Tables>,
  login: NewDeviceLogin,
  most: DeviceLoginLimits,
): ReturnType<DeviceLoginTable['begin']> {
  await db.deleteFrom('device_logins').where('expires_at', '<=', login.createdAt).execute();
  const waiting = await db
    .selectFrom('device_logins')
    .select(['id', 'network', 'ip'])
    .where('decision', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const place = placeFor(login, waiting, most);
  if (place.kind === 'full') return 'full';
  if (place.displaces !== null)
    await db
      .deleteFrom('device_logins')
      .where('id', '=', place.displaces)
      .where('decision', 'is', null)
      .execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('device_logins')
    .values({
      id: login.id,
      device_hash: login.deviceHash,
      user_hash: login.userHash,
      name: login.name,
      scope: login.scope,
      network: login.network,
      ip: login.ip,
      created_at: login.createdAt,
      expires_at: login.expiresAt,
      decision: null,
      account_id: null,
      member_id: null,
      session_hash: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n ? 'begun' : 'taken';
}

function loginOf(row: DeviceLoginsTable | undefined): DeviceLogin | null {
  if (row === undefined) return null;
  return {
    id: row.id as DeviceLoginId,
    name: row.name,
    scope: row.scope as KeyScope,
    network: row.network,
    ip: row.ip,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    decision: decisionOf(row),
  };
}

function decisionOf({
  decision,
  account_id,
  member_id,
  session_hash,
}: DeviceLoginsTable): DeviceDecision | null {
  if (decision === null || account_id === null || member_id === null) return null;
  return {
    kind: decision === 'allowed' ? 'allowed' : 'denied',
    accountId: account_id as AccountId,
    memberId: member_id as MemberId,
    // What another version decided has none, and no session has this hash.
    sessionHash: session_hash ?? '',
  };
}
