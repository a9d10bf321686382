// What is written down of each login, refusal, check, logout and change. Append-only; never a secret in it.

import type { AuditKind } from './audit-kind.ts';
import type { AccountId, AuditEventId, SessionId, ShareId } from './id.ts';

export type AuditEvent = {
  readonly id: AuditEventId;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: AuditKind;
  readonly accountId: AccountId | null;
  readonly shareId: ShareId | null;
  readonly sessionId: SessionId | null;
  readonly provider: string | null;
  readonly email: string | null;
  /** Who did it when it was not the visitor: `api-key:key_…`, `certificate:cer_…`, `operator`. */
  readonly actor: string | null;
  /** The visitor's address. */
  readonly ip: string | null;
  readonly requestId: string | null;
  /** A stable code of why, such as `email_refused` or `invalid_grant`, or a short public text. */
  readonly reason: string | null;
};

/** An event as it is told outside: the time in RFC 3339, and not whose account it is, which whoever is told knows. */
export type ToldEvent = Omit<AuditEvent, 'at' | 'accountId'> & { readonly at: string };

/** What the API and webhooks say of an event. Always the same text for the same event. */
export function toldEvent(event: AuditEvent): ToldEvent {
  const { id, at, kind, shareId, sessionId, provider, email, actor, ip, requestId, reason } = event;
  const time = new Date(at).toISOString();
  return { id, at: time, kind, shareId, sessionId, provider, email, actor, ip, requestId, reason };
}
