// Writes down who logged in to the control plane and out of it, who was not let in, and which providers were
// tried.

import {
  type AuditEvent,
  auditEvent,
  type Happening,
  type KindAndChanges,
} from '../../domain/audit-event.ts';
import type { ConsoleSession, VisitorSession } from '../../store/people/console-session.ts';
import type { KnownApiKey, MemberRow } from '../../store/people/people.ts';
import { recorded } from '../change-note.ts';
import type { AskedBy, ControlDeps } from '../control-deps.ts';

export type ConsoleNote = Pick<AuditEvent, 'accountId' | 'email'> &
  Pick<Happening, 'actor' | 'provider' | 'reason'> &
  KindAndChanges;

/** Of what changed nothing: when the note fails, the log has it. */
export async function note(deps: ControlDeps, by: AskedBy, happened: ConsoleNote): Promise<void> {
  const event = eventOf(deps, by, happened);
  try {
    await deps.store.audit.append([event]);
  } catch (error) {
    deps.log.error({ err: error, event }, 'Cannot record a login to the control plane');
  }
}

/** A session that begins or ends, with what the audit says of it: both are kept, or neither. */
export function recordedLogin<Made>(
  deps: ControlDeps,
  by: AskedBy,
  change: () => Promise<Made>,
  happened: (made: Made) => readonly ConsoleNote[],
): Promise<Made> {
  return recorded(deps, change, (made) => happened(made).map((each) => eventOf(deps, by, each)));
}

function eventOf({ now }: ControlDeps, { address, requestId }: AskedBy, happened: ConsoleNote): AuditEvent {
  return auditEvent({ ...happened, at: now(), ip: address, requestId });
}

export function aboutMember({ id, accountId, email }: MemberRow) {
  return { accountId, email, actor: { kind: 'member', id } } as const;
}

export function aboutKey({ id, accountId }: Pick<KnownApiKey, 'id' | 'accountId'>) {
  return { accountId, email: null, actor: { kind: 'key', id }, reason: 'api_key' } as const;
}

/** Of one who is no member: known to the account alone whose provider it was, and to the operator. */
export function aboutVisitor({ person, within }: Pick<VisitorSession, 'person' | 'within'>) {
  return { accountId: within, email: person.email, provider: person.provider, reason: 'own_things' };
}

export function aboutSession(session: ConsoleSession): Omit<ConsoleNote, 'kind' | 'changes'> {
  switch (session.kind) {
    case 'member':
      return { ...aboutMember(session.member), provider: session.provider };
    case 'key':
      return aboutKey(session.key);
    case 'visitor':
      return aboutVisitor(session);
  }
}
