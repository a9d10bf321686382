// The answers that the gate gives itself on a share: who is logged in, where to log out, where to log in
// (again), and that an address is not let in (DESIGN 2.3, 3).

import { decide, sessionProvider } from '../domain/decision.ts';
import { loginProviders } from '../domain/login-admission.ts';
import { refuseLookAhead } from '../domain/look-ahead.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { LiveSession } from '../domain/session.ts';
import { rulesOfShare } from '../domain/share-rules.ts';
import type { Answer } from '../http/answer.ts';
import type { PageAction } from '../http/page-html.ts';
import { GUARD_HEADERS } from '../http/content-security.ts';
import { askAction } from '../login/access-statement.ts';
import { keepsOwnCookie, spentHostSessionCookie } from '../login/host-session-cookie.ts';
import { OTHER_PROVIDER } from '../login/login-choice.ts';
import type { Admission, LoginWanted, PersonRefused } from './admission.ts';
import type { GateParts } from './gate-parts.ts';
import type { GuardedRequest } from './guard.ts';
import { rfc3339 } from './identity-headers.ts';
import { loginAnswerKind, returnUrlOf, returnUrlWithin } from './login-answer.ts';
import { refuse, sendAnswer } from './refuse.ts';
import { setOut } from './set-out.ts';
import type { Visit } from './visit.ts';

/** DESIGN 2.3: `{provider,email,expires,logout_url}`. */
export function answerSession(admission: Admission, session: LiveSession | null): void {
  const { visit, share, request, parts, corsOrigin } = admission;
  if (visit.exchange.method !== 'GET' && visit.exchange.method !== 'HEAD') throw methodNotAllowed();
  if (share.login === null)
    throw new ServiceError('not_found', 'Cannot show a session: this share has no login');
  // Whoever came by certificate alone is not logged in.
  if (session === null) return answerLogin(admission, { providers: loginProviders(share) });
  const content = {
    provider: sessionProvider(share, session),
    email: session.email,
    expires: rfc3339(session.expiresAt),
    logout_url: `${parts.originOf(request.host)}/.svc/logout`,
  };
  visit.email = session.email;
  sendAnswer(visit, {
    status: 200,
    headers: [['content-type', 'application/json'], ...GUARD_HEADERS, ...corsHeaders(corsOrigin)],
    body: `${JSON.stringify(content)}\n`,
  });
}

/**
 * To the logout of that provider; `redirect_url` is judged there (contract 4.2). Only this host can take back
 * a session cookie of its own: what is in it ends there.
 */
export function answerLogout({ visit, request, parts }: Admission, providerName: string): void {
  if (visit.exchange.method !== 'GET' && visit.exchange.method !== 'HEAD') throw methodNotAllowed();
  const query = request.target.indexOf('?');
  const location = `${parts.endpointUrl.origin}/${encodeURIComponent(providerName)}/logout`;
  redirect(
    visit,
    302,
    location + (query < 0 ? '' : request.target.slice(query)),
    spentCookie(parts, request),
  );
}

function spentCookie({ settings, secure }: GateParts, { host }: GuardedRequest): Answer['headers'] {
  if (!secure || !keepsOwnCookie(host, settings.cookieDomain)) return [];
  return [['set-cookie', spentHostSessionCookie(settings.cookieName)]];
}

export function answerLogin(admission: Admission, { providers, strength }: LoginWanted): void {
  const { visit, request, facts, route } = admission;
  const { method } = visit.exchange;
  if (route === 'login') requireAsked(admission, admission.share.behind);
  refuseLookAhead(facts.purpose);
  // Whoever asks who is logged in wants to be told, not sent away.
  const asks = route === null || route === 'login';
  const kind = asks ? loginAnswerKind(method, request.webSocket, visit.facts) : 'unauthorized';
  const returnUrl =
    route === 'login'
      ? returnUrlWithin(facts.ownOrigin, request.target)
      : returnUrlOf(facts.ownOrigin, route === null ? request.target : '/', {
          kind,
          referer: visit.facts.referer,
        });
  // A call's own address is nowhere to come back to, and few programs take an answer with so many cookies.
  const isPage = kind !== 'unauthorized' || returnUrl === visit.facts.referer;
  const { url, headers, isCut } = setOut(admission, {
    returnUrl,
    isPage,
    selectAccount: false,
    providers,
    strength,
  });
  visit.reason = 'login_required';
  if (kind === 'unauthorized') answerUnauthorized(admission, url, headers);
  else if (isCut) answerTooLong(admission, url, headers);
  else redirect(visit, kind === 'see-other' ? 303 : 302, url, headers);
}

/**
 * `GET /.svc/login?return_to=…`: a new login before the session ends, which takes its place. A page of the
 * share, or the person, asks for it; where it leads is on this host.
 */
export function answerLoginAgain(admission: Admission): void {
  const { visit, request, facts } = admission;
  requireAsked(admission, false);
  const returnUrl = returnUrlWithin(facts.ownOrigin, request.target);
  const { url, headers, isCut } = setOut(admission, {
    returnUrl,
    isPage: true,
    selectAccount: false,
    providers: ownOrAll(admission),
  });
  if (isCut) answerTooLong(admission, url, headers);
  else redirect(visit, 302, url, headers);
}

/**
 * By the person or a page of the share. `byAnySite`: a link of another site leads to it, too, by way of a
 * proxy that sends whoever needs a login here.
 */
function requireAsked({ visit, facts }: Admission, byAnySite: boolean): void {
  if (visit.exchange.method !== 'GET' && visit.exchange.method !== 'HEAD') throw methodNotAllowed();
  const { fetchSite, fetchMode } = facts;
  const isOwn = byAnySite || fetchSite === null || fetchSite === 'same-origin' || fetchSite === 'none';
  if (!isOwn || (fetchMode !== null && fetchMode !== 'navigate'))
    throw new ServiceError('foreign_origin', 'Cannot log in: the browser loaded this page ahead of time');
}

function redirect(visit: Visit, status: 302 | 303, location: string, headers: Answer['headers'] = []): void {
  sendAnswer(visit, { status, headers: [['location', location], ...GUARD_HEADERS, ...headers], body: null });
}

function answerUnauthorized(
  { visit, parts, corsOrigin }: Admission,
  url: string,
  headers: Answer['headers'],
): void {
  const error = new ServiceError('login_required', 'Cannot continue without a login', {
    hint: 'Open login_url in a browser.',
    extra: { login_url: url },
  });
  refuse(visit, parts.settings.brand, error, {
    page: false,
    headers: [...headers, ...corsHeaders(corsOrigin)],
  });
}

/** A login would lead elsewhere than the visitor wanted, so they are told before they make it. */
function answerTooLong({ visit, parts }: Admission, url: string, headers: Answer['headers']): void {
  const error = new ServiceError('address_too_long', 'Cannot keep an address during a login: it is too long');
  refuse(visit, parts.settings.brand, error, {
    actions: [{ label: 'Log in', href: url, primary: true }],
    headers,
  });
}

/** People log in again; programs come back later: the session is as good as it was. */
export function answerUncheckable(admission: Admission): void {
  const { visit, request, route } = admission;
  const kind = loginAnswerKind(visit.exchange.method, request.webSocket, visit.facts);
  if (route === null && kind !== 'unauthorized') answerLogin(admission, { providers: ownOrAll(admission) });
  else throw new ServiceError('recheck_unavailable', 'Cannot check a session: the provider does not answer');
}

export function answerPersonRefused(admission: Admission, { code, email }: PersonRefused): void {
  const { visit, parts, facts } = admission;
  const returnUrl = returnUrlOf(facts.ownOrigin, admission.request.target, {
    kind: 'redirect',
    referer: null,
  });
  const { url, otherUrl, headers } = setOut(admission, {
    returnUrl,
    isPage: true,
    selectAccount: true,
    providers: ownOrAll(admission),
    otherProviders: otherProviders(admission),
  });
  visit.email = email;
  refuse(visit, parts.settings.brand, new ServiceError(code, PERSON_REFUSALS[code]), {
    details: [{ label: 'Logged in as', value: email }],
    actions: [
      { label: 'Use another account', href: url, primary: true },
      ...(otherUrl === null ? [] : [{ label: OTHER_PROVIDER, href: otherUrl, primary: false }]),
      ...askActions(admission, email),
    ],
    headers,
  });
}

/** To ask to be let in, where the share takes that and it could help. */
function askActions({ share, session, parts }: Admission, email: string): readonly PageAction[] {
  const found = rulesOfShare(share).providers;
  const provider = found.find(({ generation }) => generation === session?.providerGeneration);
  if (provider === undefined) return [];
  const { seal, endpointUrl } = parts;
  const person = { email, facts: null };
  return askAction({ seal, endpointUrl, now: Date.now() }, { share, provider, person });
}

function corsHeaders(origin: string | null): Answer['headers'] {
  if (origin === null) return [];
  return [
    ['access-control-allow-origin', origin],
    ['access-control-allow-credentials', 'true'],
    ['vary', 'Origin'],
  ];
}

function methodNotAllowed(): ServiceError {
  return new ServiceError('method_not_allowed', 'Cannot use this method here', {
    extra: { allow: 'GET, HEAD' },
  });
}

/** That of the session, which the login renews; else all where a login could help anybody. */
function ownOrAll({ share, session }: Admission): readonly string[] {
  const own = session === null ? null : sessionProvider(share, session);
  return own === null ? loginProviders(share) : [own];
}

/** Where whoever is refused here could log in instead, as somebody whom nobody knows yet. */
function otherProviders({ share, session, facts }: Admission): readonly string[] {
  const unknown = decide(share, null, facts, Date.now());
  if (unknown.kind !== 'login') return [];
  const own = session === null ? null : sessionProvider(share, session);
  return unknown.providers.filter((name) => name !== own);
}

const PERSON_REFUSALS = {
  email_refused: 'Cannot allow this email address: no pattern of the share matches it',
  rule_refused: 'Cannot allow this person: no rule of the share allows them, or one denies them',
} as const;
