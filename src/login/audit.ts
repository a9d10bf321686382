// Writes down what happened to a login or a session: each success, refusal, failure, check and logout. Never
// a secret, and nothing that strangers could cause without end: starting a login, or a callback of no login,
// leaves no row.

import { type AuditEvent, auditEvent, type PlainHappening } from '../domain/audit-event.ts';
import type { SessionId } from '../domain/id.ts';
import type { SessionRow } from '../store/sessions/session.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';

type LoginHappening = Omit<PlainHappening, 'at' | 'ip' | 'requestId'>;

/** Of the request that did it; null for what no request did. */
type By = Pick<LoginHttpRequest, 'ip' | 'requestId'> | null;

/** Writes down what changed nothing in the store. What did is written with it: see `eventOf`. */
export function recordEvent(
  deps: Pick<LoginDeps, 'audit' | 'now' | 'findShare'>,
  by: By,
  happening: LoginHappening,
): void {
  deps.audit(eventOf(deps, by, happening));
}

/**
 * The event, for whoever writes it together with what it tells of, so that a crash loses both or none;
 * `deps.audited` is told of it then. The share's account is filled in when it is known.
 */
export function eventOf(
  deps: Pick<LoginDeps, 'now' | 'findShare'>,
  by: By,
  happening: LoginHappening,
): AuditEvent {
  const share = happening.shareId ? deps.findShare(happening.shareId) : undefined;
  return auditEvent({
    ...happening,
    at: deps.now(),
    accountId: happening.accountId ?? share?.accountId,
    ip: by?.ip,
    requestId: by?.requestId,
  });
}

/** Tells of the events that were written with the end of these sessions. */
export function tellAudited(
  { audited }: Pick<LoginDeps, 'audited'>,
  ended: readonly SessionId[],
  events: ReadonlyMap<SessionId, AuditEvent>,
): void {
  for (const id of ended) {
    const event = events.get(id);
    if (event !== undefined) audited(event);
  }
}

/** What the audit says of a session, as `eventOf` has it. */
export function sessionEventOf(
  deps: Pick<LoginDeps, 'now' | 'findShare'>,
  by: By,
  { row, ...happening }: Pick<LoginHappening, 'kind' | 'reason'> & { readonly row: SessionRow },
): AuditEvent {
  const { id: sessionId, accountId, shareId, providerName: provider, email } = row;
  return eventOf(deps, by, { ...happening, accountId, shareId, sessionId, provider, email });
}
