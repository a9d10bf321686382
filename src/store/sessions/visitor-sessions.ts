// Sessions at the control plane of persons who are no members: begun only for somebody of whom something is
// here.

import type { Transaction } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import { flag, isSet } from '../columns.ts';
import type { NewVisitorSession, VisitorSession } from '../people/console-session.ts';
import { ownCertificates, ownSessions } from '../people/own-things.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';

/** Whether anything is theirs that they could look after. */
export async function hasOwnThings(
  { clock }: Records,
  db: Transaction<Tables>,
  owner: Pick<NewVisitorSession, 'person' | 'within'>,
): Promise<boolean> {
  const session = await ownSessions(db, owner, clock()).select('sessions.id').limit(1).executeTakeFirst();
  if (session !== undefined) return true;
  const certificate = await ownCertificates(db, owner)
    .select('client_certificates.id')
    .limit(1)
    .executeTakeFirst();
  return certificate !== undefined;
}

export async function insertVisitorSession(
  db: Transaction<Tables>,
  { person, within, hash, createdAt, expiresAt, ip }: NewVisitorSession,
): Promise<void> {
  await db
    .insertInto('visitor_sessions')
    .values({
      hash,
      account_id: within,
      provider: person.provider,
      provider_generation: person.generation,
      subject: person.subject,
      email: person.email,
      email_verified: flag(person.emailVerified),
      created_at: createdAt,
      expires_at: expiresAt,
      ip,
    })
    .execute();
}

export async function findVisitorSession(
  { read, clock }: Records,
  hash: string,
): Promise<VisitorSession | null> {
  const row = await read
    .selectFrom('visitor_sessions')
    .selectAll()
    .where('hash', '=', hash)
    .where('expires_at', '>', clock())
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    kind: 'visitor',
    person: {
      provider: row.provider,
      generation: row.provider_generation,
      subject: row.subject,
      email: row.email,
      emailVerified: isSet(row.email_verified),
    },
    within: row.account_id as AccountId | null,
    expiresAt: row.expires_at,
  };
}
