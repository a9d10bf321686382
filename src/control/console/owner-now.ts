// Whose own things somebody at the control plane may look after, as their provider stands now. Sessions are
// theirs by provider, generation and subject; certificates by an address that the provider vouches for. An
// account's own provider speaks for that account alone, whatever it says: nothing of another account is ever
// theirs by its word.

import { matchesAnyPattern } from '../../domain/email-pattern.ts';
import type { Person } from '../../domain/member-match.ts';
import { isOperator } from '../../domain/operator.ts';
import type { MemberSession, VisitorSession } from '../../store/people/console-session.ts';
import type { AskedBy, Me } from '../control-deps.ts';
import type { ConsoleProvider, ConsoleSettings } from './console-settings.ts';

/** Null when the session does not say who logged in, and when their provider is another by now. */
export function ownerNow(
  { findProvider }: Pick<ConsoleSettings, 'findProvider'>,
  { person, expiresAt }: Pick<MemberSession | VisitorSession, 'person' | 'expiresAt'>,
  { address, requestId }: AskedBy,
): Me | null {
  const provider = person === null ? undefined : findProvider(person.provider);
  if (person === null || provider?.generation !== person.generation) return null;
  return {
    person: { ...person, emailVerified: vouches(provider, person) },
    within: provider.accountId,
    expiresAt,
    address,
    requestId,
  };
}

/** Whether the configuration names them as an operator at this moment. */
export function operatesNow(
  { operators }: Pick<ConsoleSettings, 'operators'>,
  me: Pick<Me, 'person' | 'within'> | null,
): boolean {
  return me !== null && isOperator(operators, me);
}

/** Then as now: one that does not verify addresses any more vouches for none that it said before. */
export function vouches(
  { verifiesEmail, emailPatterns }: ConsoleProvider,
  { email, emailVerified }: Pick<Person, 'email' | 'emailVerified'>,
): boolean {
  return emailVerified && verifiesEmail && matchesAnyPattern(emailPatterns, email);
}
