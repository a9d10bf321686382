// Ends sessions by an administrator's word: in the store, in the audit, on every gateway; their tokens at the provider
// afterwards, since nobody should wait for it.

import type { SessionChoice } from '../store/session-choice.ts';
import { noteChanges } from './change-note.ts';
import { confirmLive } from './confirm-live.ts';
import type { Caller, ControlDeps } from './control-deps.ts';

/** Answers how many were living. They are over on this gateway when it resolves, and on the others within a poll. */
export async function endSessions(deps: ControlDeps, caller: Caller, choice: SessionChoice): Promise<number> {
  const ended = await deps.store.sessions.endChosen({
    accountId: caller.accountId,
    choice,
    reason: ENDED_BY_ADMIN,
    at: deps.now(),
    tokensOf: MOST_REVOKED,
  });
  deps.revokeTokens(ended);
  const notes = ended.map(({ row }) => ({
    kind: 'session.ended' as const,
    shareId: row.shareId,
    sessionId: row.id,
    provider: row.providerName,
    email: row.email,
    reason: ENDED_BY_ADMIN,
  }));
  await noteChanges(deps, caller, notes);
  await confirmLive(deps);
  return ended.length;
}

const ENDED_BY_ADMIN = 'ended_by_admin';
/** Tokens of so many are held in memory until they are revoked; the provider's own lifetimes end the others. */
const MOST_REVOKED = 1_000;
