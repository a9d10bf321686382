// Ending many sessions at once, by an administrator's choice or because the provider says that somebody
// logged out there: one transaction, so that none of them outlives a crash in the middle.

import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { claimAttempt } from './attempts.ts';
import { appendEvents } from '../audit/audit.ts';
import { ownSessions } from '../people/own-things.ts';
import type { Records, Writing } from '../records.ts';
import type { ChosenEnding, OwnEnding, ProviderLogout, SessionChoice } from './choice.ts';
import { endSessions } from './end.ts';
import { isEmail } from './list.ts';
import { idsOfPerson } from './of-person.ts';
import { toSession } from './row.ts';
import type { SessionRow } from './session.ts';
import type { Tables } from '../tables.ts';
import type { SessionsTable } from './tables.ts';

/** Those of the account that the choice names and that had not ended; expired ones are over by themselves. */
export function endChosen(records: Records, ending: ChosenEnding): Promise<readonly SessionRow[]> {
  const { reason, at } = ending;
  return records.write(async (writing) => {
    const living = await livingSessions(records, writing, (eb) => ofAccount(eb, writing.db, ending));
    await endOwing(writing, living, { reason, at });
    return living.map(toSession);
  });
}

/** As `OwnTable.endSessions()`. */
export function endOwn(
  records: Records,
  { owner, id, reason, at }: OwnEnding,
): Promise<readonly SessionRow[]> {
  return records.write(async (writing) => {
    const own = ownSessions(writing.db, owner, records.clock()).select('sessions.id');
    const meant = id === null ? own : own.where('sessions.id', '=', id);
    const living = await livingSessions(records, writing, (eb) => eb('sessions.id', 'in', meant));
    await endOwing(writing, living, { reason, at });
    return living.map(toSession);
  });
}

/** Null when the message was used before. */
export function endAtProvider(
  records: Records,
  logout: ProviderLogout,
): Promise<readonly SessionRow[] | null> {
  const { message, reason, at, eventOf } = logout;
  return records.write(async (writing) => {
    if (!(await claimAttempt(writing.db, message.id, message.expiresAt))) return null;
    const living = await livingSessions(records, writing, (eb) => loggedOut(eb, logout));
    await endSessions(writing, { column: 'id', values: living.map(({ id }) => id) }, { reason, at });
    const rows = living.map(toSession);
    await appendEvents(records, writing.db, rows.map(eventOf));
    return rows;
  });
}

/** Nobody waits for their tokens to be revoked. */
function endOwing(
  writing: Writing,
  living: readonly { readonly id: string }[],
  ending: { readonly reason: string; readonly at: number },
): Promise<unknown> {
  const chosenOnes = { column: 'id', values: living.map(({ id }) => id) } as const;
  return endSessions(writing, chosenOnes, { ...ending, owesTokens: true });
}

type Builder = ExpressionBuilder<Tables, 'sessions'>;

function livingSessions(
  { clock, locks }: Records,
  { db }: Writing,
  condition: (eb: Builder) => Expression<SqlBool>,
): Promise<SessionsTable[]> {
  return (
    db
      .selectFrom('sessions')
      .selectAll()
      .where(condition)
      .where('sessions.ended_at', 'is', null)
      .where('sessions.expires_at', '>', clock())
      // In one order, so that two who end the same sessions wait for each other instead of deadlocking; by
      // what no index has, so that none of all sessions is walked for it.
      .orderBy(sql`sessions.id || ''`)
      .modifyEnd(locks.changing)
      .execute()
  );
}

function ofAccount(
  eb: Builder,
  db: Records['read'],
  { accountId, choice }: ChosenEnding,
): Expression<SqlBool> {
  // The account's alone, and found without a look at all of its sessions.
  if (choice.by === 'person') return eb('sessions.id', 'in', idsOfPerson(db, { accountId, ...choice }));
  return eb.and([eb('sessions.account_id', '=', accountId), chosen(eb, choice)]);
}

function chosen(eb: Builder, choice: Exclude<SessionChoice, { readonly by: 'person' }>): Expression<SqlBool> {
  switch (choice.by) {
    case 'id':
      return eb('sessions.id', '=', choice.id);
    case 'ids':
      return eb('sessions.id', 'in', choice.ids);
    case 'email':
      return isEmail(choice.email);
    case 'share':
      return eb('sessions.share_id', '=', choice.shareId);
    case 'provider':
      return eb('sessions.provider_name', '=', choice.providerName);
  }
}

/**
 * With both a subject and a session id, the session at the provider is meant; of a session here that never
 * heard its id there, the subject must do (OpenID Connect Back-Channel Logout 1.0 section 2.7).
 */
function loggedOut(eb: Builder, { subject, sid, ...of }: ProviderLogout): Expression<SqlBool> {
  const all: Expression<SqlBool>[] = [
    eb('sessions.provider_name', '=', of.providerName),
    eb('sessions.provider_generation', '=', of.providerGeneration),
  ];
  if (subject !== null) all.push(eb('sessions.subject', '=', subject));
  if (sid !== null && subject === null) all.push(eb('sessions.provider_sid', '=', sid));
  if (sid !== null && subject !== null)
    all.push(eb.or([eb('sessions.provider_sid', '=', sid), eb('sessions.provider_sid', 'is', null)]));
  return eb.and(all);
}
