// The newest requests at a share as they are shown: what came, newest first, and no more than a table can
// hold. Pure.

import type { ShareRequestObject } from '../../../src/wire/share-request.ts';
import type { WatchedEvent } from '../../../src/client/watch-requests.ts';

export type SeenRow =
  | { readonly kind: 'request'; readonly key: number; readonly request: ShareRequestObject }
  /** So many were too many to tell. */
  | { readonly kind: 'skipped'; readonly key: number; readonly skipped: number };

export type SeenRequests = {
  /** Newest first, at most `MOST_ROWS`. */
  readonly rows: readonly SeenRow[];
  /** Of all since the page was opened, those that are shown no more among them. */
  readonly total: number;
  /** What came while it was held still, oldest first; it is shown when it goes on. */
  readonly held: readonly SeenRow[];
  readonly nextKey: number;
};

export const NOTHING_SEEN: SeenRequests = { rows: [], total: 0, held: [], nextKey: 1 };

/** `events` in the order in which they came; `still`: the table is not to move. */
export function withEvents(
  seen: SeenRequests,
  events: readonly WatchedEvent[],
  still: boolean,
): SeenRequests {
  let { nextKey, total } = seen;
  const held = [...seen.held];
  for (const event of events) {
    if (event.kind === 'open') continue;
    const key = nextKey++;
    if (event.kind === 'request') held.push({ kind: 'request', key, request: event.request });
    else held.push({ kind: 'skipped', key, skipped: event.skipped });
    total += event.kind === 'request' ? 1 : event.skipped;
  }
  const next = { ...seen, held: held.slice(-MOST_ROWS), nextKey, total };
  return still ? next : goneOn(next);
}

/** What was held still is shown. */
export function goneOn(seen: SeenRequests): SeenRequests {
  if (seen.held.length === 0) return seen;
  return { ...seen, held: [], rows: [...seen.held.toReversed(), ...seen.rows].slice(0, MOST_ROWS) };
}

export type StatusKind = 'ok' | 'redirect' | 'refused' | 'failed' | 'none';

/** Of an answer; `none` when there was none. */
export function statusKind(status: number | null): StatusKind {
  if (status === null) return 'none';
  if (status >= 500) return 'failed';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirect' : 'ok';
}

/** Rows of that kind of answer; all of them for ''. */
export function ofKind(rows: readonly SeenRow[], kind: string): readonly SeenRow[] {
  if (kind === '') return rows;
  return rows.filter((row) => row.kind === 'request' && statusKind(row.request.status) === kind);
}

/** What the app behind a proxy of its own answered, that proxy alone knows. */
export function answerText({ status, authorized }: ShareRequestObject): string {
  return authorized ? 'authorized' : String(status ?? 'none');
}

export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

/**
 * Why somebody was not let in, or was cut off, in a few words; what is not among them is told by its code.
 */
export function reasonText({ reason, aborted }: ShareRequestObject): string | null {
  if (reason !== null) return REASONS.get(reason) ?? reason.replaceAll('_', ' ');
  return aborted ? 'broke off' : null;
}

/** Some screens full; more is what the log is for. */
export const MOST_ROWS = 200;
const REASONS: ReadonlyMap<string, string> = new Map([
  ['login_required', 'sent to log in'],
  ['email_refused', 'address not allowed'],
  ['foreign_origin', 'request from a page of another site'],
  ['certificate_required', 'no client certificate'],
  ['certificate_foreign', 'certificate of another CA'],
  ['certificate_revoked', 'certificate revoked'],
  ['certificate_not_yet_valid', 'certificate not yet valid'],
  ['certificate_expired', 'certificate expired'],
  ['certificate_unfit', 'certificate not for clients'],
  ['certificate_refused', 'certificate not allowed'],
  ['provider_unusable', 'its provider does not exist'],
  ['recheck_unavailable', 'login could not be checked'],
  ['backend_down', 'the app does not answer'],
  ['backend_timeout', 'the app is too slow'],
  ['backend_refused', 'the target is not allowed'],
  ['agent_away', 'no agent is connected'],
  ['agent_busy', 'the agent is overloaded'],
]);
