// Sessions that wait for their browser: confirmed when it asks, ended when it has not within a minute, at
// whichever gateway it was to ask.

import { type AuditEvent, auditEvent } from '../domain/audit-event.ts';
import type { SessionId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import type { ConfirmQuestion, WorkerAnswer } from '../gateway/messages.ts';
import type { SessionRow } from '../store/sessions/session.ts';
import type { SessionTable } from '../store/sessions/session-table.ts';

/** A rejection of the store is `unavailable`: the grant can be used again while it lasts. */
export async function confirmSession(
  sessions: Pick<SessionTable, 'confirm'>,
  { sessionId, ask: _ask, ...confirmation }: ConfirmQuestion,
  at: number,
): Promise<WorkerAnswer> {
  try {
    return { kind: 'session', state: await sessions.confirm({ ...confirmation, id: sessionId, at }) };
  } catch {
    // The feed tells the log of an outage, once.
    return { kind: 'unavailable' };
  }
}

export type UnconfirmedDeps = {
  readonly sessions: Pick<SessionTable, 'endUnconfirmed'>;
  /** Told that there are tokens to revoke. */
  readonly tokensOwed: () => void;
  /** Told of the events that were written. */
  readonly audited: (events: readonly AuditEvent[]) => void;
  readonly now: () => number;
  readonly log: Pick<Log, 'warn'>;
};

/** Looks every few seconds until the returned function is called. */
export function startEndingUnconfirmed(deps: UnconfirmedDeps): () => void {
  const timer = setInterval(() => void endUnconfirmed(deps), LOOK_MS).unref();
  return () => clearInterval(timer);
}

/** Never rejects: what could not be ended is ended next time, and opens nothing meanwhile. */
export async function endUnconfirmed(deps: UnconfirmedDeps): Promise<void> {
  const { sessions, tokensOwed, audited, now, log } = deps;
  try {
    // A transaction that runs again makes them again.
    const events = new Map<SessionId, AuditEvent>();
    const eventOf = (row: SessionRow): AuditEvent => {
      const event = endedEvent(row, now());
      events.set(row.id, event);
      return event;
    };
    const ended = await sessions.endUnconfirmed({ reason: REASON, at: now(), eventOf });
    if (ended.length > 0) tokensOwed();
    audited(ended.flatMap(({ id }) => events.get(id) ?? []));
  } catch (error) {
    log.warn({ err: error }, 'Cannot end sessions that nobody confirmed');
  }
}

function endedEvent(row: SessionRow, at: number): AuditEvent {
  const { accountId, shareId, id: sessionId, providerName: provider, email, ip } = row;
  const where = { accountId, shareId, sessionId, provider, email, ip };
  return auditEvent({ kind: 'session.ended', at, ...where, reason: REASON });
}

const REASON = 'not_confirmed';
/** They open nothing: nobody needs to know to the second. */
const LOOK_MS = 5_000;
