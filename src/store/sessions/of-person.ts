// The sessions of a person in an account: those under the address, and those that the logins of the members
// whom it names opened, under whatever address.

import { type Kysely, sql } from 'kysely';
import { comparableAddress } from '../../domain/email-address.ts';
import type { AccountId } from '../../domain/id.ts';
import type { MemberLogin } from '../../domain/member-match.ts';
import type { Tables } from '../tables.ts';

export type SessionsOf = {
  readonly accountId: AccountId;
  readonly email: string;
  readonly logins: readonly MemberLogin[];
};

/** Their ids, over or not: each is found by an index, which no one condition for all of them would be. */
export function idsOfPerson(db: Kysely<Tables>, { accountId, email, logins }: SessionsOf) {
  const ofAccount = db.selectFrom('sessions as its').select('its.id').where('its.account_id', '=', accountId);
  return logins.reduce(
    (ids, { provider, generation, subject }) =>
      ids.union(
        ofAccount
          .where('its.provider_name', '=', provider)
          .where('its.provider_generation', '=', generation)
          .where('its.subject', '=', subject),
      ),
    ofAccount.where(sql`lower(its.email)`, '=', comparableAddress(email)),
  );
}
