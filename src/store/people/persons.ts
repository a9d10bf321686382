// What a person of an account has, by the email address: counted, and listed where it is little.

import { type SqlBool, sql } from 'kysely';
import { actorText } from '../../domain/actor.ts';
import { comparableAddress } from '../../domain/email-address.ts';
import { toRequest } from '../access/access-requests.ts';
import { unusedTokensOf } from '../certificates/request-tokens.ts';
import type { Records } from '../records.ts';
import { isEmail } from '../sessions/list.ts';
import { toKey } from './api-keys.ts';
import { countServiceTokens, endAccess } from './end-access.ts';
import { membersOf, toMember } from './members.ts';
import { membersOfPerson } from './members-of-person.ts';
import type { MemberRow } from './people.ts';
import type { Holdings, PersonOf, PersonTable } from './person.ts';

export function createPersonTable(records: Records): PersonTable {
  return {
    holdings: (person, now) => holdings(records, person, now),
    endAccess: (end) => endAccess(records, end),
  };
}

async function holdings(records: Records, person: PersonOf, now: number): Promise<Holdings> {
  const { read, clock } = records;
  const { accountId, email } = person;
  const [memberId] = await membersOfPerson(records, person);
  const row = await membersOf(read, accountId)
    .where('member.id', '=', memberId ?? null)
    .executeTakeFirst();
  const member = row === undefined ? null : toMember(row);
  const sessions = await read
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .where(isEmail(email))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', clock())
    .executeTakeFirstOrThrow();
  const certificates = await countCertificates(records, person, { member, now });
  const makers = member === null ? [] : [member.id];
  const unused = await unusedTokensOf(records, read, { accountId, emailAddress: email, makers });
  const requests = await read
    .selectFrom('access_requests')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`lower(email) = ${comparableAddress(email)}`)
    .orderBy('last_asked_at', 'desc')
    .orderBy('id')
    .limit(MOST_REQUESTS)
    .execute();
  return {
    member,
    sessions: Number(sessions.count),
    certificates,
    requestTokens: unused.filter(({ expiresAt }) => expiresAt > now),
    accessRequests: requests.map(toRequest),
    ...(member === null ? NOT_A_MEMBER : await ofMember(records, member)),
  };
}

/** By the address, and those with a role by the member; apart, since each has its index. */
async function countCertificates(
  { read }: Records,
  { accountId, email }: PersonOf,
  { member, now }: { readonly member: MemberRow | null; readonly now: number },
): Promise<number> {
  const address = comparableAddress(email);
  const living = read
    .selectFrom('client_certificates')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`revoked_at + 0 IS NULL`)
    .where(sql<SqlBool>`not_after + 0 > ${now}`);
  const named = await living.where('email_address', '=', address).executeTakeFirstOrThrow();
  if (member === null) return Number(named.count);
  const others = await living
    .where('api_role', 'is not', null)
    .where('allowed_by', '=', actorText({ kind: 'member', id: member.id }))
    .where(sql<SqlBool>`coalesce(email_address, '') != ${address}`)
    .executeTakeFirstOrThrow();
  return Number(named.count) + Number(others.count);
}

type OfMember = Pick<Holdings, 'consoleSessions' | 'apiKeys' | 'serviceTokens'>;

async function ofMember({ read, clock }: Records, member: MemberRow): Promise<OfMember> {
  const sessions = await read
    .selectFrom('console_sessions')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('member_id', '=', member.id)
    .where('expires_at', '>', clock())
    .executeTakeFirstOrThrow();
  const keys = await read
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', member.accountId)
    .where('member_id', '=', member.id)
    .orderBy('created_at', 'desc')
    .orderBy('name')
    .execute();
  return {
    consoleSessions: Number(sessions.count),
    apiKeys: keys.map(toKey),
    serviceTokens: await countServiceTokens(read, member),
  };
}

const NOT_A_MEMBER: OfMember = { consoleSessions: 0, apiKeys: [], serviceTokens: 0 };
const MOST_REQUESTS = 50;
