// Who sees all accounts and gateways at the console: whom the configuration names, by a verified address of
// one of its own providers. Pure.

import { isSameAddress, type Person } from './member-match.ts';

/** As the configuration names one. */
export type OperatorName = {
  /** A provider of the configuration. */
  readonly provider: string;
  readonly email: string;
};

/**
 * `emailVerified`: whether the provider vouches for the address, as it stands now; `within`: the account that
 * defined the provider, whose word counts there alone.
 */
export function isOperator(
  operators: readonly OperatorName[],
  { person, within }: { readonly person: Person; readonly within: string | null },
): boolean {
  if (within !== null || !person.emailVerified) return false;
  return operators.some(
    ({ provider, email }) => provider === person.provider && isSameAddress(email, person.email),
  );
}
