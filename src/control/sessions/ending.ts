// Ends sessions by an administrator's word: in the store, in the audit, on every gateway; their tokens at the
// provider afterwards, since nobody should wait for it.

import { ENDED_BY_ADMIN } from '../../domain/end-reason.ts';
import type { SessionChoice } from '../../store/sessions/choice.ts';
import { recordedChange, sessionEndedNote } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import type { Caller, ControlDeps } from '../control-deps.ts';

/**
 * Answers how many were living. They are over on this gateway when it resolves, and on the others within a
 * poll.
 */
export async function endSessions(deps: ControlDeps, caller: Caller, choice: SessionChoice): Promise<number> {
  const of = { accountId: caller.accountId, choice, reason: ENDED_BY_ADMIN, at: deps.now() };
  const ended = await recordedChange(
    deps,
    caller,
    () => deps.store.sessions.endChosen(of),
    (sessions) => sessions.map((session) => sessionEndedNote(session, ENDED_BY_ADMIN)),
  );
  deps.tokensOwed();
  await confirmLive(deps);
  return ended.length;
}
