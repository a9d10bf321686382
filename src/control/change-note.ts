// Writes down who changed which share. The change is already made: when the note fails, the log has it.

import { newId } from '../domain/id.ts';
import type { AuditKind } from '../domain/audit-event.ts';
import type { ShareRow } from '../store/store.ts';
import type { Caller, ControlDeps } from './control-deps.ts';

export async function noteChange(
  deps: ControlDeps,
  caller: Caller,
  change: { readonly kind: AuditKind; readonly share: ShareRow },
): Promise<void> {
  const { share, kind } = change;
  const event = {
    id: newId('evt'),
    at: deps.now(),
    kind,
    accountId: caller.accountId,
    shareId: share.id,
    sessionId: null,
    provider: share.oauthProvider,
    email: null,
    actor: `api-key:${caller.keyId}`,
    ip: caller.address,
    requestId: caller.requestId,
    reason: share.name,
  } as const;
  try {
    await deps.store.audit.append([event]);
  } catch (error) {
    deps.log.error({ err: error, event }, 'Cannot write down a change');
  }
}
