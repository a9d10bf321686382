// Everything at the OAuth frontend (contract 4, 5.1; DESIGN 2.2). One file a flow; this one only finds the
// flow. Of what a browser fetches ahead of the person, nothing is done.
//
//                       /<p>/login?request=…            provider             /<p>/auth/callback
//   gate ──sealed request──▶ start.ts ──302 + attempt cookie──▶ (log in) ──302 code, state──▶ callback.ts
//      └─sealed choice─▶ /choose ─┘                                                            │
//                    request forged, over ─▶ 400        state missing, foreign, over, used ─▶ 400, nothing exchanged
//                    provider away        ─▶ 503        access_denied ─▶ 403   other error ─▶ 502   away ─▶ 503
//                                                       email not allowed ─▶ 403 page ──use another account──▶ start.ts
//                                                       third session in 30 s ─▶ loop page
//                                                       no refresh token, and consent may bring one ──302, once──▶ provider
//                                                       allowed ─▶ session row + cookie ──302──▶ /.svc/begin?grant=… at the share's
//                                                                  host (the gate), ─▶ confirmed ──302──▶ the address asked for
//
//   refused page ──/<p>/request-access?statement=…──▶ request-access.ts: a form ──POST, own origin──▶ kept for the admins
//                └/<p>/who-to-ask?statement=…──▶ who-to-ask.ts: the owner, for the account's own people
//
//   [session] ──check interval──▶ recheck.ts ─▶ checked again │ ended: invalid_grant, other subject, other email
//   [session] ──/<p>/logout─────▶ logout.ts  ─▶ ended, tokens revoked, cookie cleared ──302──▶ redirect_url or start.ts
//                                                └ store away ─▶ refused here, cookie cleared; ended when it is back (owed-logout.ts)
//   [sessions] ──/<p>/backchannel-logout, from the provider──▶ backchannel-logout.ts ─▶ ended

import { purposeOf, refuseLookAhead } from '../domain/look-ahead.ts';
import { requireSingleParameters } from '../domain/single-parameters.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Answer } from '../http/answer.ts';
import { faultPage, jwksAnswer, loggedOutPage } from './answers.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import { backchannelLogout } from './backchannel-logout.ts';
import { callback } from './callback.ts';
import { choose } from './choose.ts';
import { logout } from './logout.ts';
import { CHOOSER_PATH, LOGGED_OUT_PATH } from './login-url.ts';
import { loggedOut } from './provider-logout.ts';
import { requestAccess } from './request-access.ts';
import { start } from './start.ts';
import { whoToAsk } from './who-to-ask.ts';

export type Login = (request: LoginHttpRequest) => Promise<Answer>;

/** Answers every request at the OAuth frontend. Never throws: faults are answers of their own. */
export function createLogin(deps: LoginDeps): Login {
  return async (request) => {
    try {
      return await route(deps, request);
    } catch (error) {
      return faultPage(deps, request, { error });
    }
  };
}

async function route(deps: LoginDeps, request: LoginHttpRequest): Promise<Answer> {
  if (request.path === JWKS_PATH) {
    requireMethod(request, ['GET', 'HEAD']);
    return jwksAnswer(deps.jwks);
  }
  if (request.path === LOGGED_OUT_PATH) {
    requireMethod(request, ['GET', 'HEAD']);
    return loggedOutPage(deps, request);
  }
  refuseLookAhead(purposeOf((name) => request.headers[name]));
  if (request.path === CHOOSER_PATH) {
    requireMethod(request, ['GET', 'HEAD']);
    requireSingleParameters(request.query);
    return choose(deps, request);
  }
  const [, name = '', flow = ''] = ROUTE.exec(request.path) ?? [];
  if (flow === '') throw new ServiceError('not_found', 'Cannot answer: no such address');
  const provider = deps.provider(name);
  if (provider === undefined)
    throw new ServiceError('provider_unknown', `Cannot log in: there is no provider ${name}`);
  if (flow === BACKCHANNEL) {
    requireMethod(request, ['POST']);
    return backchannelLogout(deps, provider, request);
  }
  if (flow === REQUEST_ACCESS) {
    requireMethod(request, ['GET', 'POST']);
    requireSingleParameters(request.query);
    return requestAccess(deps, provider, request);
  }
  if (flow === 'who-to-ask') {
    requireMethod(request, ['GET', 'HEAD']);
    requireSingleParameters(request.query);
    return whoToAsk(deps, provider, request);
  }
  // A link checker's HEAD may start a login, which uses nothing up; it must not end one or complete one.
  requireMethod(request, flow === 'login' || flow === 'logged-out' ? ['GET', 'HEAD'] : ['GET']);
  requireSingleParameters(request.query);
  if (flow === 'login') return start(deps, provider, request);
  if (flow === 'logout') return logout(deps, provider, request);
  if (flow === 'logged-out') return loggedOut(deps, provider, request);
  return callback(deps, provider, request);
}

function requireMethod(request: LoginHttpRequest, allowed: readonly string[]): void {
  if (allowed.includes(request.method)) return;
  const allow = allowed.join(', ');
  throw new ServiceError('method_not_allowed', `Cannot answer: only ${allow} is allowed here`, {
    extra: { allow },
  });
}

const JWKS_PATH = '/.well-known/jwks.json';
const BACKCHANNEL = 'backchannel-logout';
const REQUEST_ACCESS = 'request-access';
const ROUTE =
  /^\/([a-z0-9-]{1,40})\/(login|logout|logged-out|auth\/callback|backchannel-logout|request-access|who-to-ask)$/;

/** Whether a body is read there: logout tokens of providers, and requests for access. */
export function takesBody({ method, path }: Pick<LoginHttpRequest, 'method' | 'path'>): boolean {
  const flow = ROUTE.exec(path)?.[2];
  return method === 'POST' && (flow === BACKCHANNEL || flow === REQUEST_ACCESS);
}
