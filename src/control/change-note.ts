// Writes down who changed what, in the transaction of the change: there is never one without the other.

import type { AuditEvent } from '../domain/audit-event.ts';
import type { AuditKind } from '../domain/audit-kind.ts';
import { newId } from '../domain/id.ts';
import type { SessionRow } from '../store/store.ts';
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

/**
 * Makes a change, and writes down who did: both are kept, or neither. `change` calls the store and nothing else, since it may run
 * again; `noteOf` answers nothing where nothing was changed.
 */
export function recordedChange<Made>(
  deps: Pick<ControlDeps, 'store' | 'now'>,
  caller: Actor,
  change: () => Promise<Made>,
  noteOf: (made: Made) => ChangeNote | readonly ChangeNote[] | null | false,
): Promise<Made> {
  return recorded(deps, change, (made) => {
    const notes = noteOf(made);
    if (notes === null || notes === false) return [];
    return [notes].flat().map((note) => changeEvent(deps, caller, note));
  });
}

/** As `recordedChange`, for what several accounts are told of. */
export function recorded<Made>(
  { store }: Pick<ControlDeps, 'store'>,
  change: () => Promise<Made>,
  eventsOf: (made: Made) => readonly AuditEvent[],
): Promise<Made> {
  return store.together(async () => {
    const made = await change();
    const events = eventsOf(made);
    if (events.length > 0) await store.audit.append(events);
    return made;
  });
}

export function changeEvent(
  { now }: Pick<ControlDeps, 'now'>,
  caller: Actor,
  change: ChangeNote,
): AuditEvent {
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

export function sessionEndedNote(row: SessionRow, reason: string): ChangeNote {
  return {
    kind: 'session.ended',
    shareId: row.shareId,
    sessionId: row.id,
    provider: row.providerName,
    email: row.email,
    reason,
  };
}
