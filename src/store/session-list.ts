// Sessions of an account, newest first, for those who look after them. No secret column is read.

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { AccountId } from '../domain/id.ts';
import type { FoundSession, SessionQuery } from './session-choice.ts';
import { likePart } from './like-part.ts';
import type { Records } from './records.ts';
import { toSession } from './session-row.ts';
import type { Tables } from './tables.ts';

export async function listSessions(
  { read, clock }: Records,
  query: SessionQuery,
): Promise<readonly FoundSession[]> {
  const rows = await read
    .selectFrom('sessions')
    .leftJoin('shares', 'shares.id', 'sessions.share_id')
    .selectAll('sessions')
    .select(['shares.name as share_name', sql<number>`${clock()}`.as('now')])
    .where('sessions.account_id', '=', query.accountId)
    .where((eb) => eb.and(conditions(eb, query, clock())))
    .orderBy('sessions.created_at', 'desc')
    .orderBy('sessions.id', 'desc')
    .limit(query.limit)
    .execute();
  return rows.map(({ share_name: shareName, now, ...columns }) => ({
    row: toSession(columns),
    shareName,
    active: columns.ended_at === null && columns.expires_at > now,
  }));
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
  const { email, text, shareId, providerName, ip, state, after } = query;
  const all: Expression<SqlBool>[] = [];
  if (email !== null) all.push(isEmail(email));
  if (text !== null) all.push(sql<SqlBool>`lower(sessions.email) LIKE ${likePart(text)} ESCAPE '!'`);
  if (shareId !== null) all.push(eb('sessions.share_id', '=', shareId));
  if (providerName !== null) all.push(eb('sessions.provider_name', '=', providerName));
  if (ip !== null) all.push(eb('sessions.ip', '=', ip));
  if (state === 'active') all.push(eb('sessions.ended_at', 'is', null), eb('sessions.expires_at', '>', now));
  if (state === 'ended')
    all.push(eb.or([eb('sessions.ended_at', 'is not', null), eb('sessions.expires_at', '<=', now)]));
  if (after !== null)
    all.push(
      eb.or([
        eb('sessions.created_at', '<', after.createdAt),
        eb.and([eb('sessions.created_at', '=', after.createdAt), eb('sessions.id', '<', after.id)]),
      ]),
    );
  return all;
}

/** As the index has it. Addresses are ASCII, so both databases agree on what lower case is. */
export function isEmail(email: string): Expression<SqlBool> {
  return sql<SqlBool>`lower(sessions.email) = ${email.toLowerCase()}`;
}
