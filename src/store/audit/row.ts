// An audit event as its columns, and back.

import type { AccessChange } from '../../domain/access-change.ts';
import type { ActorText } from '../../domain/actor.ts';
import type { AuditEvent } from '../../domain/audit-event.ts';
import type { AuditKind } from '../../domain/audit-kind.ts';
import type { AccountId, AuditEventId, SessionId, ShareId } from '../../domain/id.ts';
import type { AuditEventsTable } from './tables.ts';

export function toEvent(row: AuditEventsTable): AuditEvent {
  return {
    id: row.id as AuditEventId,
    at: row.at,
    kind: row.kind as AuditKind,
    accountId: row.account_id as AccountId | null,
    shareId: row.share_id as ShareId | null,
    sessionId: row.session_id as SessionId | null,
    provider: row.provider,
    email: row.email,
    actor: row.actor as ActorText | null,
    ip: row.ip,
    requestId: row.request_id,
    reason: row.reason,
    ...(row.who_gets_in && { whoGetsIn: JSON.parse(row.who_gets_in) as AccessChange }),
  };
}

export function fromEvent(event: AuditEvent): AuditEventsTable {
  return {
    id: event.id,
    at: event.at,
    kind: event.kind,
    account_id: event.accountId,
    share_id: event.shareId,
    session_id: event.sessionId,
    provider: event.provider,
    email: event.email,
    actor: event.actor,
    ip: event.ip,
    request_id: event.requestId,
    reason: event.reason,
    who_gets_in: event.whoGetsIn === undefined ? null : JSON.stringify(event.whoGetsIn),
  };
}
