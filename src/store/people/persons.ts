// What a person of an account has, by the email address: counted, and listed where it is little.

import { type SqlBool, sql } from 'kysely';
import { actorText } from '../../domain/actor.ts';
import { comparableAddress } from '../../domain/email-address.ts';
import type { MemberId } from '../../domain/id.ts';
import { toRequest } from '../access/access-requests.ts';
import { unusedTokensOf } from '../certificates/request-tokens.ts';
import type { Records } from '../records.ts';
import { idsOfPerson } from '../sessions/of-person.ts';
import { toKey } from './api-keys.ts';
import { countServiceTokens, endAccess } from './end-access.ts';
import { membersOf, toMember } from './members.ts';
import { membersOfPerson } from './members-of-person.ts';
import type { ApiKeyRow, MemberRow } from './people.ts';
import type { Holdings, PersonOf, PersonTable } from './person.ts';

export function createPersonTable(records: Records): PersonTable {
  return {
    holdings: (person, now) => holdings(records, person, now),
    endAccess: (end) => endAccess(records, end),
  };
}

async function holdings(records: Records, person: PersonOf, now: number): Promise<Holdings> {
  const { read } = records;
  const { accountId, email } = person;
  const members = await membersNamed(records, person);
  const makers = members.map(({ id }) => id);
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
    member: members[0] ?? null,
    sessions: await countSessions(records, person, members),
    certificates: await countCertificates(records, person, { makers, now }),
    requestTokens: unused.filter(({ expiresAt }) => expiresAt > now),
    accessRequests: requests.map(toRequest),
    ...(await ofMembers(records, members)),
  };
}

/** In the order of `membersOfPerson`. */
async function membersNamed(records: Records, person: PersonOf): Promise<readonly MemberRow[]> {
  const named: MemberRow[] = [];
  for (const id of await membersOfPerson(records, person)) {
    const row = await membersOf(records.read, person.accountId)
      .where('member.id', '=', id)
      .executeTakeFirst();
    if (row !== undefined) named.push(toMember(row));
  }
  return named;
}

/** Those that `endAccess` would end. */
async function countSessions(
  { read, clock }: Records,
  person: PersonOf,
  members: readonly MemberRow[],
): Promise<number> {
  const logins = members.flatMap(({ login }) => login ?? []);
  const row = await read
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('id', 'in', idsOfPerson(read, { ...person, logins }))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', clock())
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** By the address, and those with a role by the members; apart, since each has its index. */
async function countCertificates(
  { read }: Records,
  { accountId, email }: PersonOf,
  { makers, now }: { readonly makers: readonly MemberId[]; readonly now: number },
): Promise<number> {
  const address = comparableAddress(email);
  const living = read
    .selectFrom('client_certificates')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`revoked_at + 0 IS NULL`)
    .where(sql<SqlBool>`not_after + 0 > ${now}`);
  const named = await living.where('email_address', '=', address).executeTakeFirstOrThrow();
  if (makers.length === 0) return Number(named.count);
  const allowing = makers.map((id) => actorText({ kind: 'member', id }));
  const others = await living
    .where('api_role', 'is not', null)
    .where('allowed_by', 'in', allowing)
    .where(sql<SqlBool>`coalesce(email_address, '') != ${address}`)
    .executeTakeFirstOrThrow();
  return Number(named.count) + Number(others.count);
}

type OfMembers = Pick<Holdings, 'consoleSessions' | 'apiKeys' | 'serviceTokens'>;

async function ofMembers({ read, clock }: Records, members: readonly MemberRow[]): Promise<OfMembers> {
  let [consoleSessions, serviceTokens] = [0, 0];
  const apiKeys: ApiKeyRow[] = [];
  for (const member of members) {
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
    consoleSessions += Number(sessions.count);
    apiKeys.push(...keys.map(toKey));
    serviceTokens += await countServiceTokens(read, member);
  }
  return { consoleSessions, apiKeys, serviceTokens };
}

const MOST_REQUESTS = 50;
