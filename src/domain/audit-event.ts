// What is written down of each login, refusal, check, logout and change. Append-only; never a secret in it.

import { type Actor, type ActorText, actorText, SYSTEM } from './actor.ts';
import { type AuditChange, auditChange, type ChangeMade } from './audit-change.ts';
import { type AuditKind, type AuditResult, auditResult, type ChangeKind } from './audit-kind.ts';
import { type AccountId, type AuditEventId, newId, type SessionId, type ShareId } from './id.ts';
import { impliedChange } from './implied-change.ts';

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
  readonly actor: ActorText | null;
  /** The visitor's address. */
  readonly ip: string | null;
  readonly requestId: string | null;
  /** A stable code of why, such as `email_refused` or `invalid_grant`, or a short public text. */
  readonly reason: string | null;
  /** Of a refusal: the rule that refused, as `3: deny emails *@evil.test`; null where none let in. */
  readonly rule?: string;
  /** Of a change that the kind alone does not tell. */
  readonly changes?: AuditChange;
};

/** What is known of it; whatever is left out is null. */
type Known = Pick<AuditEvent, 'at'> & {
  readonly [Field in Exclude<keyof AuditEvent, 'id' | 'kind' | 'at' | 'actor' | 'changes' | 'rule'>]?:
    | AuditEvent[Field]
    | undefined;
} & {
  /** `SYSTEM` when left out. */
  readonly actor?: Actor | undefined;
};

/** What happened, and changed nothing that the kind does not tell. */
export type PlainHappening = Known & {
  readonly kind: Exclude<AuditKind, ChangeKind>;
  readonly rule?: string | null | undefined;
  readonly changes?: undefined;
};

/** What somebody changed: it is told with what was there before and after, or not at all. */
type ChangeHappening = Known & {
  readonly kind: ChangeKind;
  readonly rule?: undefined;
  readonly changes: ChangeMade;
};

export type Happening = PlainHappening | ChangeHappening;

/** A kind, and what was changed where the kind tells of a change. */
export type KindAndChanges =
  | Pick<PlainHappening, 'kind' | 'changes'>
  | Pick<ChangeHappening, 'kind' | 'changes'>;

/** The only maker of events: a field that is not named here is in none. */
export function auditEvent(happened: Happening): AuditEvent {
  return {
    id: newId('evt'),
    at: happened.at,
    kind: happened.kind,
    accountId: happened.accountId ?? null,
    shareId: happened.shareId ?? null,
    sessionId: happened.sessionId ?? null,
    provider: happened.provider ?? null,
    email: happened.email ?? null,
    actor: actorText(happened.actor ?? SYSTEM),
    ip: happened.ip ?? null,
    requestId: happened.requestId ?? null,
    reason: happened.reason?.slice(0, MAX_REASON) ?? null,
    ...(happened.rule && { rule: happened.rule.slice(0, MAX_RULE) }),
    ...(happened.changes && { changes: auditChange(happened.changes) }),
  };
}

/**
 * How many refusals were left out since the last such event: where, and never of whom. The last of them says
 * at which account, share and provider.
 */
export function omittedRefusals(
  { at, accountId, shareId, provider }: Pick<AuditEvent, 'at' | 'accountId' | 'shareId' | 'provider'>,
  count: number,
): AuditEvent {
  const reason = `${count} ${count === 1 ? 'refusal' : 'refusals'}`;
  return auditEvent({ kind: 'refusals.omitted', at, accountId, shareId, provider, reason });
}

/**
 * An event as it is told outside: the time in RFC 3339, and not whose account it is, which whoever is told
 * knows.
 */
export type ToldEvent = Omit<AuditEvent, 'at' | 'accountId' | 'rule'> & {
  readonly at: string;
  readonly result: AuditResult;
  readonly rule: string | null;
};

/** What the API and webhooks say of an event. Always the same text for the same event. */
export function toldEvent(event: AuditEvent): ToldEvent {
  const { id, at, kind, shareId, sessionId, provider, email, actor, ip, requestId, reason } = event;
  const time = new Date(at).toISOString();
  const [result, rule] = [auditResult(kind), event.rule ?? null];
  const told = {
    id,
    at: time,
    kind,
    result,
    shareId,
    sessionId,
    provider,
    email,
    actor,
    ip,
    requestId,
    reason,
    rule,
  };
  const changes = event.changes ?? impliedChange(kind);
  return changes === undefined ? told : { ...told, changes };
}

/** Characters: with `auditChange()` an event stays below 8 KiB in the database, whatever it is about. */
const MAX_REASON = 500;
const MAX_RULE = 300;
