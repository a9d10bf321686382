// Ends a person's own sessions, by their own word: in the store, in each account's audit, on every gateway.

import { SYSTEM } from '../../domain/actor.ts';
import { ENDED_BY_PERSON } from '../../domain/end-reason.ts';
import type { SessionId } from '../../domain/id.ts';
import { changeEvent, recorded, sessionEndedNote } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import type { ControlDeps, Me } from '../control-deps.ts';

/**
 * One of them, or all with null. Answers how many were living. They are over on this gateway when it
 * resolves.
 */
export async function endOwnSessions(deps: ControlDeps, me: Me, id: SessionId | null): Promise<number> {
  const { address, requestId } = me;
  const ended = await recorded(
    deps,
    () => deps.store.own.endSessions({ owner: me, id, reason: ENDED_BY_PERSON, at: deps.now() }),
    (sessions) =>
      sessions.map((session) => {
        const by = { accountId: session.accountId, actor: SYSTEM, address, requestId };
        return changeEvent(deps, by, sessionEndedNote(session, ENDED_BY_PERSON));
      }),
  );
  deps.tokensOwed();
  await confirmLive(deps);
  return ended.length;
}
