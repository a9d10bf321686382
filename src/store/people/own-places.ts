// Where a person has something to do: the accounts in which they are a member, have or had a session, or have
// a certificate; and what their provider said of them last. Of any other account they learn nothing here.

import { comparableAddress } from '../../domain/email-address.ts';
import type { AccountId } from '../../domain/id.ts';
import type { SessionFacts } from '../../domain/session-facts.ts';
import { isSet } from '../columns.ts';
import type { Records } from '../records.ts';
import type { Owner } from './own-things.ts';

export type OwnPlace = {
  readonly id: AccountId;
  readonly name: string;
  /** They were never there: whoever issues certificates there wrote their address into one. */
  readonly byCertificateAlone: boolean;
};

/** By id, from `from` on; none of those that are suspended. */
export async function ownPlaces(
  { read }: Records,
  { person, within }: Owner,
  { from, limit }: { readonly from: string; readonly limit: number },
): Promise<readonly OwnPlace[]> {
  const { provider, generation, subject, email, emailVerified } = person;
  const ofSessions = read
    .selectFrom('sessions')
    .select('account_id')
    .where('provider_name', '=', provider)
    .where('provider_generation', '=', generation)
    .where('subject', '=', subject);
  const ofMembers = read
    .selectFrom('members')
    .select('account_id')
    .where('provider', '=', provider)
    .where('provider_generation', '=', generation)
    .where('subject', '=', subject);
  // As with `ownCertificates`: no column equals NULL.
  const ofCertificates = read
    .selectFrom('client_certificates')
    .select('account_id')
    .where('email_address', '=', emailVerified ? comparableAddress(email) : null);
  const rows = await read
    .selectFrom('accounts')
    .select((eb) => [
      'id',
      'name',
      eb
        .case()
        .when('id', 'in', ofSessions.union(ofMembers))
        .then(0)
        .else(1)
        .end()
        .as('by_certificate_alone'),
    ])
    .where('suspended', '=', 0)
    .where('id', '>=', from)
    .$if(within !== null, (query) => query.where('id', '=', within ?? ''))
    .where('id', 'in', ofSessions.union(ofMembers).union(ofCertificates))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, name, by_certificate_alone: alone }) => ({
    id: id as AccountId,
    name,
    byCertificateAlone: isSet(alone),
  }));
}

/** Of the newest session of theirs, over or not; null when nobody asked the provider for any. */
export async function ownFacts(
  { read }: Records,
  { person: { provider, generation, subject }, within }: Owner,
): Promise<SessionFacts | null> {
  const row = await read
    .selectFrom('sessions')
    .select('facts')
    .where('provider_name', '=', provider)
    .where('provider_generation', '=', generation)
    .where('subject', '=', subject)
    .$if(within !== null, (query) => query.where('account_id', '=', within ?? ''))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  // What is there was written by `factsText`.
  return typeof row?.facts === 'string' ? (JSON.parse(row.facts) as SessionFacts) : null;
}
