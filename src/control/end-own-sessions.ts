// Ends a person's own sessions, by their own word: in the store, in each account's audit, on every gateway.

import type { SessionId } from '../domain/id.ts';
import { noteChange } from './change-note.ts';
import { confirmLive } from './confirm-live.ts';
import type { ControlDeps, Me } from './control-deps.ts';

/** One of them, or all with null. Answers how many were living. They are over on this gateway when it resolves. */
export async function endOwnSessions(deps: ControlDeps, me: Me, id: SessionId | null): Promise<number> {
  const ended = await deps.store.own.endSessions({
    owner: me,
    id,
    reason: ENDED_BY_PERSON,
    at: deps.now(),
    tokensOf: MOST_REVOKED,
  });
  deps.revokeTokens(ended);
  const { address, requestId } = me;
  for (const { row } of ended)
    await noteChange(
      deps,
      { accountId: row.accountId, actor: null, address, requestId },
      {
        kind: 'session.ended',
        shareId: row.shareId,
        sessionId: row.id,
        provider: row.providerName,
        email: row.email,
        reason: ENDED_BY_PERSON,
      },
    );
  await confirmLive(deps);
  return ended.length;
}

const ENDED_BY_PERSON = 'ended_by_person';
/** Nobody has that many; what is beyond it ends by the provider's own lifetimes. */
const MOST_REVOKED = 200;
