// Whether an account itself calls a visitor one of its own. Only they are told who of it answers for a share:
// at any other provider strangers log in, too. Pure.

import { matchesAnyPattern } from './email-pattern.ts';
import type { AccountId } from './id.ts';
import { namesDomain } from './named-domain.ts';
import type { ProviderRef } from './provider-ref.ts';

type Vouching = Pick<ProviderRef, 'accountId' | 'emailPatterns'> & { readonly verifiesEmail: boolean };

/**
 * A provider that the account defined vouches for the address, and each of the definition's patterns that let
 * it in names its domain: a definition with `*`, `*@*.co.uk` or `*@*example.com` lets in strangers.
 */
export function isOwnPerson(provider: Vouching, email: string, account: AccountId): boolean {
  const { accountId, emailPatterns, verifiesEmail } = provider;
  if (accountId !== account || !verifiesEmail) return false;
  const matching = emailPatterns.filter((pattern) => matchesAnyPattern([pattern], email));
  return matching.length > 0 && matching.every(namesDomain);
}
