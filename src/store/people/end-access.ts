// The end of all access of a person, in one transaction: sessions, certificates, unused request tokens, API
// keys, and the membership where that is meant. Whoever begins one of these at the same moment waits for a
// lock that is taken here, and then finds that it is over.

import { actorText } from '../../domain/actor.ts';
import { ENDED_BY_ADMIN } from '../../domain/end-reason.ts';
import type { ApiKeyId } from '../../domain/id.ts';
import type { Transaction } from 'kysely';
import { waitForCertifying } from '../certificates/compromised-keys.ts';
import { removeUnusedOf } from '../certificates/request-tokens.ts';
import { revoke } from '../certificates/revocation.ts';
import type { Records, Writing } from '../records.ts';
import { endChosen } from '../sessions/end-chosen.ts';
import type { Tables } from '../tables.ts';
import { loginName, markAccessEnded, noteAccessEnded } from './access-endings.ts';
import { canAct, lastKey, toKey } from './api-keys.ts';
import { holdMember, removeMember } from './members.ts';
import type { ApiKeyRow, MemberRow } from './people.ts';
import { membersOfPerson } from './members-of-person.ts';
import type { AccessEnd, EndedAccess, PersonOf } from './person.ts';

export function endAccess(records: Records, end: AccessEnd): Promise<EndedAccess> {
  const { accountId, email, at, by, reason } = end;
  return records.together(async () => {
    const ofMember = await records.write((writing) => endOfMembers(records, writing, end));
    // A member is one login: what it opened ends, whatever address its provider names by now.
    const logins = ofMember.members.flatMap(({ login }) => (login === null ? [] : [login]));
    const choice = { by: 'person', email, logins } as const;
    const ending = { accountId, choice, reason: ENDED_BY_ADMIN, at };
    const sessions = await endChosen(records, ending);
    // Before the certificates: what is redeemed at this moment is one of those when they are looked for.
    const makers = ofMember.members.map(({ id }) => id);
    const requestTokens = await removeUnusedOf(records, { accountId, emailAddress: email, makers });
    const revoked = { accountId, reason, by, at };
    const certificates = [...(await revoke(records, { ...revoked, chosen: { emailAddress: email } }))];
    // Like a key, one with a role acts for the member who gives it the role, whomever it names.
    for (const id of makers) {
      const chosen = { roleOf: actorText({ kind: 'member', id }) };
      certificates.push(...(await revoke(records, { ...revoked, chosen })));
    }
    return { sessions, requestTokens, certificates, ...ofMember };
  });
}

type OfMembers = Pick<EndedAccess, 'consoleSessions' | 'apiKeys' | 'serviceTokens' | 'members'>;

/** First, with the locks that logins, redemptions and whoever makes a key wait for. */
async function endOfMembers(records: Records, writing: Writing, end: AccessEnd): Promise<OfMembers> {
  const { db } = writing;
  const { accountId, reason, removesMember } = end;
  await markAccessEnded(records, db, end);
  if (reason === 'key_compromise') await waitForCertifying({ db, locks: records.locks }, accountId);
  const members = await holdPerson(records, db, end);
  if (members.length === 0) return { consoleSessions: 0, apiKeys: [], serviceTokens: 0, members };
  const couldAct = await canAct(records, db, accountId);
  let [consoleSessions, serviceTokens] = [0, 0];
  const apiKeys: ApiKeyRow[] = [];
  for (const member of members) {
    const { numDeletedRows } = await db
      .deleteFrom('console_sessions')
      .where('member_id', '=', member.id)
      .executeTakeFirstOrThrow();
    consoleSessions += Number(numDeletedRows);
    apiKeys.push(...(await removeKeys(writing, member)));
    serviceTokens += await countServiceTokens(db, member);
    if (removesMember) await removeMember(records, member);
  }
  if (!removesMember && couldAct && !(await canAct(records, db, accountId)))
    throw lastKey(apiKeys[0]?.name ?? '');
  return { consoleSessions, apiKeys, serviceTokens, members };
}

async function holdPerson(
  records: Records,
  db: Transaction<Tables>,
  person: PersonOf,
): Promise<readonly MemberRow[]> {
  const held: MemberRow[] = [];
  for (const id of await membersOfPerson({ read: db, clock: records.clock }, person)) {
    const member = await holdMember(records, db, { accountId: person.accountId, id });
    if (member === null) continue;
    // Their logins may be in progress under any address, and come back when the member is gone.
    const names = [member.email, ...(member.login === null ? [] : [loginName(member.login)])];
    for (const email of names) await noteAccessEnded(records, db, { accountId: member.accountId, email });
    held.push(member);
  }
  return held;
}

/** The member's row is held: who makes one for it is done, or waits. */
async function removeKeys({ db, note }: Writing, { id }: MemberRow): Promise<readonly ApiKeyRow[]> {
  const rows = await db.deleteFrom('api_keys').where('member_id', '=', id).returningAll().execute();
  for (const row of rows) note({ kind: 'api-key', id: row.id as ApiKeyId });
  return rows.map(toKey);
}

export async function countServiceTokens(db: Records['read'], { id }: MemberRow): Promise<number> {
  const row = await db
    .selectFrom('service_tokens')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('member_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
