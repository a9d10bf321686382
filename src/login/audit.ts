// Writes down what happened to a login or a session: each success, refusal, failure, check and logout. Never a secret,
// and nothing that strangers could cause without end: starting a login, or a callback of no login, leaves no row.

import type { AuditEvent } from '../domain/audit-event.ts';
import { newId } from '../domain/id.ts';
import type { LoginDeps } from './login.ts';

export type Happening = Pick<AuditEvent, 'kind'> & {
  readonly [Field in 'accountId' | 'shareId' | 'sessionId' | 'provider' | 'email' | 'reason']?:
    | AuditEvent[Field]
    | undefined;
};

/** `by` is null for what no request did. The share's account is filled in when it is known. */
export function recordEvent(
  deps: Pick<LoginDeps, 'audit' | 'now' | 'findShare'>,
  by: { readonly ip: string | null; readonly requestId: string } | null,
  happening: Happening,
): void {
  const share = happening.shareId ? deps.findShare(happening.shareId) : undefined;
  deps.audit({
    id: newId('evt'),
    at: deps.now(),
    kind: happening.kind,
    accountId: happening.accountId ?? share?.accountId ?? null,
    shareId: happening.shareId ?? null,
    sessionId: happening.sessionId ?? null,
    provider: happening.provider ?? null,
    email: happening.email ?? null,
    actor: null,
    ip: by?.ip ?? null,
    requestId: by?.requestId ?? null,
    reason: happening.reason ?? null,
  });
}
