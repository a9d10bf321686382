// Whether an address gets in at a share: the one answer for the gate, the callback, the check and
// `share test`. The gate asks at each request, so what was answered is remembered for as long as the share
// stays as it is.

import { matchesAnyPattern } from './email-pattern.ts';
import type { ShareLogin } from './share.ts';

/**
 * The share's patterns and those of its provider's definition must both let the address in (contract 2.3,
 * 2.4).
 */
export function isEmailAllowed(login: ShareLogin, email: string): boolean {
  const { emailPatterns, provider } = login;
  if (provider === null) return false;
  if (provider.emailPatterns.length + emailPatterns.length === 0) return true;
  const known = answers.get(login)?.get(email);
  if (known !== undefined) return known;
  const allowed = matchesAnyPattern(provider.emailPatterns, email) && matchesAnyPattern(emailPatterns, email);
  remember(login, email, allowed);
  return allowed;
}

/** A share that changed is another object, so nothing here is ever out of date. */
let answers = new WeakMap<ShareLogin, Map<string, boolean>>();
let count = 0;

function remember(login: ShareLogin, email: string, allowed: boolean): void {
  if (count >= MOST_REMEMBERED) {
    answers = new WeakMap();
    count = 0;
  }
  const known = answers.get(login) ?? new Map<string, boolean>();
  answers.set(login, known.set(email, allowed));
  count++;
}

/**
 * Some megabytes. Beyond it all are asked again, which costs each visitor's next request some microseconds.
 */
const MOST_REMEMBERED = 50_000;
