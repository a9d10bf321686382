// What is to be done with the tokens of one session that is over.

import { isMeant } from '../domain/end-reason.ts';
import type { Provider } from '../providers/provider.ts';
import type { OwedRevocation, RevocationOutcome } from '../store/sessions/owed-revocation.ts';

/** `ask`: the provider is to revoke them now. */
export function judgeOwed(
  { row, tokens, hasOthers }: OwedRevocation,
  provider: Provider | undefined,
  now: number,
): RevocationOutcome | 'ask' {
  // Tokens that do not open are nobody's to revoke.
  if (tokens === null) return 'over';
  if (provider === undefined) return 'failed';
  if (!hasOthers || provider.revokesTheseAlone === true || isMeant(row.endReason)) return 'ask';
  // What refreshes nothing has run out by then. It is left at each login that replaces another, so it must
  // not pile up.
  const isWorthless = tokens.refreshToken === null && now - (row.endedAt ?? row.expiresAt) >= ACCESS_MS;
  return isWorthless ? 'over' : 'wait';
}

/** Longer than access tokens of any provider last, but for those whose tokens are revoked alone. */
const ACCESS_MS = 24 * 60 * 60_000;
