// What is somebody's own: the sessions of one person at one provider, and the certificates that say their
// address, when the provider vouches for it. What an account's own provider says counts within that account
// alone; things of accounts that are suspended are nobody's to look after. The one place that says whose a
// thing is.

import { comparableAddress } from '../../domain/email-address.ts';
import type { Expression } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import type { Person } from '../../domain/member-match.ts';
import type { Records } from '../records.ts';

export type Owner = {
  readonly person: Person;
  /** The one account that is meant; null for all of them. */
  readonly within: AccountId | null;
};

/** Their sessions that live. `now` is the store's clock. */
export function ownSessions(db: Records['read'], { person, within }: Owner, now: Expression<number>) {
  let rows = db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .where('accounts.suspended', '=', 0)
    .where('sessions.provider_name', '=', person.provider)
    .where('sessions.provider_generation', '=', person.generation)
    .where('sessions.subject', '=', person.subject)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', now);
  if (within !== null) rows = rows.where('sessions.account_id', '=', within);
  return rows;
}

/** Living and over. None for an address that nobody vouches for: no column equals NULL. */
export function ownCertificates(db: Records['read'], { person, within }: Owner) {
  let rows = db
    .selectFrom('client_certificates')
    .innerJoin('accounts', 'accounts.id', 'client_certificates.account_id')
    .where('accounts.suspended', '=', 0)
    .where(
      'client_certificates.email_address',
      '=',
      person.emailVerified ? comparableAddress(person.email) : null,
    );
  if (within !== null) rows = rows.where('client_certificates.account_id', '=', within);
  return rows;
}
