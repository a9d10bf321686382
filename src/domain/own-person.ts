// Whether an account itself calls a visitor one of its own. Only they are told who of it answers for a share:
// at any other provider strangers log in, too. Pure.

import { matchesAnyPattern } from './email-pattern.ts';
import type { AccountId } from './id.ts';
import type { ProviderRef } from './provider-ref.ts';

type Vouching = Pick<ProviderRef, 'accountId' | 'emailPatterns'> & { readonly verifiesEmail: boolean };

/**
 * A provider that the account defined vouches for the address, and the definition's patterns let it in for
 * its domain: a definition with `*` or `*@*.com` lets in anybody.
 */
export function isOwnPerson(provider: Vouching, email: string, account: AccountId): boolean {
  const { accountId, emailPatterns, verifiesEmail } = provider;
  if (accountId !== account || !verifiesEmail || emailPatterns.length === 0) return false;
  return matchesAnyPattern(emailPatterns, email) && !matchesAnyPattern(emailPatterns, strangerLike(email));
}

/** The same name at another domain of the same shape, below the same top level. */
function strangerLike(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at).replaceAll(/[^.](?=.*\.)/gu, (letter) => (letter === 'x' ? 'q' : 'x'));
  return email.slice(0, at) + domain;
}
