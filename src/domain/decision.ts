// What the gate does with one request: contract section 3 as one pure function. No clock, no network, no
// store.

import { isEmailAllowed } from './allowed-email.ts';
import { certificateRefusal, type CertificateFacts, type CertificateRefusal } from './client-certificate.ts';
import { isVerifiedEnough, type ProviderRef } from './provider-ref.ts';
import type { Share } from './share.ts';
import type { LiveSession, SessionState } from './session.ts';

export type Decision =
  /**
   * On what grounds: `session` is null where no login was needed, `certificate` where none was asked for or
   * none counted. `checkSoon`: start a check in the background (DESIGN "Check interval": at 90 %).
   */
  | {
      readonly kind: 'forward';
      readonly session: LiveSession | null;
      readonly certificate: CertificateFacts | null;
      readonly checkSoon: boolean;
    }
  | { readonly kind: 'login'; readonly reason: LoginReason }
  | { readonly kind: 'recheck'; readonly session: LiveSession }
  | { readonly kind: 'refuse'; readonly code: RefusalCode; readonly email: string | null };

export type LoginReason =
  | 'no_session'
  | 'session_ended'
  | 'not_confirmed'
  | 'session_expired'
  | 'other_share'
  | 'other_provider'
  | 'other_browser'
  | 'email_unverified'
  | 'check_needs_login';
export type RefusalCode =
  | 'share_unknown'
  | 'provider_unusable'
  | 'foreign_origin'
  | 'email_refused'
  | CertificateRefusal;

export type RequestFacts = {
  readonly method: string;
  readonly upgrade: boolean;
  /** `Sec-Fetch-Site`, `-Mode`, `-Dest` as sent; null when absent. */
  readonly fetchSite: string | null;
  readonly fetchMode: string | null;
  readonly fetchDest: string | null;
  /** `Sec-Purpose`, or what older browsers send instead, as sent; null when absent. */
  readonly purpose: string | null;
  /** `Referer` as sent; null when absent. */
  readonly referer: string | null;
  /** `Origin` as sent; null when absent. */
  readonly origin: string | null;
  /** The origin of the share as the visitor sees it: `https://demo.share.example.com`. */
  readonly ownOrigin: string;
  /** Whether visitors reach the gateway over https, so that sessions are bound to the browser. */
  readonly secure: boolean;
  /** `shortHash` of the binding cookie; null when the request has none. */
  readonly bindingHash: string | null;
  /** The client certificate of the connection; null when there is none. */
  readonly certificate: CertificateFacts | null;
};

export function decide(
  share: Share,
  session: LiveSession | null,
  facts: RequestFacts,
  now: number,
): Decision {
  if (!share.enabled) return refusal('share_unknown');
  const { login, clientCertificate } = share;
  if (login === null && clientCertificate === null)
    return { kind: 'forward', session: null, certificate: null, checkSoon: false };
  // A session and a certificate alike come with whatever another site has the browser send.
  if (isForeign(share, facts)) return refusal('foreign_origin');
  if (clientCertificate === null) return decideLogin(share, session, facts, now);
  const { certificate } = facts;
  const asked = { accountId: share.accountId, rule: clientCertificate };
  const refused = certificateRefusal(asked, certificate, now);
  const either = share.access === 'either' && login !== null;
  if (refused === null && (either || login === null))
    return { kind: 'forward', session: null, certificate, checkSoon: false };
  // A certificate that does not count is none: the login is the other way in.
  if (either) return decideLogin(share, session, facts, now);
  if (refused !== null) return refusal(refused);
  const decision = decideLogin(share, session, facts, now);
  return decision.kind === 'forward' ? { ...decision, certificate } : decision;
}

function decideLogin(share: Share, session: LiveSession | null, facts: RequestFacts, now: number): Decision {
  const { login } = share;
  const provider = usableProvider(share);
  if (login === null || provider === null) return refusal('provider_unusable');
  if (session === null) return { kind: 'login', reason: 'no_session' };
  if (session.shareId !== share.id) return { kind: 'login', reason: 'other_share' };
  if (session.providerGeneration !== provider.generation) return { kind: 'login', reason: 'other_provider' };
  if (!isBoundHere(session, facts)) return { kind: 'login', reason: 'other_browser' };
  if (session.ended) return { kind: 'login', reason: 'session_ended' };
  if (!session.confirmed) return { kind: 'login', reason: 'not_confirmed' };
  // Asked the way round that lets nothing pass should a time ever be no number.
  if (!(now < session.expiresAt)) return { kind: 'login', reason: 'session_expired' };
  if (!isVerifiedEnough(provider, session)) return { kind: 'login', reason: 'email_unverified' };
  if (!isEmailAllowed(login, session.email))
    return { kind: 'refuse', code: 'email_refused', email: session.email };
  const sinceCheckMs = sinceCheck(session, now);
  if (!(sinceCheckMs < login.checkIntervalMs))
    return session.refreshable
      ? { kind: 'recheck', session }
      : { kind: 'login', reason: 'check_needs_login' };
  return {
    kind: 'forward',
    session,
    certificate: null,
    checkSoon: session.refreshable && sinceCheckMs >= login.checkIntervalMs * CHECK_SOON_SHARE,
  };
}

function refusal(code: Exclude<RefusalCode, 'email_refused'>): Decision {
  return { kind: 'refuse', code, email: null };
}

/**
 * The share's provider; null when it is gone, or is another account's (DESIGN "Who may use which provider").
 */
export function usableProvider({ login, accountId }: Share): ProviderRef | null {
  const provider = login?.provider ?? null;
  return provider === null || (provider.accountId !== null && provider.accountId !== accountId)
    ? null
    : provider;
}

/**
 * A check that lies ahead is of a clock that was wrong, and is none; clocks that are a moment apart are
 * right.
 */
export function sinceCheck({ checkedAt }: Pick<SessionState, 'checkedAt'>, now: number): number {
  const passedMs = now - checkedAt;
  return passedMs >= -CLOCKS_APART_MS ? passedMs : Infinity;
}

/** When an open stream must be decided again for its session: the check or the expiry, whichever is first. */
export function decideAgainAt(share: Share, session: LiveSession): number {
  const recheckAt = share.login === null ? Infinity : session.checkedAt + share.login.checkIntervalMs;
  return Math.min(recheckAt, session.expiresAt);
}

/**
 * Whether another site's page made this request. Shares are same-site to each other, so SameSite cookies stop
 * nothing between them; Fetch Metadata does, and `Origin` where a client sends none.
 */
function isForeign(share: Share, facts: RequestFacts): boolean {
  const { origin } = facts;
  const ownOrigin = origin === facts.ownOrigin;
  if (origin !== null && !ownOrigin && share.allowOrigins.includes(origin)) return false;
  if (facts.upgrade && !ownOrigin) return true;
  const site = facts.fetchSite;
  if (site === null) return isUnsafe(facts.method) && origin !== null && !ownOrigin;
  if (facts.purpose !== null) return !isOwnPrefetch(facts);
  if (site === 'same-origin' || site === 'none') return false;
  return !isTopLevelNavigation(facts);
}

/**
 * Any page may have any address prefetched, unseen by the visitor, and Chromium says `Sec-Fetch-Site: none`
 * to that as if the visitor had typed it. Only the Referer, which no page can make up, tells the share's own
 * pages from others.
 */
function isOwnPrefetch({ fetchSite, referer, ownOrigin }: RequestFacts): boolean {
  return fetchSite === 'same-origin' || referer?.startsWith(`${ownOrigin}/`) === true;
}

/**
 * Over https a session opens only beside the binding cookie it was made with; over plain HTTP there is no
 * binding.
 */
function isBoundHere(session: LiveSession, facts: RequestFacts): boolean {
  if (!facts.secure) return session.bindingHash === null;
  return facts.bindingHash !== null && session.bindingHash === facts.bindingHash;
}

function isTopLevelNavigation(facts: RequestFacts): boolean {
  const reads = facts.method === 'GET' || facts.method === 'HEAD';
  return reads && !facts.upgrade && facts.fetchMode === 'navigate' && facts.fetchDest === 'document';
}

/** Methods other than GET, HEAD, OPTIONS and TRACE (RFC 9110 section 9.2.1). */
function isUnsafe(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS' && method !== 'TRACE';
}

/** More than synchronised clocks ever differ, and nothing beside a check interval. */
const CLOCKS_APART_MS = 60_000;
/**
 * A check starts in the background once this part of the interval is over, so that visitors rarely wait for
 * it.
 */
export const CHECK_SOON_SHARE = 0.9;
