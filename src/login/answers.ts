// What the OAuth frontend answers: redirects, pages and faults, none of which may be kept or named as a
// referrer.

import { asServiceError } from '../domain/service-error.ts';
import type { Answer } from '../http/answer.ts';
import { faultAnswer, placeText } from '../http/fault-answer.ts';
import type { PageAction } from '../http/page-html.ts';
import { renderPage } from '../http/page.ts';
import { wantsPage } from '../http/wants-page.ts';
import type { Identity } from '../domain/identity.ts';
import { logFault } from './fault-log.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import type { AttemptTarget } from './login-target.ts';

/** Set-Cookie values. */
export type Cookies = readonly string[];

export function redirectAnswer(location: string, cookies: Cookies): Answer {
  return withCookies(
    { status: 302, headers: [['location', location], ...PRIVATE_HEADERS], body: null },
    cookies,
  );
}

/** After a login without a share: says so, and gives no session. */
export function loggedInPage(deps: LoginDeps, request: LoginHttpRequest, loggedIn: LoggedIn): Answer {
  const page = renderPage(
    {
      status: 200,
      tone: 'info',
      title: 'You are logged in',
      paragraphs: [
        'The login worked. Open the address that you were given: you will get in without another login.',
      ],
      details: identityDetails(deps, loggedIn.identity),
      actions: [],
      requestId: request.requestId,
    },
    deps.brand,
  );
  return withCookies(page, loggedIn.cookies);
}

/** Where a logout may lead, and where a person who only wants to be out can stop. */
export function loggedOutPage(
  deps: LoginDeps,
  request: LoginHttpRequest,
  actions: readonly PageAction[] = [],
): Answer {
  return renderPage(
    {
      status: 200,
      tone: 'info',
      title: 'You are logged out',
      paragraphs: [
        'Your sessions here have ended. You may still be logged in at the provider that you came from.',
      ],
      details: [],
      actions,
      requestId: request.requestId,
    },
    deps.brand,
  );
}

export type LoggedIn = { readonly identity: Identity; readonly cookies: Cookies };

export type FaultPage = {
  readonly error: unknown;
  readonly cookies?: Cookies;
  readonly actions?: readonly PageAction[];
  readonly details?: readonly { readonly label: string; readonly value: string }[];
  /** What the login was for, as it was sealed. */
  readonly target?: AttemptTarget;
};

/**
 * Any fault as its page or problem document. What is not a `ServiceError` is logged and answered as
 * `internal`.
 */
export function faultPage(deps: LoginDeps, request: LoginHttpRequest, fault: FaultPage): Answer {
  const error = asServiceError(fault.error);
  const act = LOGOUT_PATH.test(request.path) ? 'logout' : 'login';
  logFault(deps.log, { act, requestId: request.requestId, path: request.path }, error);
  const answer = faultAnswer(error, {
    page: wantsPage({ method: request.method, headers: (name) => request.headers[name] }),
    brand: deps.brand,
    requestId: request.requestId,
    actions: fault.actions ?? [],
    details: fault.details ?? [],
    ...whatWasAsked(deps, fault.target ?? null),
  });
  return withCookies(answer, fault.cookies ?? []);
}

/** The share's name only where its address says it, too. */
function whatWasAsked(
  { findShare }: LoginDeps,
  target: AttemptTarget,
): { readonly place: string | null; readonly app: string | null } {
  if (target === null || !('shareId' in target)) return NOTHING;
  const url = URL.parse(target.returnUrl);
  if (url === null) return NOTHING;
  const share = findShare(target.shareId);
  const isNamed = share?.enabled === true && url.hostname.startsWith(`${share.name}.`);
  return { place: placeText(url.host, url.pathname), app: isNamed ? share.name : null };
}

/** The provider by the name that the visitor chose it by. */
export function identityDetails(
  deps: Pick<LoginDeps, 'provider'>,
  { email, provider }: Pick<Identity, 'provider' | 'email'>,
) {
  return [
    { label: 'Logged in as', value: email },
    { label: 'Provider', value: deps.provider(provider)?.appearance?.displayName ?? provider },
  ];
}

/** RFC 7517 section 5. Public, and the same for everybody, so it may be kept for a few minutes. */
export function jwksAnswer(jwks: { readonly keys: readonly object[] }): Answer {
  return {
    status: 200,
    headers: [
      ['content-type', 'application/jwk-set+json'],
      ['cache-control', 'public, max-age=300'],
      ['x-content-type-options', 'nosniff'],
    ],
    body: JSON.stringify(jwks),
  };
}

function withCookies(answer: Answer, cookies: Cookies): Answer {
  if (cookies.length === 0) return answer;
  return {
    ...answer,
    headers: [...answer.headers, ...cookies.map((cookie) => ['set-cookie', cookie] as const)],
  };
}

const LOGOUT_PATH = /\/(?:logout|logged-out|backchannel-logout)$/;
const PRIVATE_HEADERS = [
  ['cache-control', 'no-store'],
  ['referrer-policy', 'no-referrer'],
] as const;
const NOTHING = { place: null, app: null };
