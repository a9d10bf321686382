// Sessions of API keys at the control plane. Only the key's id is kept: what the key may do is read again at
// each call.

import type { Transaction } from 'kysely';
import { ServiceError } from '../../domain/service-error.ts';
import { knownKeys, toKnownKey } from './api-keys.ts';
import type { KeySession, NewKeySession } from './console-session.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';

export async function insertKeySession(
  db: Transaction<Tables>,
  { locks }: Records,
  { keyId, hash, createdAt, expiresAt, ip }: NewKeySession,
): Promise<void> {
  const key = await db
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', keyId)
    .modifyEnd(locks.unchanged)
    .executeTakeFirst();
  if (key === undefined) throw new ServiceError('api_key_invalid', 'Cannot log in: the API key was deleted');
  await db
    .insertInto('key_sessions')
    .values({ hash, key_id: keyId, created_at: createdAt, expires_at: expiresAt, ip })
    .execute();
}

export async function findKeySession({ read, clock }: Records, hash: string): Promise<KeySession | null> {
  const row = await knownKeys(read)
    .innerJoin('key_sessions as session', 'session.key_id', 'key.id')
    .select(['session.expires_at as session_expires_at', 'account.name as account_name'])
    .where('session.hash', '=', hash)
    .where('session.expires_at', '>', clock())
    // What a key opened is over with the key.
    .where((eb) => eb.or([eb('key.expires_at', 'is', null), eb('key.expires_at', '>', clock())]))
    .executeTakeFirst();
  if (row === undefined) return null;
  const key = toKnownKey(row);
  return {
    kind: 'key',
    key,
    accountName: row.account_name,
    expiresAt: Math.min(row.session_expires_at, key.expiresAt ?? row.session_expires_at),
  };
}
