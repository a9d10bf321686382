// A session: one visitor logged in to one share (contract 2.5). Its sealed text is the cookie's content; what
// changes while it lives is kept in the store and reaches the gate as a `SessionState`.

import type { SessionId, ShareId } from './id.ts';
import type { SessionFacts } from './session-facts.ts';

/** What the cookie says. It never changes after the login. */
export type Session = {
  readonly id: SessionId;
  readonly shareId: ShareId;
  /** `ProviderRef.generation` at login: a changed issuer, client id or type ends the session. */
  readonly providerGeneration: string;
  readonly email: string;
  /** Milliseconds since the epoch, whole seconds. Counted from the login, never extended. */
  readonly expiresAt: number;
  /** `shortHash` of the share host's binding cookie; null for a login over plain HTTP. */
  readonly bindingHash: string | null;
};

/** What the store says. */
export type SessionState = {
  readonly id: SessionId;
  readonly subject: string;
  /** The last successful check with the provider, in milliseconds since the epoch. */
  readonly checkedAt: number;
  /** Whether a refresh token is kept, so that a check can be made without the visitor. */
  readonly refreshable: boolean;
  /**
   * False until the browser that set out has come back with it. Never false again; what is not confirmed
   * opens nothing.
   */
  readonly confirmed: boolean;
  /** True once it was logged out, ended, replaced or refused by the provider. Never false again. */
  readonly ended: boolean;
  /** Whether the login showed a verified address. Absent: it is not known, and counts as no. */
  readonly emailVerified?: boolean;
  /** What rules may ask beside the address. Absent: nothing is known. */
  readonly facts?: SessionFacts;
};

/** A session as the gate sees it: opened from the cookie, with its state. */
export type LiveSession = Session & SessionState;

/** Member by member: copies of whole objects cost ten times as much, and each request needs one. */
export function liveSession(
  { id, shareId, providerGeneration, email, expiresAt, bindingHash }: Session,
  { subject, checkedAt, refreshable, confirmed, ended, emailVerified, facts }: SessionState,
): LiveSession {
  const always = {
    id,
    shareId,
    providerGeneration,
    email,
    expiresAt,
    bindingHash,
    subject,
    checkedAt,
    refreshable,
    confirmed,
    ended,
  };
  if (emailVerified !== undefined && facts !== undefined) return { ...always, emailVerified, facts };
  if (emailVerified !== undefined) return { ...always, emailVerified };
  return facts === undefined ? always : { ...always, facts };
}

/** A session that the store does not know, or is to know no more: for the gate it has ended. */
export function goneSession(id: SessionId): SessionState {
  return { id, subject: '', checkedAt: 0, refreshable: false, confirmed: false, ended: true };
}
