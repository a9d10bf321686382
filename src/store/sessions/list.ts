// Sessions of an account, newest first, for those who look after them. No secret column is read. How many one
// page of a search looks at is bounded, since on SQLite everything waits for it.

import { comparableAddress } from '../../domain/email-address.ts';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import type { FoundSession, SessionQuery } from './choice.ts';
import { likePart } from '../like-part.ts';
import type { Records } from '../records.ts';
import { toSession } from './row.ts';
import { emailsWith } from './search.ts';
import type { Tables } from '../tables.ts';

export async function listSessions(
  { read, clock }: Records,
  query: SessionQuery,
): Promise<{ readonly sessions: readonly FoundSession[]; readonly next: SessionPlace | null }> {
  const { accountId, text } = query;
  const emails = text === null ? null : await emailsWith(read, { accountId, text });
  if (emails?.length === 0) return { sessions: [], next: null };
  const last = isSearch(query) ? await lastLookedAt(read, query, emails) : undefined;
  const rows = await sessionsAfter(read, query, emails)
    .leftJoin('shares', 'shares.id', 'sessions.share_id')
    .selectAll('sessions')
    .select(['shares.name as share_name', sql<number>`${clock()}`.as('now')])
    .where((eb) => eb.and(conditions(eb, query, clock())))
    .$if(last !== undefined, (select) => select.where((eb) => isUpTo(eb, last ?? NOWHERE)))
    .limit(query.limit + 1)
    .execute();
  const sessions = rows.slice(0, query.limit).map(({ share_name: shareName, now, ...columns }) => ({
    row: toSession(columns),
    shareName,
    active: columns.ended_at === null && columns.expires_at > now,
  }));
  const row = sessions.at(-1)?.row;
  const isFull = rows.length > query.limit && row !== undefined;
  return { sessions, next: isFull ? { createdAt: row.createdAt, id: row.id } : (last ?? null) };
}

type SessionPlace = NonNullable<SessionQuery['after']>;

/**
 * Those of an account, a person or a share, newest first: an index has each of them in this order. `emails`:
 * of these persons alone, whose sessions are few.
 */
function sessionsAfter(
  read: Records['read'],
  { accountId, email, shareId, after }: SessionQuery,
  emails: readonly string[] | null,
) {
  return (
    read
      .selectFrom('sessions')
      .where('sessions.account_id', '=', accountId)
      .$if(email !== null, (select) => select.where(isEmail(email ?? '')))
      .$if(emails !== null, (select) => select.where(sql<string>`lower(sessions.email)`, 'in', emails ?? []))
      .$if(shareId !== null, (select) => select.where('sessions.share_id', '=', shareId ?? ''))
      .$if(after !== null, (select) => select.where((eb) => isAfter(eb, after ?? NOWHERE)))
      // By a sum, which no index has: those of few persons are found by the persons, and put in order then.
      .orderBy(emails === null ? 'sessions.created_at' : sql`sessions.created_at + 0`, 'desc')
      .orderBy('sessions.id', 'desc')
  );
}

/** Whatever else is asked for takes looking at each. */
function isSearch({ text, providerName, ip, state }: SessionQuery): boolean {
  return [text, providerName, ip, state].some((value) => value !== null);
}

/** Undefined when a page can look at all that there is. */
async function lastLookedAt(
  read: Records['read'],
  query: SessionQuery,
  emails: readonly string[] | null,
): Promise<SessionPlace | undefined> {
  const row = await sessionsAfter(read, query, emails)
    .select(['sessions.created_at', 'sessions.id'])
    .offset(MOST_LOOKED_AT - 1)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : { createdAt: row.created_at, id: row.id };
}

/** Both name the time alone first, so that the index ends the search. */
function isUpTo(eb: Builder, { createdAt, id }: SessionPlace): Expression<SqlBool> {
  return eb.and([
    eb('sessions.created_at', '>=', createdAt),
    eb.or([eb('sessions.created_at', '>', createdAt), eb('sessions.id', '>=', id)]),
  ]);
}

function isAfter(eb: Builder, { createdAt, id }: SessionPlace): Expression<SqlBool> {
  return eb.and([
    eb('sessions.created_at', '<=', createdAt),
    eb.or([eb('sessions.created_at', '<', createdAt), eb('sessions.id', '<', id)]),
  ]);
}

/** Neither ended nor expired. */
export async function countActiveSessions({ read, clock }: Records, accountId: AccountId): Promise<number> {
  const row = await read
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll().as('active'))
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', clock())
    .executeTakeFirstOrThrow();
  return Number(row.active);
}

type Builder = ExpressionBuilder<Tables, 'sessions'>;

function conditions(eb: Builder, query: SessionQuery, now: Expression<number>): Expression<SqlBool>[] {
  const { text, providerName, ip, state } = query;
  const all: Expression<SqlBool>[] = [];
  if (text !== null) all.push(sql<SqlBool>`lower(sessions.email) LIKE ${likePart(text)} ESCAPE '!'`);
  if (providerName !== null) all.push(eb('sessions.provider_name', '=', providerName));
  if (ip !== null) all.push(eb('sessions.ip', '=', ip));
  if (state === 'active') all.push(eb('sessions.ended_at', 'is', null), eb('sessions.expires_at', '>', now));
  if (state === 'ended')
    all.push(eb.or([eb('sessions.ended_at', 'is not', null), eb('sessions.expires_at', '<=', now)]));
  return all;
}

/**
 * As the index has it. Beyond ASCII addresses are kept in lower case, so both databases agree on what that
 * is.
 */
export function isEmail(email: string): Expression<SqlBool> {
  return sql<SqlBool>`lower(sessions.email) = ${comparableAddress(email)}`;
}

const NOWHERE: SessionPlace = { createdAt: 0, id: '' };
/** Some milliseconds on SQLite. */
const MOST_LOOKED_AT = 2_000;
