// Writes down who changed what. The change is already made: when the note fails, the log has it.

import type { AuditEvent } from '../domain/audit-event.ts';
import type { AuditKind } from '../domain/audit-kind.ts';
import { newId } from '../domain/id.ts';
import type { Caller, ControlDeps } from './control-deps.ts';

export type ChangeNote = Partial<
  Pick<AuditEvent, 'shareId' | 'sessionId' | 'provider' | 'email' | 'reason'>
> & {
  readonly kind: AuditKind;
};

/** Who did it, as the audit has it. */
export type Actor = Pick<Caller, 'accountId' | 'address' | 'requestId'> & {
  /** Null for a visitor themselves. */
  readonly actor: string | null;
};

export async function noteChange(deps: ControlDeps, caller: Actor, change: ChangeNote): Promise<void> {
  await noteChanges(deps, caller, [change]);
}

export async function noteChanges(
  deps: ControlDeps,
  caller: Actor,
  changes: readonly ChangeNote[],
): Promise<void> {
  const events = changes.map((change) => changeEvent(deps, caller, change));
  try {
    await deps.store.audit.append(events);
  } catch (error) {
    deps.log.error({ err: error, events: events.slice(0, MOST_LOGGED) }, 'Cannot write down changes');
  }
}

export function changeEvent({ now }: ControlDeps, caller: Actor, change: ChangeNote): AuditEvent {
  return {
    shareId: null,
    sessionId: null,
    provider: null,
    email: null,
    reason: null,
    ...change,
    id: newId('evt'),
    at: now(),
    accountId: caller.accountId,
    actor: caller.actor,
    ip: caller.address,
    requestId: caller.requestId,
  };
}

/** A log line of all sessions of a large share would be no line any more. */
const MOST_LOGGED = 20;
