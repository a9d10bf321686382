// Writes down who changed what. The change is already made: when the note fails, the log has it.

import type { AuditEvent, AuditKind } from '../domain/audit-event.ts';
import { newId } from '../domain/id.ts';
import type { Caller, ControlDeps } from './control-deps.ts';

export type ChangeNote = Partial<
  Pick<AuditEvent, 'shareId' | 'sessionId' | 'provider' | 'email' | 'reason'>
> & {
  readonly kind: AuditKind;
};

export async function noteChange(deps: ControlDeps, caller: Caller, change: ChangeNote): Promise<void> {
  const event: AuditEvent = {
    shareId: null,
    sessionId: null,
    provider: null,
    email: null,
    reason: null,
    ...change,
    id: newId('evt'),
    at: deps.now(),
    accountId: caller.accountId,
    actor: caller.actor,
    ip: caller.address,
    requestId: caller.requestId,
  };
  try {
    await deps.store.audit.append([event]);
  } catch (error) {
    deps.log.error({ err: error, event }, 'Cannot write down a change');
  }
}
