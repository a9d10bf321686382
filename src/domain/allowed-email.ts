// Whether an address gets in at a share: the one answer for the gate, the callback, the check and `share test`.

import { matchesAnyPattern } from './email-pattern.ts';
import type { ShareLogin } from './share.ts';

/** The share's patterns and those of its provider's definition must both let the address in (contract 2.3, 2.4). */
export function isEmailAllowed({ emailPatterns, provider }: ShareLogin, email: string): boolean {
  return (
    provider !== null &&
    matchesAnyPattern(provider.emailPatterns, email) &&
    matchesAnyPattern(emailPatterns, email)
  );
}
