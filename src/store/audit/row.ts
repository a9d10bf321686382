// An audit event as its columns, and back.

import type { ActorText } from '../../domain/actor.ts';
import { type AuditChange, plain, type ToldFields } from '../../domain/audit-change.ts';
import type { AuditEvent } from '../../domain/audit-event.ts';
import { AUDIT_KINDS, type AuditKind } from '../../domain/audit-kind.ts';
import type { AccountId, AuditEventId, SessionId, ShareId } from '../../domain/id.ts';
import type { AuditQuery } from './query.ts';
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
    ...(row.rule !== null && { rule: row.rule }),
    ...changesIn(row),
  };
}

/** As whoever asks is told of it. */
export function toAskedEvent(
  row: AuditEventsTable,
  { hidesChangesOf }: Pick<AuditQuery, 'hidesChangesOf'>,
): AuditEvent {
  const event = toEvent(row);
  if (event.changes === undefined || !hidesChanges(event.kind, hidesChangesOf)) return event;
  const { changes: _hidden, ...told } = event;
  return told;
}

/** Who may read what a kind of a newer version tells of, nobody here knows. */
export function hidesChanges(kind: string, hidden: AuditQuery['hidesChangesOf']): boolean {
  if (hidden === undefined) return false;
  return hidden.some((each) => each === kind) || !AUDIT_KINDS.some((each) => each === kind);
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
    who_gets_in: null,
    rule: event.rule ?? null,
    changes: event.changes === undefined ? null : JSON.stringify(event.changes),
  };
}

/** Events of a former version tell who gets in alone. */
function changesIn({ changes, who_gets_in: former }: AuditEventsTable): Pick<AuditEvent, 'changes'> {
  if (changes !== null) return { changes: JSON.parse(changes) as AuditChange };
  if (former === null) return {};
  const { before, after, omitted } = JSON.parse(former) as Omit<AuditChange, 'secrets'>;
  return { changes: { before: plainFields(before), after: plainFields(after), secrets: [], omitted } };
}

function plainFields(fields: ToldFields | null): ToldFields | null {
  return fields && Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)]));
}
