// The answers that the gate gives itself on a share: who is logged in, where to log out, where to log in, and that an address
// is not let in (DESIGN 2.3, 3).

import { refuseLookAhead } from '../domain/look-ahead.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { LiveSession } from '../domain/session.ts';
import { GUARD_HEADERS } from '../http/content-security.ts';
import { sealLoginRequest } from '../login/login-request.ts';
import { loginUrl } from '../login/login-url.ts';
import type { Admission } from './gate.ts';
import { rfc3339 } from './identity-headers.ts';
import { bindingOf, surplusBindings, type Binding } from './binding.ts';
import { loginAnswerKind, returnUrlOf } from './login-answer.ts';
import { refuse, sendAnswer } from './refuse.ts';
import type { Visit } from './visit.ts';

/** DESIGN 2.3: `{provider,email,expires,logout_url}`. */
export function answerSession(admission: Admission, session: LiveSession | null): void {
  const { visit, share, request, parts, corsOrigin } = admission;
  if (visit.exchange.method !== 'GET' && visit.exchange.method !== 'HEAD') throw methodNotAllowed();
  if (share.login === null)
    throw new ServiceError('not_found', 'Cannot show a session: this share has no login');
  // Whoever came by certificate alone is not logged in.
  if (session === null) return answerLogin(admission);
  const content = {
    provider: share.login.provider?.name ?? null,
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

/** To the logout of that provider; `redirect_url` is judged there (contract 4.2). */
export function answerLogout({ visit, request, parts }: Admission, providerName: string): void {
  if (visit.exchange.method !== 'GET' && visit.exchange.method !== 'HEAD') throw methodNotAllowed();
  const query = request.target.indexOf('?');
  const location = `${parts.endpointUrl.origin}/${encodeURIComponent(providerName)}/logout`;
  sendAnswer(visit, {
    status: 302,
    headers: [['location', location + (query < 0 ? '' : request.target.slice(query))], ...GUARD_HEADERS],
    body: null,
  });
}

export function answerLogin(admission: Admission): void {
  const { visit, request, parts, facts, route } = admission;
  const { method } = visit.exchange;
  refuseLookAhead(facts.purpose);
  // Whoever asks who is logged in wants to be told, not sent away.
  const kind = route === null ? loginAnswerKind(method, request.webSocket, visit.facts) : 'unauthorized';
  const binding = bindingOf(facts.bindingHash, parts.secure);
  const returnUrl = returnUrlOf(facts.ownOrigin, route === null ? request.target : '/', {
    kind,
    referer: visit.facts.referer,
  });
  const url = loginUrlFor(admission, { binding, returnUrl, selectAccount: false });
  visit.reason = 'login_required';
  if (kind === 'unauthorized') answerUnauthorized(admission, url, binding);
  else
    sendAnswer(visit, {
      status: kind === 'see-other' ? 303 : 302,
      headers: [['location', url], ...GUARD_HEADERS, ...bindingHeaders(visit, binding)],
      body: null,
    });
}

function answerUnauthorized({ visit, parts, corsOrigin }: Admission, url: string, binding: Binding): void {
  const error = new ServiceError('login_required', 'Cannot go on without a login', {
    hint: 'Open login_url in a browser.',
    extra: { login_url: url },
  });
  const headers = [...bindingHeaders(visit, binding), ...corsHeaders(corsOrigin)];
  refuse(visit, parts.settings.brand, error, { page: false, headers });
}

/** People log in again; programs come back later: the session is as good as it was. */
export function answerUncheckable(admission: Admission): void {
  const { visit, request, route } = admission;
  const kind = loginAnswerKind(visit.exchange.method, request.webSocket, visit.facts);
  if (route === null && kind !== 'unauthorized') answerLogin(admission);
  else throw new ServiceError('recheck_unavailable', 'Cannot check a session: the provider does not answer');
}

export function answerEmailRefused(admission: Admission, email: string | null): void {
  const { visit, parts, facts } = admission;
  const binding = bindingOf(facts.bindingHash, parts.secure);
  const returnUrl = returnUrlOf(facts.ownOrigin, admission.request.target, {
    kind: 'redirect',
    referer: null,
  });
  const href = loginUrlFor(admission, { binding, returnUrl, selectAccount: true });
  visit.email = email;
  refuse(
    visit,
    parts.settings.brand,
    new ServiceError('email_refused', 'Cannot let this address in: no pattern of the share matches it'),
    {
      details: email === null ? [] : [{ label: 'Logged in as', value: email }],
      actions: [{ label: 'Use another account', href, primary: true }],
      headers: bindingHeaders(visit, binding),
    },
  );
}

function loginUrlFor(
  { share, parts }: Admission,
  wish: { readonly binding: Binding; readonly returnUrl: string; readonly selectAccount: boolean },
): string {
  const providerName = share.login?.provider?.name;
  if (providerName === undefined)
    throw new ServiceError('provider_unusable', 'Cannot log anybody in: the share has no provider');
  const sealed = sealLoginRequest(parts.seal, {
    shareId: share.id,
    providerName,
    returnUrl: wish.returnUrl,
    bindingHash: wish.binding.hash,
    selectAccount: wish.selectAccount,
    expiresAt: Date.now() + parts.settings.intermediateLifetimeMs,
  });
  return loginUrl(parts.endpointUrl, providerName, sealed);
}

type HeaderList = readonly (readonly [name: string, value: string])[];

/** A new binding cookie, or those taken back that are too many. */
function bindingHeaders({ facts }: Visit, { setCookie, hash }: Binding): HeaderList {
  if (hash === null) return [];
  const all = setCookie === null ? surplusBindings(facts.cookie, hash) : [setCookie];
  return all.map((value) => ['set-cookie', value]);
}

function corsHeaders(origin: string | null): HeaderList {
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
