// Writes down who changed what, in the transaction of the change: there is never one without the other.

import type { Actor } from '../domain/actor.ts';
import { type AuditEvent, auditEvent, type KindAndChanges } from '../domain/audit-event.ts';
import type { SessionRow } from '../store/sessions/session.ts';
import type { Caller, ControlDeps } from './control-deps.ts';

type About = Partial<Pick<AuditEvent, 'shareId' | 'sessionId' | 'provider' | 'email' | 'reason'>>;

/** With what was there before and after, wherever the kind alone does not tell it. */
export type ChangeNote = About & KindAndChanges;

/** Who did it, as the audit has it. */
export type ChangedBy = Pick<Caller, 'accountId' | 'address' | 'requestId'> & { readonly actor: Actor };

/**
 * Makes a change, and writes down who did: both are kept, or neither. `change` calls the store and nothing
 * else, since it may run again; `noteOf` answers nothing where nothing was changed.
 */
export function recordedChange<Made>(
  deps: Pick<ControlDeps, 'store' | 'now'>,
  by: ChangedBy,
  change: () => Promise<Made>,
  noteOf: (made: Made) => ChangeNote | readonly ChangeNote[] | null | false,
): Promise<Made> {
  return recorded(deps, change, (made) => {
    const notes = noteOf(made);
    if (notes === null || notes === false) return [];
    return [notes].flat().map((note) => changeEvent(deps, by, note));
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
  by: ChangedBy,
  change: ChangeNote,
): AuditEvent {
  const { accountId, actor, address: ip, requestId } = by;
  return auditEvent({ ...change, at: now(), accountId, actor, ip, requestId });
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
