// Sessions at the control plane: found by the SHA-256 of their cookie. A member's login says in one
// transaction who it is, binds a first login for ever, uses the invitation up, and begins the session.

import { comparableAddress } from '../../domain/email-address.ts';
import { type Transaction, sql } from 'kysely';
import type { AccountId, ApiKeyId, MemberId, ServiceTokenId } from '../../domain/id.ts';
import { matchMember, type Candidate, type Person } from '../../domain/member-match.ts';
import type { Role } from '../../domain/role.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { flag, isSet } from '../columns.ts';
import type {
  ConsoleSession,
  ConsoleSessionTable,
  MemberSession,
  NewVisitorSession,
} from './console-session.ts';
import { accessEndedSince, holdAccess, loginName, requireAccessSince } from './access-endings.ts';
import { findKeySession, insertKeySession } from './key-sessions.ts';
import { loginOf, membersOf, membersWithInvitation, toMember } from './members.ts';
import type { ConsoleEntry, ConsoleLogin } from './people.ts';
import type { Records, Writing } from '../records.ts';
import type { Tables } from '../tables.ts';
import type { ConsoleSessionsTable, MembersTable } from './tables.ts';
import { findVisitorSession, hasOwnThings, insertVisitorSession } from '../sessions/visitor-sessions.ts';

export function createConsoleSessionTable(records: Records): ConsoleSessionTable {
  return {
    begin: (login) => beginSession(records, login),
    membersLike: async (person, ageMs) => {
      const rows = await membersLike(records.read, person, null)
        .select('member.role')
        .orderBy('account.name')
        .limit(MOST_ACCOUNTS)
        .execute();
      const login = loginName(person);
      const hasEnded = await accessEndedSince(records, {
        accountIds: rows.map((row) => row.account_id as AccountId),
        names: [person.email, login, ...rows.map(({ email }) => email)],
        ageMs,
      });
      return rows.map((row) => {
        const member = candidateOf(row);
        const accessEnded = [person.email, member.email, login].some((name) =>
          hasEnded(member.accountId, name),
        );
        return Object.assign(member, { role: row.role as Role, accessEnded });
      });
    },
    beginWithKey: (login) =>
      records.write(async ({ db }) => {
        if (login.replaces !== null) await endSession(db, login.replaces);
        await insertKeySession(db, records, login);
      }),
    beginVisit: (login) => beginVisit(records, login),
    find: (hash) => findSession(records, hash),
    end: (hash) => records.write(({ db }) => endSession(db, hash)),
  };
}

function beginSession(records: Records, login: ConsoleLogin): Promise<ConsoleEntry> {
  const calledAt = performance.now();
  return records.write(async (writing) => {
    const { db } = writing;
    const invited = await invitedMember(records, db, login);
    const person = { ...login.person, emailVerified: login.vouched };
    const match = matchMember(person, await candidates(db, login, invited), invited);
    if (match.kind === 'nobody') return match;
    if (match.kind === 'choice') return { kind: 'choice', members: match.members };
    const { member, accepts } = match;
    // By the address that the provider says now; by the member's, below.
    const asNow = { accountId: member.accountId, email: login.person.email };
    await holdAccess(records, db, asNow);
    if (!(await noteLogin(db, { member, accepts, login }))) return { kind: 'nobody', reason: 'other_login' };
    // After the member's row was changed: whoever ends the access holds that row, or is done.
    const names = [member.email, loginName(login.person)];
    await requireAccessSince(records, db, { ...asNow, names, ageMs: login.ageMs, calledAt });
    const ended = accepts ? await acceptMember(writing, member.id, login) : NOTHING_ENDED;
    const isReplaced = login.replaces !== null && (await endSession(db, login.replaces));
    // Whoever logs out at this moment leaves no session behind.
    if (login.goesOn === true && !isReplaced)
      throw new ServiceError('login_required', 'Cannot change the account: the login has ended');
    await insertSession(db, member, login);
    const row = await membersOf(db, member.accountId)
      .where('member.id', '=', member.id)
      .executeTakeFirstOrThrow();
    return { kind: 'member', member: toMember(row), accepted: accepts, ...ended };
  });
}

function beginVisit(records: Records, login: NewVisitorSession): Promise<boolean> {
  return records.write(async ({ db }) => {
    const person = { ...login.person, emailVerified: login.vouched };
    const owner = { person, within: login.within };
    if (login.mayHoldNothing !== true && !(await hasOwnThings(records, db, owner))) return false;
    if (login.replaces !== null) await endSession(db, login.replaces);
    await insertVisitorSession(db, login);
    return true;
  });
}

async function invitedMember(
  { clock }: Records,
  db: Transaction<Tables>,
  { invitation }: ConsoleLogin,
): Promise<MemberId | null> {
  if (invitation === null) return null;
  const row = await db
    .selectFrom('invitations')
    .select('member_id')
    .where('id', '=', invitation)
    .where('expires_at', '>', clock())
    .executeTakeFirst();
  if (row === undefined) throw usedInvitation();
  return row.member_id as MemberId;
}

/** Members with the person's address, bound to this very login, or invited by the token that came with it. */
async function candidates(
  db: Transaction<Tables>,
  { person, within, accountName }: ConsoleLogin,
  invited: MemberId | null,
): Promise<readonly Candidate[]> {
  let members = membersLike(db, person, invited);
  if (within !== null) members = members.where('member.account_id', '=', within);
  if (accountName !== null) members = members.where('account.name', '=', accountName);
  const rows = await members.orderBy('account.name').execute();
  return rows.map(candidateOf);
}

function membersLike(
  db: Records['read'],
  person: Pick<Person, 'provider' | 'subject' | 'email'>,
  invited: MemberId | null,
) {
  return db
    .selectFrom('members as member')
    .innerJoin('accounts as account', 'account.id', 'member.account_id')
    .selectAll('member')
    .select('account.name as account_name')
    .where('account.suspended', '=', 0)
    .where((eb) =>
      eb.or([
        eb(sql`lower(member.email)`, '=', comparableAddress(person.email)),
        eb.and([eb('member.provider', '=', person.provider), eb('member.subject', '=', person.subject)]),
        eb('member.id', '=', invited),
      ]),
    );
}

function candidateOf(row: MembersTable & { readonly account_name: string }): Candidate {
  return {
    id: row.id as MemberId,
    accountId: row.account_id as AccountId,
    accountName: row.account_name,
    email: row.email,
    login: loginOf(row),
  };
}

type Login = { readonly member: Candidate; readonly accepts: boolean; readonly login: ConsoleLogin };

/**
 * Onto the member as it was read: of two first logins at once one is bound, and the other is somebody else.
 */
async function noteLogin(db: Transaction<Tables>, { member, accepts, login }: Login): Promise<boolean> {
  const { person, createdAt } = login;
  const binding = {
    provider: person.provider,
    provider_generation: person.generation,
    subject: person.subject,
    accepted_at: createdAt,
  };
  const was = member.login === null ? 'is' : '=';
  const { numUpdatedRows } = await db
    .updateTable('members')
    .set({ last_login_at: createdAt, ...(accepts ? binding : {}) })
    .where('id', '=', member.id)
    .where('provider', was, member.login?.provider ?? null)
    .where('provider_generation', was, member.login?.generation ?? null)
    .where('subject', was, member.login?.subject ?? null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

type Ended = Pick<Extract<ConsoleEntry, { kind: 'member' }>, 'endedKeys' | 'endedTokens'>;
const NOTHING_ENDED: Ended = { endedKeys: [], endedTokens: [] };

/**
 * Whatever invitation is open goes with it, and so does what a login left that the member was bound to
 * before: its sessions, and the API keys and service tokens that came from it. Answers the names of those.
 * The member's row is changed by now, so that whoever makes one for it (`apiKeys.create()`) is done, or
 * waits.
 */
async function acceptMember(
  { db, note }: Writing,
  memberId: MemberId,
  { invitation }: ConsoleLogin,
): Promise<Ended> {
  const used = await db
    .deleteFrom('invitations')
    .where('member_id', '=', memberId)
    .returning('id')
    .executeTakeFirst();
  if (invitation !== null && used?.id !== invitation) throw usedInvitation();
  await db.deleteFrom('console_sessions').where('member_id', '=', memberId).execute();
  const keys = await db
    .deleteFrom('api_keys')
    .where('member_id', '=', memberId)
    .where('login_provider', 'is not', null)
    .returning(['id', 'name'])
    .execute();
  for (const key of keys) note({ kind: 'api-key', id: key.id as ApiKeyId });
  const tokens = await db
    .deleteFrom('service_tokens')
    .where('member_id', '=', memberId)
    .where('login_provider', 'is not', null)
    .returning(['id', 'name'])
    .execute();
  for (const token of tokens) note({ kind: 'service-token', id: token.id as ServiceTokenId });
  return { endedKeys: keys.map(({ name }) => name), endedTokens: tokens.map(({ name }) => name) };
}

function usedInvitation(): ServiceError {
  return new ServiceError('invitation_invalid', 'Cannot accept the invitation: it was used, or has expired');
}

async function insertSession(
  db: Transaction<Tables>,
  member: Candidate,
  { person, hash, createdAt, expiresAt, ip }: ConsoleLogin,
): Promise<void> {
  await db
    .insertInto('console_sessions')
    .values({
      hash,
      account_id: member.accountId,
      member_id: member.id,
      provider: person.provider,
      provider_generation: person.generation,
      created_at: createdAt,
      expires_at: expiresAt,
      ip,
      subject: person.subject,
      email: person.email,
      email_verified: flag(person.emailVerified),
    })
    .execute();
}

/** A token is of one kind of session: the first that knows it is the one. */
async function findSession(records: Records, hash: string): Promise<ConsoleSession | null> {
  return (
    (await findMemberSession(records, hash)) ??
    (await findKeySession(records, hash)) ??
    (await findVisitorSession(records, hash))
  );
}

async function findMemberSession({ read, clock }: Records, hash: string): Promise<MemberSession | null> {
  const row = await membersWithInvitation(read)
    .innerJoin('console_sessions as session', 'session.member_id', 'member.id')
    .innerJoin('accounts as account', 'account.id', 'member.account_id')
    .select([
      'session.provider as session_provider',
      'session.provider_generation as session_generation',
      'session.expires_at',
      'session.subject as session_subject',
      'session.email as session_email',
      'session.email_verified',
      'account.name as account_name',
      'account.suspended',
    ])
    .where('session.hash', '=', hash)
    .where('session.expires_at', '>', clock())
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    kind: 'member',
    member: toMember(row),
    accountName: row.account_name,
    accountSuspended: isSet(row.suspended),
    provider: row.session_provider,
    generation: row.session_generation,
    person: personOf({
      provider: row.session_provider,
      provider_generation: row.session_generation,
      subject: row.session_subject,
      email: row.session_email,
      email_verified: row.email_verified,
    }),
    expiresAt: row.expires_at,
  };
}

function personOf({
  provider,
  provider_generation: generation,
  subject,
  email,
  email_verified: verified,
}: Pick<
  ConsoleSessionsTable,
  'provider' | 'provider_generation' | 'subject' | 'email' | 'email_verified'
>): Person | null {
  if (subject === null || email === null || verified === null) return null;
  return { provider, generation, subject, email, emailVerified: isSet(verified) };
}

/** False when there was none. */
async function endSession(db: Transaction<Tables>, hash: string): Promise<boolean> {
  let isEnded = false;
  for (const table of ['console_sessions', 'key_sessions', 'visitor_sessions'] as const) {
    const { numDeletedRows } = await db.deleteFrom(table).where('hash', '=', hash).executeTakeFirstOrThrow();
    isEnded ||= numDeletedRows > 0n;
  }
  return isEnded;
}

/** Of one person, more than anybody reads in a menu. */
const MOST_ACCOUNTS = 100;
