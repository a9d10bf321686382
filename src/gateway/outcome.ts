// What happens to a request once it is decided: forwarded with its identity, sent to log in, told who is logged in, refused.

import { newId } from '../domain/id.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { SessionId } from '../domain/id.ts';
import type { LiveSession } from '../domain/session.ts';
import { GUARD_HEADERS } from '../http/content-security.ts';
import { appendForwardingHeaders } from './forwarding-headers.ts';
import { forward, type ForwardHooks } from './forward.ts';
import type { Admission, Outcomes } from './gate.ts';
import type { GateParts } from './gate-parts.ts';
import type { GuardedRequest } from './guard.ts';
import { HOP_MARKER } from './header-kind.ts';
import { appendIdentityHeaders, rfc3339 } from './identity-headers.ts';
import { bindingOf, loginAnswerKind, loginUrl, returnUrlOf, type Binding } from './login-answer.ts';
import type { Grant } from './open-streams.ts';
import { asServiceError, refuse, sendAnswer } from './refuse.ts';
import { stripRequest, type StripRules } from './strip.ts';
import type { Upstream } from './upstream/upstream.ts';
import type { Visit } from './visit.ts';

export type OutcomeOptions = {
  readonly parts: () => GateParts;
  readonly upstream: Upstream;
  readonly hooks: ForwardHooks;
  readonly seen: (id: SessionId, at: number) => void;
  /** Called for every refused email; the receiver bounds how many it keeps. */
  readonly audit: (event: AuditEvent) => void;
  /** Logs a fault with its cause. */
  readonly report: (visit: Visit, error: ServiceError) => void;
  readonly draining: () => boolean;
};

export function createOutcomes(options: OutcomeOptions): Outcomes {
  const fail = (visit: Visit, error: unknown) => {
    const fault = asServiceError(error);
    options.report(visit, fault);
    if (visit.closed) return;
    try {
      if (!visit.exchange.headSent) refuse(visit, options.parts().settings.brand, fault);
      else visit.exchange.abort();
    } catch (second) {
      options.report(visit, asServiceError(second));
      visit.exchange.abort();
    }
  };
  return {
    fail,
    inside: (visit, request, socketPath) => forwardInside(options, { visit, request }, socketPath),
    forward: (admission, session) => forwardToBackend(options, admission, session),
    session: answerSession,
    logout: answerLogout,
    login: answerLogin,
    uncheckable: answerUncheckable,
    emailRefused: (admission, email) => {
      options.audit(refusalEvent(admission, email));
      answerEmailRefused(admission, email);
    },
  };
}

type Arrived = { readonly visit: Visit; readonly request: GuardedRequest };

/** The service's own hosts: stripped and told of the connection like any backend, but with their cookies, both ways. */
function forwardInside(options: OutcomeOptions, arrived: Arrived, socketPath: string): void {
  const parts = options.parts();
  const { visit, request } = arrived;
  forward(
    options.upstream,
    visit,
    {
      ...planOf(options, arrived),
      origin: parts.backends.ofSocket(socketPath),
      headers: baseHeaders(parts, arrived, parts.insideStrip),
      target: request.target,
      answerRules: null,
      corsOrigin: null,
      grant: null,
    },
    options.hooks,
  );
}

function forwardToBackend(options: OutcomeOptions, admission: Admission, session: LiveSession | null): void {
  const { visit, request, share, facts, parts, corsOrigin } = admission;
  const headers = baseHeaders(parts, admission, parts.shareStrip);
  if (session !== null) {
    const now = Date.now();
    visit.email = session.email;
    options.seen(session.id, now);
    appendIdentity(headers, admission, { session, now });
  }
  const grant: Grant = {
    facts,
    session: admission.session,
    share,
    state: session,
    dueAt: 0,
    learning: false,
  };
  forward(
    options.upstream,
    visit,
    {
      ...planOf(options, admission),
      origin: parts.backends.ofTarget(share.target),
      headers,
      target: request.target,
      answerRules: { ownCookies: parts.ownCookies, host: request.host },
      corsOrigin,
      grant,
    },
    options.hooks,
  );
}

function planOf(options: OutcomeOptions, { visit, request }: Arrived) {
  return {
    body: request.webSocket ? ('none' as const) : request.body,
    trailersAllowed: visit.facts.te !== null && /\btrailers\b/i.test(visit.facts.te),
    webSocket: request.webSocket,
    closeAfter: options.draining(),
    kinds: options.parts().kinds,
  };
}

function baseHeaders(parts: GateParts, { visit, request }: Arrived, rules: StripRules): string[] {
  const { exchange, facts } = visit;
  const headers = stripRequest(rules, {
    rawHeaders: exchange.rawHeaders,
    connection: facts.connection,
    host: request.authority,
    expectsContinue: exchange.expectsContinue && request.body !== 'none',
  });
  appendForwardingHeaders(headers, {
    visitor: visit.visitor,
    scheme: parts.base.scheme,
    port: parts.base.port,
    authority: request.authority,
    requestId: visit.id,
  });
  headers.push(HOP_MARKER, facts.hop === null ? parts.hopId : hops(facts.hop, parts.hopId));
  return headers;
}

/** Several installations may stand behind each other, but not many. */
function hops(former: string, own: string): string {
  if (former.length > MAX_HOPS_CHARACTERS)
    throw new ServiceError('loop_detected', 'Cannot forward a request: it came through too many gateways');
  return `${former}, ${own}`;
}

function appendIdentity(
  headers: string[],
  { share, parts }: Admission,
  { session, now }: { readonly session: LiveSession; readonly now: number },
): void {
  const provider = share.login?.provider?.name;
  if (provider === undefined)
    throw new ServiceError('internal', 'Cannot write identity headers: the share has no provider');
  const audience = parts.originOf(share.hosts[0] ?? '');
  const assertion = parts.assertions({ session, provider, audience }, now);
  appendIdentityHeaders(headers, {
    prefix: parts.settings.identityHeaderPrefix,
    provider,
    session,
    assertion,
  });
}

/** DESIGN 2.3: `{provider,email,expires,logout_url}`. */
function answerSession(
  { visit, share, request, parts, corsOrigin }: Admission,
  session: LiveSession | null,
): void {
  if (visit.exchange.method !== 'GET' && visit.exchange.method !== 'HEAD') throw methodNotAllowed();
  if (session === null) throw new ServiceError('not_found', 'Cannot show a session: this share has no login');
  const content = {
    provider: share.login?.provider?.name ?? null,
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

/** To the logout of the provider that the share names; `redirect_url` is judged there (contract 4.2). */
function answerLogout({ visit, share, request, parts }: Admission): void {
  if (visit.exchange.method !== 'GET' && visit.exchange.method !== 'HEAD') throw methodNotAllowed();
  const name = share.login?.provider?.name ?? share.login?.providerName ?? '';
  const query = request.target.indexOf('?');
  const location = `${parts.settings.endpointUrl.replace(/\/+$/, '')}/${encodeURIComponent(name)}/logout`;
  sendAnswer(visit, {
    status: 302,
    headers: [['location', location + (query < 0 ? '' : request.target.slice(query))], ...GUARD_HEADERS],
    body: null,
  });
}

function answerLogin(admission: Admission): void {
  const { visit, request, parts, facts, route } = admission;
  const { method } = visit.exchange;
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
      headers: [['location', url], ...GUARD_HEADERS, ...bindingHeaders(binding)],
      body: null,
    });
}

function answerUnauthorized({ visit, parts, corsOrigin }: Admission, url: string, binding: Binding): void {
  const error = new ServiceError('login_required', 'Cannot go on without a login', {
    hint: 'Open login_url in a browser.',
    extra: { login_url: url },
  });
  const headers = [...bindingHeaders(binding), ...corsHeaders(corsOrigin)];
  refuse(visit, parts.settings.brand, error, { page: false, headers });
}

/** People log in again; programs come back later: the session is as good as it was. */
function answerUncheckable(admission: Admission): void {
  const { visit, request, route } = admission;
  const kind = loginAnswerKind(visit.exchange.method, request.webSocket, visit.facts);
  if (route === null && kind !== 'unauthorized') answerLogin(admission);
  else throw new ServiceError('recheck_unavailable', 'Cannot check a session: the provider does not answer');
}

function answerEmailRefused(admission: Admission, email: string | null): void {
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
      details: email === null ? [] : [{ label: 'Signed in as', value: email }],
      actions: [{ label: 'Use another account', href, primary: true }],
      headers: bindingHeaders(binding),
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
  return loginUrl(parts.seal, {
    endpointUrl: parts.settings.endpointUrl,
    shareId: share.id,
    providerName,
    returnUrl: wish.returnUrl,
    bindingHash: wish.binding.hash,
    selectAccount: wish.selectAccount,
    expiresAt: Date.now() + parts.settings.intermediateLifetimeMs,
  });
}

type HeaderList = readonly (readonly [name: string, value: string])[];

function bindingHeaders({ setCookie }: Binding): HeaderList {
  return setCookie === null ? [] : [['set-cookie', setCookie]];
}

function corsHeaders(origin: string | null): HeaderList {
  if (origin === null) return [];
  return [
    ['access-control-allow-origin', origin],
    ['access-control-allow-credentials', 'true'],
    ['vary', 'Origin'],
  ];
}

function refusalEvent({ visit, share, session }: Admission, email: string | null): AuditEvent {
  return {
    id: newId('evt'),
    at: Date.now(),
    kind: 'login.refused',
    accountId: share.accountId,
    shareId: share.id,
    sessionId: session?.id ?? null,
    provider: share.login?.provider?.name ?? null,
    email,
    actor: null,
    ip: visit.visitor.address,
    requestId: visit.id,
    reason: 'email_refused',
  };
}

function methodNotAllowed(): ServiceError {
  return new ServiceError('method_not_allowed', 'Cannot use this method here', {
    extra: { allow: 'GET, HEAD' },
  });
}

/** Room for about ten installations. */
const MAX_HOPS_CHARACTERS = 256;
