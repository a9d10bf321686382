// Sessions as the rooms above see them: begun at a login, confirmed, checked under a lease, ended for ever.

import type { AuditEvent } from '../../domain/audit-event.ts';
import type { AccountId, SessionId, ShareId } from '../../domain/id.ts';
import type { SeenLogin } from '../../domain/seen-login.ts';
import type { SessionState } from '../../domain/session.ts';
import type { SessionFacts } from '../../domain/session-facts.ts';
import type { ChosenEnding, ProviderLogout, SessionListPage, SessionQuery } from './choice.ts';
import type { OwedRevocation, RevocationClaim, RevocationOutcome } from './owed-revocation.ts';
import type { SessionEnding, SessionLease, SessionRow, StoredTokens } from './session.ts';

export interface SessionTable {
  /**
   * One transaction: inserts the session; unless it is still to be confirmed, ends those that the same
   * browser had for the same share (but the same person's that began after `loopUntil`: another tab's, side
   * by side) and those of `former` that are of this share; and answers this browser's living sessions that
   * began since `recentSince` (for the cookie), newest first, the new one among them, and which ended. What
   * it answers as recent is not ended. When this browser began `loopLimit` sessions for this share from
   * `loopSince` to `loopUntil` that no gate saw and nobody logged out of, nothing is written and `login_loop`
   * is thrown. Throws `access_ended` when the person's access was ended after `loopUntil`, and
   * `share_unknown` when the account has no such share (any more), or is suspended.
   */
  begin(start: {
    readonly session: Omit<SessionRow, 'endedAt' | 'endReason'>;
    readonly tokens: StoredTokens;
    /** Whether the login showed that the address is verified. */
    readonly emailVerified: boolean;
    /** What else the provider said of the person. */
    readonly facts?: SessionFacts | undefined;
    /** What the browser's cookie named for this share, at most some hundred. */
    readonly former: readonly SessionId[];
    readonly recentSince: number;
    readonly loopSince: number;
    readonly loopUntil: number;
    readonly loopLimit: number;
    /** What the audit says of it, in the same transaction; null for nothing. */
    readonly event: AuditEvent | null;
    /** From now on the store's clock; null for one that counts at once. */
    readonly confirmWithinMs: number | null;
  }): Promise<{ readonly recent: readonly SessionRow[]; readonly ended: readonly SessionId[] }>;
  /**
   * The browser that set out is back, with the binding: the session counts, once and in time, and ends what
   * `begin` says. Answers the session's state, whether or not that was done; null when there is no such
   * session.
   */
  confirm(confirmation: {
    readonly id: SessionId;
    readonly shareId: ShareId;
    readonly bindingHash: string;
    /** As `loopUntil`. */
    readonly setOutAt: number;
    /** What the browser's cookie names for this share. */
    readonly former: readonly SessionId[];
    readonly at: number;
  }): Promise<SessionState | null>;
  /** Ends sessions that nobody confirmed in time, some at a time; their tokens are owed. */
  endUnconfirmed(ending: {
    readonly reason: string;
    readonly at: number;
    /** What the audit says of each, in the same transaction. */
    readonly eventOf: (row: SessionRow) => AuditEvent;
  }): Promise<readonly SessionRow[]>;
  find(id: SessionId): Promise<SessionRow | null>;
  /** The gate's view; null when it never was or was swept. */
  state(id: SessionId): Promise<SessionState | null>;
  /** As `state`, those that are there, in no order; those that ended without groups and claims. */
  states(ids: readonly SessionId[]): Promise<readonly SessionState[]>;
  /**
   * A page of all that count, in the order of their ids; `next` is null behind the last. What one page looks
   * at is bounded: it may hold few, or none, and still have a `next`; those with very many groups and claims
   * are in none.
   */
  counting(
    after: SessionId | null,
  ): Promise<{ readonly states: readonly SessionState[]; readonly next: SessionId | null }>;
  /** Living sessions of a browser at a provider, with their tokens. */
  ofBrowser(
    browserHash: string,
    providerName: string,
  ): Promise<readonly { readonly row: SessionRow; readonly tokens: StoredTokens }[]>;
  /** Living sessions of a browser that began since, newest first, at most a hundred. */
  recent(browserHash: string, since: number): Promise<readonly SessionRow[]>;
  /** Adds what `text` finds sessions of before an upgrade by, a few at a time; false when nothing is left. */
  index(): Promise<boolean>;
  /**
   * A page of an account's sessions, newest first unless said. How many one page looks at is bounded: one of
   * a search may hold few, or none, and still have a `next`.
   */
  list(query: SessionQuery): Promise<SessionListPage>;
  /**
   * How many `list` finds in all, of which `most` are counted; null where that would take looking at too
   * many.
   */
  countFound(query: SessionQuery, most: number): Promise<number | null>;
  /**
   * A page of whoever logged in to an account's shares and was not swept away yet, by address; one login at
   * each provider.
   */
  seenLogins(page: {
    readonly accountId: AccountId;
    /** The `next` of the page before. */
    readonly after: string | null;
    /** How many addresses. */
    readonly limit: number;
  }): Promise<{ readonly logins: readonly SeenLogin[]; readonly next: string | null }>;
  /** As `seenLogins`, of this address in any case; the newest first. */
  loginsOf(person: { readonly accountId: AccountId; readonly email: string }): Promise<readonly SeenLogin[]>;
  /** Neither ended nor expired. */
  countActive(accountId: AccountId): Promise<number>;
  /**
   * Ends those of an account that the choice names, in one transaction, their tokens owed; answers which were
   * living.
   */
  endChosen(ending: ChosenEnding): Promise<readonly SessionRow[]>;
  /**
   * Ends those that a provider says are over. Null, and nothing is done, when the message was used before.
   */
  endAtProvider(logout: ProviderLogout): Promise<readonly SessionRow[] | null>;
  /**
   * Ends those that are not ended, and writes the event of each of these in the same transaction; answers
   * which.
   */
  end(ids: readonly SessionId[], ending: SessionEnding): Promise<readonly SessionId[]>;
  /**
   * One conditional UPDATE on the store's clock; null when another holds the lease, or it is ended or
   * expired.
   */
  lease(id: SessionId, leaseMs: number): Promise<SessionLease | null>;
  /** Stores new tokens under a lease, before they are used. False when the lease was lost (another fence). */
  storeTokens(lease: SessionLease, tokens: StoredTokens): Promise<boolean>;
  /**
   * A check succeeded: sets `checkedAt` to the store's clock, keeps what the provider says of the person now,
   * gives the lease back and writes the event, in one transaction. Null, and nothing is done, when the lease
   * was lost.
   */
  checked(
    lease: SessionLease,
    found?: { readonly facts?: SessionFacts | undefined; readonly event?: AuditEvent },
  ): Promise<SessionState | null>;
  /** Gives the lease back without a result. */
  release(lease: SessionLease): Promise<void>;
  seen(seen: readonly { readonly id: SessionId; readonly at: number }[]): Promise<void>;
  /**
   * Sessions that are over, whose tokens are to be revoked now: some of one provider, for this caller alone
   * for `holdMs`. Null says that none is due but what is left out; none, that others have them, or a check
   * has.
   */
  claimRevocations(claim: RevocationClaim): Promise<readonly OwedRevocation[] | null>;
  /**
   * What is over loses its tokens, and so does what failed when the session ended `giveUpMs` ago; the rest is
   * due again.
   */
  settleRevocations(settled: {
    readonly owed: readonly {
      readonly id: SessionId;
      readonly fence: number;
      readonly outcome: RevocationOutcome;
    }[];
    readonly giveUpMs: number;
  }): Promise<void>;
}
