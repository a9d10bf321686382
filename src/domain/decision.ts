// What the gate does with one request: contract section 3 as one pure function. No clock, no network, no
// store.

import { comparablePath } from './path-rule.ts';
import type { ConditionName } from './access-rule.ts';
import type { CertificateFacts, CertificateRefusal } from './client-certificate.ts';
import type { CompiledRule, RuleSource } from './compile-rules.ts';
import { everyoneGrounds, identityGrounds, prospect, type Refused, rulesTurnAt } from './evaluate-rules.ts';
import { type JudgedPerson, rememberedPerson } from './judged-person.ts';
import type { LoginStrength } from './login-strength.ts';
import { isVerifiedEnough } from './provider-ref.ts';
import type { RequestPart } from './rule-condition.ts';
import type { Share } from './share.ts';
import { rulesOfShare, type ShareRules } from './share-rules.ts';
import type { LiveSession, SessionState } from './session.ts';

export type Decision =
  /**
   * On what grounds: `session`, `certificate` and `token` are null where the rule that lets in asks for none.
   * `checkSoon`: start a check in the background (DESIGN "Check interval": at 90 %).
   */
  | {
      readonly kind: 'forward';
      readonly session: LiveSession | null;
      readonly certificate: CertificateFacts | null;
      /** The name of a service token. */
      readonly token: string | null;
      readonly checkSoon: boolean;
    }
  /** `providers`: names of those where a login could help, at least one. */
  | {
      readonly kind: 'login';
      readonly reason: LoginReason;
      readonly providers: readonly string[];
      /** What the login must show; what any login there must, unless said. */
      readonly strength?: LoginStrength;
    }
  | { readonly kind: 'recheck'; readonly session: LiveSession }
  | { readonly kind: 'refuse'; readonly code: RefusalCode; readonly email: string | null }
  /** No rule lets in, or one refuses; null where it is none in particular. */
  | {
      readonly kind: 'refuse';
      readonly code: 'rule_refused';
      readonly email: string | null;
      readonly rule: RuleSource | null;
      readonly condition: ConditionName | null;
    };

export type LoginReason =
  | 'no_session'
  | 'session_ended'
  | 'not_confirmed'
  | 'session_expired'
  | 'other_share'
  | 'other_provider'
  | 'other_browser'
  | 'email_unverified'
  | 'login_too_weak'
  | 'check_needs_login';
export type RefusalCode =
  | 'share_unknown'
  | 'provider_unusable'
  | 'foreign_origin'
  | 'ambiguous_path'
  | 'email_refused'
  | CertificateRefusal;

export type RequestFacts = {
  readonly method: string;
  /** As it is forwarded, without the query; null for a page of the gateway's own. */
  readonly path: string | null;
  /** The client's, as trusted proxies have it; null when it is not known. */
  readonly address: string | null;
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
  /** The name of the service token that came with it and counts here; null when there is none. */
  readonly token: string | null;
};

/** `came` counts unless the request has a service token, by which alone it is judged then. */
export function decide(share: Share, came: LiveSession | null, facts: RequestFacts, now: number): Decision {
  if (!share.enabled) return refusal('share_unknown');
  const known = rulesOfShare(share);
  const { rules } = known;
  if (rules.isOpen) return NOBODY;
  const path = rules.asksPath && facts.path !== null ? comparablePath(facts.path) : facts.path;
  if (path === null && facts.path !== null) return refusal('ambiguous_path');
  const { accountId } = share;
  const { method, address, certificate } = facts;
  const token = rules.asksToken ? facts.token : null;
  const session = token === null ? came : null;
  const asked: RequestPart = { accountId, path, method, address, certificate, token, now };
  // A session and a certificate alike come with whatever another site has the browser send; a token does not,
  // and vouches for neither of them.
  const foreign = isForeign(share, facts);
  if (foreign && token === null)
    return everyoneGrounds(rules, asked) === null ? refusal('foreign_origin') : NOBODY;
  const request = foreign ? { ...asked, certificate: null } : asked;
  const who = whoIs(share, known, { session, facts, now });
  const grounds = identityGrounds(rules, { judged: who.judged, request });
  if (grounds.kind === 'let-in') {
    const onGrounds = letIn(share, { rule: grounds.rule, session: grounds.login ? session : null, request });
    if (onGrounds.kind === 'forward') return onGrounds;
    // A check that is due holds up nobody of whom no login is asked.
    const other = identityGrounds(rules, { judged: null, request });
    if (other.kind === 'let-in') return letIn(share, { rule: other.rule, session: null, request });
    return everyoneGrounds(rules, request) === null ? onGrounds : NOBODY;
  }
  if (everyoneGrounds(rules, request) !== null) return NOBODY;
  if (grounds.denied !== null) return ruleRefusal(grounds.denied, session);
  return whatCouldHelp(known, { who, request, session });
}

/** Who is logged in, as far as this session counts here; else why it does not. */
type Who =
  | { readonly judged: JudgedPerson; readonly fault: null }
  | { readonly judged: null; readonly fault: LoginReason };

type Came = { readonly session: LiveSession | null; readonly facts: RequestFacts; readonly now: number };

function whoIs(share: Share, { rules, providers }: ShareRules, { session, facts, now }: Came): Who {
  if (session === null) return NO_SESSION;
  if (session.shareId !== share.id) return without('other_share');
  const provider = providers.find(({ generation }) => generation === session.providerGeneration);
  if (provider === undefined) return without('other_provider');
  if (!isBoundHere(session, facts)) return without('other_browser');
  if (session.ended) return without('session_ended');
  if (!session.confirmed) return without('not_confirmed');
  // Asked the way round that lets nothing pass should a time ever be no number.
  if (!(now < session.expiresAt)) return without('session_expired');
  if (!isVerifiedEnough(provider, session)) return without('email_unverified');
  const { email, facts: told = null } = session;
  const person = { kind: 'login', provider: provider.name, email, facts: told } as const;
  return { judged: rememberedPerson(rules, session.id, person), fault: null };
}

type LetIn = {
  readonly rule: CompiledRule;
  readonly session: LiveSession | null;
  readonly request: RequestPart;
};

function letIn(share: Share, { rule, session, request }: LetIn): Decision {
  const { conditions } = rule;
  const certificate = conditions.certificate === undefined ? null : request.certificate;
  const token = conditions.tokens === undefined ? null : request.token;
  if (session === null) return { kind: 'forward', session, certificate, token, checkSoon: false };
  const { checkIntervalMs } = share.login ?? NO_LOGIN;
  const sinceCheckMs = sinceCheck(session, request.now);
  if (!(sinceCheckMs < checkIntervalMs))
    return session.refreshable
      ? { kind: 'recheck', session }
      : { kind: 'login', reason: 'check_needs_login', providers: providersOf(share, session) };
  const checkSoon = session.refreshable && sinceCheckMs >= checkIntervalMs * CHECK_SOON_SHARE;
  return { kind: 'forward', session, certificate, token, checkSoon };
}

type Asked = { readonly who: Who; readonly request: RequestPart; readonly session: LiveSession | null };

/** Nothing lets in whoever comes as they are. */
function whatCouldHelp({ rules, providerNames }: ShareRules, { who, request, session }: Asked): Decision {
  const { judged, fault } = who;
  const could = prospect(rules, { request, judged, usable: providerNames });
  if (could.denied !== null) return ruleRefusal(could.denied, judged === null ? null : session);
  const { providers } = could;
  if (fault !== null && providers.length > 0) return { kind: 'login', reason: fault, providers };
  if (judged?.person.kind === 'login') {
    const { stronger: strength } = could;
    if (strength !== null)
      return { kind: 'login', reason: 'login_too_weak', providers: [judged.person.provider], strength };
    if (could.person !== null) return personRefusal(could.person, session);
    // Another part of the share, of people from somewhere else.
    if (providers.length > 0) return { kind: 'login', reason: 'other_provider', providers };
  }
  if (could.unusable) return refusal('provider_unusable');
  if (could.certificate !== null) return refusal(could.certificate);
  return ruleRefusal(null, judged === null ? null : session);
}

/** The one word for an address that is not among those that a login lets in (contract 3). */
function personRefusal(refused: Refused, session: LiveSession | null): Decision {
  // Whoever is logged in at a provider that a rule names fails `providers` by the definition's addresses
  // alone.
  return refused.condition === 'emails' || refused.condition === 'providers'
    ? { kind: 'refuse', code: 'email_refused', email: session?.email ?? null }
    : ruleRefusal(refused, session);
}

function ruleRefusal(refused: Refused | null, session: LiveSession | null): Decision {
  return {
    kind: 'refuse',
    code: 'rule_refused',
    email: session?.email ?? null,
    rule: refused?.source ?? null,
    condition: refused?.condition ?? null,
  };
}

function refusal(code: Exclude<RefusalCode, 'email_refused'>): Decision {
  return { kind: 'refuse', code, email: null };
}

function without(fault: LoginReason): Who {
  return { judged: null, fault };
}

/** Of the provider that a session was made with, as the share names it now. */
export function sessionProvider(
  share: Share,
  { providerGeneration }: Pick<LiveSession, 'providerGeneration'>,
): string | null {
  const found = rulesOfShare(share).providers.find(({ generation }) => generation === providerGeneration);
  return found?.name ?? null;
}

function providersOf(share: Share, session: LiveSession): readonly string[] {
  const name = sessionProvider(share, session);
  return name === null ? [] : [name];
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

/** When it must be decided again since a rule ends then, or the login is too old. */
export function rulesPassAt(share: Share, session: SessionState | null, now: number): number {
  return rulesTurnAt(rulesOfShare(share).rules, session?.facts?.authTime ?? null, now);
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
const NOBODY: Decision = { kind: 'forward', session: null, certificate: null, token: null, checkSoon: false };
const NO_SESSION: Who = { judged: null, fault: 'no_session' };
/** A session of a share without a login counts nowhere: no provider is its own. */
const NO_LOGIN = { checkIntervalMs: 0 };
