// Which members an email address names: the one that was invited by it, and whoever is logged in under it by
// now. A member is one login, whose provider may name another address than when the member was invited.

import { sql } from 'kysely';
import { comparableAddress } from '../../domain/email-address.ts';
import type { MemberId } from '../../domain/id.ts';
import type { Records } from '../records.ts';
import { isEmail } from '../sessions/list.ts';
import type { PersonOf } from './person.ts';

/** Each once; first the one that was invited by the address. */
export async function membersOfPerson(
  { read, clock }: Pick<Records, 'read' | 'clock'>,
  { accountId, email }: PersonOf,
): Promise<readonly MemberId[]> {
  const address = comparableAddress(email);
  const invited = await read
    .selectFrom('members')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql`lower(email)`, '=', address)
    .execute();
  const atConsole = await read
    .selectFrom('console_sessions')
    .select('member_id as id')
    .where('account_id', '=', accountId)
    .where(sql`lower(email)`, '=', address)
    .where('expires_at', '>', clock())
    .execute();
  const atShares = await read
    .selectFrom('sessions')
    .innerJoin('members as member', (join) =>
      join
        .onRef('member.account_id', '=', 'sessions.account_id')
        .onRef('member.provider', '=', 'sessions.provider_name')
        .onRef('member.provider_generation', '=', 'sessions.provider_generation')
        .onRef('member.subject', '=', 'sessions.subject'),
    )
    .select('member.id')
    .distinct()
    .where('sessions.account_id', '=', accountId)
    .where(isEmail(email))
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', clock())
    .execute();
  const loggedIn = [...atConsole, ...atShares].map(({ id }) => id).toSorted();
  return [...new Set([...invited.map(({ id }) => id), ...loggedIn])] as readonly MemberId[];
}
