// The audit log as the rooms above see it. It is read a page at a time, in the order in which its events were
// committed, one way or the other.

import type { AuditEvent } from '../../domain/audit-event.ts';
import type { AuditKind, AuditResult } from '../../domain/audit-kind.ts';
import type { AccountId, ShareId } from '../../domain/id.ts';
import type { LatestLogin } from './latest-logins.ts';
import type { LoginCounts } from './logins.ts';

export type AuditFilter = {
  /** Any one of them; none means every kind. */
  readonly kinds: readonly AuditKind[];
  /** The whole address, in any case. */
  readonly email: string | null;
  readonly shareId: ShareId | null;
  readonly provider: string | null;
  /** What came of it; null for whatever did. */
  readonly result: AuditResult | null;
  /**
   * Parts of words, each of which an event has: of people, addresses, actors, shares, reasons, and of what
   * changed, in any case.
   */
  readonly text: string | null;
  /** Who did it: `member:mem_…`, `api-key:key_…`, `operator`. */
  readonly actor: string | null;
  /** Not before that time, in milliseconds since the epoch. */
  readonly since: number | null;
  /** Before that time. */
  readonly until: number | null;
};

export type AuditQuery = {
  /** Null: what is of no account. */
  readonly accountId: AccountId | null;
  readonly filter: AuditFilter;
  readonly order: 'newest' | 'oldest';
  /** The place where another page ended. Null begins at the end that `order` names. */
  readonly from: number | null;
  readonly limit: number;
  /** Kinds of which whoever asks is told no changes, nor finds events by them. */
  readonly hidesChangesOf?: readonly AuditKind[];
};

/**
 * Places are numbers in the order of commits, so what is after one will never be joined by what is before it.
 * A page of a filter that lets little through may hold fewer events than `limit`, or none, and still have a
 * `next`.
 */
export type AuditPage = {
  readonly events: readonly AuditEvent[];
  /** Where to go on; null when nothing is left by now. */
  readonly next: number | null;
  /**
   * With `oldest`, what is committed after this page comes after it; with `newest`, what comes after its
   * first event.
   */
  readonly follow: number;
};

export interface AuditTable {
  append(events: readonly AuditEvent[]): Promise<void>;
  /** A page of an account's events, in the order in which they were committed. */
  page(query: AuditQuery): Promise<AuditPage>;
  /** Logins to shares since then, by provider. */
  logins(accountId: AccountId, since: number): Promise<readonly LoginCounts[]>;
  /** Who tried to log in to shares lately, by provider and address, in no order. */
  latestLogins(accountId: AccountId): Promise<readonly LatestLogin[]>;
  /** The retention sweep: the only way that events go. Deletes those older than `before`. */
  forget(before: number): Promise<void>;
  /** Adds what `text` finds events by, a few at a time; false when nothing is left to add. */
  index(): Promise<boolean>;
}
