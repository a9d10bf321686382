// The gate in walking order: guard → route → session → decide → answer or forward. A request of a known
// session passes without a question, a query or a wait. Whatever goes wrong with one request ends that
// request only.

import { decide, type Decision, type RequestFacts, sessionProvider } from '../domain/decision.ts';
import { isCertificateRefusal, type CertificateFacts } from '../domain/client-certificate.ts';
import { ServiceError } from '../domain/service-error.ts';
import { refuseLookAhead } from '../domain/look-ahead.ts';
import { hostOrigin } from '../domain/share-name.ts';
import { liveSession, type Session, type SessionState } from '../domain/session.ts';
import type { Share } from '../domain/share.ts';
import { asksToken } from '../domain/share-rules.ts';
import type { Admission, Outcomes } from './admission.ts';
import { answerBegun, readBeginning } from './begin-answer.ts';
import { bindingsIn, NO_BINDINGS, type Bindings } from './binding.ts';
import { allowedOrigin, preflightAnswer } from './cors.ts';
import { visitorOf } from './forwarding-headers.ts';
import type { GateParts } from './gate-parts.ts';
import { guard, type GuardedRequest } from './guard.ts';
import type { HostReader } from './host-reader.ts';
import { type Question, questionAt } from './forward-auth/dialects.ts';
import type { ForwardedCertificates } from './forward-auth/forwarded-certificate.ts';
import { ToldExchange } from './forward-auth/told-exchange.ts';
import { requireToldOf, toldVisit } from './forward-auth/told-visit.ts';
import type { Exchange } from './inbound.ts';
import { returnUrlWithin } from './login-answer.ts';
import { ownRoute } from './own-routes.ts';
import { sendAnswer } from './refuse.ts';
import type { RouteTable } from './route-table.ts';
import { answerSessionScript } from './session-script.ts';
import type { SessionStates } from './session-states.ts';
import type { ClientPolicies } from './tls-front.ts';
import type { Trust } from './trust.ts';
import type { TokenJudge } from './token-judge.ts';
import { isTunnelProtocol } from '../tunnel/wire.ts';
import type { TunnelDoor } from './tunnel-door.ts';
import { traceOf } from './tracing.ts';
import { isRequestId, Visit } from './visit.ts';

export type GateOptions = {
  readonly parts: () => GateParts;
  readonly hostOf: HostReader;
  readonly routes: RouteTable;
  readonly states: SessionStates;
  readonly trust: Trust;
  readonly policies: ClientPolicies;
  /** At the listener for agents alone. */
  readonly agentPolicies: ClientPolicies;
  readonly tokenOf: TokenJudge;
  /** As proxies pass them on. */
  readonly certificates: ForwardedCertificates;
  readonly storeAway: () => boolean;
  /**
   * The name of an account's provider by its generation; null when there is none, or it cannot be had now.
   */
  readonly providerOf: (share: Share, generation: string) => Promise<string | null>;
  readonly nextRequestId: () => string;
  readonly outcomes: Outcomes;
  /** An agent asks for a tunnel. */
  readonly tunnel: TunnelDoor['take'];
  readonly finished: (visit: Visit, complete: boolean) => void;
  readonly decided: (kind: ReturnType<typeof decide>['kind']) => void;
};

/** Handles one request; never throws. */
export type Gate = (exchange: Exchange) => void;

export function createGate(options: GateOptions): Gate {
  return gateOf(options, (visit) => walk(options, visit));
}

/** What stands at the listener for agents alone: nothing of a share is reached there. */
export function createTunnelGate(options: GateOptions): Gate {
  return gateOf(options, (visit) => {
    const request = enter(options, visit);
    requireOwnPolicy({ policies: options.agentPolicies }, visit, request);
    if (!isTunnelProtocol(visit.exchange.upgrade))
      throw new ServiceError('misdirected', 'Cannot answer here: this address is only for agents');
    options.tunnel(visit, request, 'own');
  });
}

function gateOf(options: GateOptions, walkOne: (visit: Visit) => void): Gate {
  const { outcomes } = options;
  return (exchange) => {
    const visit = new Visit(exchange, options.nextRequestId());
    exchange.events.onClose = (complete) => options.finished(visit, complete);
    try {
      walkOne(visit);
    } catch (error) {
      outcomes.fail(visit, error);
    }
  };
}

function enter(options: GateOptions, visit: Visit): GuardedRequest {
  const parts = options.parts();
  const request = guard(visit.exchange, visit.facts, options.hostOf);
  visit.request = request;
  const { tracing } = parts.settings;
  if (tracing !== undefined) visit.trace = traceOf(tracing, visit, parts.isTrusted(visit.visitor.address));
  meet(visit, parts);
  if (visit.facts.hop?.includes(parts.hopId) === true)
    throw new ServiceError('loop_detected', 'Cannot forward a request: it already came through this gateway');
  return request;
}

function walk(options: GateOptions, visit: Visit): void {
  const parts = options.parts();
  const request = enter(options, visit);
  requireOwnPolicy(options, visit, request);
  const question = questionAt(request.target);
  if (question !== null) {
    answerProxy(options, { visit, request, parts }, question);
    return;
  }
  const socketPath = parts.inside.get(request.host);
  if (isTunnelProtocol(visit.exchange.upgrade)) options.tunnel(visit, request, 'gateway');
  else if (socketPath !== undefined) options.outcomes.inside(visit, request, socketPath);
  else {
    const admission = admissionOf(options, { visit, request, parts });
    if (admission !== null) admit(options, admission);
  }
}

/** The same walk, about the request that a proxy tells of. From here on that is the visit. */
function answerProxy(options: GateOptions, asked: Arrived, question: Question): void {
  const told = toldVisit(options, { ...asked, question });
  asked.visit.exchange.events.onClose = (complete) => options.finished(told, complete);
  try {
    const request = guard(told.exchange, told.facts, options.hostOf);
    told.request = request;
    const admission = admissionOf(options, { visit: told, request, parts: asked.parts });
    if (admission !== null) admit(options, admission);
  } catch (error) {
    options.outcomes.fail(told, error);
  }
}

/**
 * What the handshake asked for must be what this host asks for (RFC 9110 section 15.5.20): its server name
 * was another.
 */
function requireOwnPolicy(
  { policies }: Pick<GateOptions, 'policies'>,
  { exchange }: Visit,
  { host }: GuardedRequest,
): void {
  const { policy } = exchange.connection;
  if (policy === null || policy === policies.of(host)) return;
  throw new ServiceError(
    'misdirected',
    'Cannot answer for this host here: the connection is for another host',
    {
      hint: 'Open a separate connection for this host, and name it in the handshake (SNI).',
    },
  );
}

/** Who the visitor is, as far as trusted proxies say more than the connection. */
function meet(visit: Visit, parts: GateParts): void {
  const { forwardedFor, requestId } = visit.facts;
  if (forwardedFor === null && requestId === null) return;
  const { remoteAddress } = visit.exchange;
  const isTrusted = parts.isTrusted(visit.visitor.address);
  visit.visitor = visitorOf(remoteAddress, forwardedFor, parts.isTrusted);
  if (isTrusted && requestId !== null && isRequestId(requestId)) visit.id = requestId;
}

type Arrived = { readonly visit: Visit; readonly request: GuardedRequest; readonly parts: GateParts };

/** Null when it was answered already. */
function admissionOf(options: GateOptions, { visit, request, parts }: Arrived): Admission | null {
  const share = options.routes.findByHost(request.host);
  if (share === undefined || !share.enabled)
    throw new ServiceError('share_unknown', 'Cannot find a share: no share answers at this host');
  visit.share = share;
  const route = ownRoute(request.target);
  const told = visit.exchange instanceof ToldExchange ? visit.exchange : null;
  if (told !== null) requireToldOf(share, visit);
  if (route === 'script') {
    answerSessionScript(visit);
    return null;
  }
  // A logout only shows the way to where it is done, which needs no store either (contract 4.2).
  if (options.storeAway() && route !== 'logout')
    throw new ServiceError('store_unavailable', 'Cannot grant access: the gateway has no current data');
  if (route === 'unknown' || (route !== null && share.login === null))
    throw new ServiceError('not_found', 'Cannot find this path: it is reserved');
  if (route !== null) refuseLookAhead(visit.facts.purpose);
  const corsOrigin = allowedOrigin(share, visit.facts.origin);
  // A proxy can pass no answer on that lets nobody in and yet says 204.
  const preflight = told === null ? preflightAnswer(visit.exchange.method, corsOrigin, visit.facts) : null;
  if (preflight !== null) {
    sendAnswer(visit, preflight);
    return null;
  }
  if (share.behind && told === null && route === null)
    throw new ServiceError(
      'share_behind_proxy',
      'Cannot forward a request: the app is behind its own proxy',
      {
        hint: 'Open the address of the share, which leads to that proxy.',
      },
    );
  // Own pages are about sessions alone.
  const token = route === null && asksToken(share) ? options.tokenOf(visit, share) : null;
  visit.token = token?.name ?? null;
  const { cookie } = visit.facts;
  const bindings = parts.secure && share.login !== null ? bindingsIn(cookie) : NO_BINDINGS;
  const sessions =
    share.login === null || token !== null
      ? NONE
      : parts.sessionsOf({ cookie, host: request.host, shareId: share.id, bindings });
  const session = sessions[0] ?? null;
  const others = sessions.length < 2 ? NONE : sessions.slice(1);
  const facts = requestFacts(
    { visit, request, parts },
    {
      route,
      bindingHash: bindingFor(session, bindings),
      certificate: certificateOf(options, visit),
      token: token?.name ?? null,
    },
  );
  return {
    visit,
    request,
    share,
    facts: told !== null && session !== null ? withKnownSite(facts) : facts,
    session,
    token,
    others,
    route,
    corsOrigin,
    parts,
  };
}

/**
 * Between a browser and here stands a proxy that may have dropped what tells other sites' pages apart. Of a
 * request with a session nobody then knows whose page made it.
 */
function withKnownSite(facts: RequestFacts): RequestFacts {
  return facts.secure && facts.fetchSite === null ? { ...facts, fetchSite: 'unknown' } : facts;
}

/** Without the query. */
function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}

/** A page of our own has no path that rules speak of, but for a login: that leads to one. */
function comesTo({ request, parts }: Arrived, route: Admission['route']): string | null {
  if (route === null) return pathOf(request.target);
  if (route !== 'login') return null;
  const ownOrigin = hostOrigin(request.host, parts.base);
  return pathOf(returnUrlWithin(ownOrigin, request.target).slice(ownOrigin.length));
}

/** The binding cookie that the session is bound to, else any that the browser has. */
function bindingFor(session: Session | null, bindings: Bindings): string | null {
  const hash = session?.bindingHash ?? null;
  return hash !== null && bindings.has(hash) ? hash : bindings.any();
}

/** The connection's certificate as it stands now. */
function certificateOf({ trust }: GateOptions, { exchange }: Visit): CertificateFacts | null {
  const { certificate } = exchange.connection;
  return certificate === null ? null : trust.judge(certificate, Date.now());
}

type Credentials = Pick<RequestFacts, 'bindingHash' | 'certificate' | 'token'> & Pick<Admission, 'route'>;

function requestFacts(
  { visit, request, parts }: Arrived,
  { route, bindingHash, certificate, token }: Credentials,
): RequestFacts {
  const { fetchSite, fetchMode, fetchDest, purpose, referer, origin } = visit.facts;
  return {
    // As the backend hears it: over HTTP/2 a WebSocket is asked for by CONNECT (RFC 8441 section 5).
    method: request.webSocket ? 'GET' : visit.exchange.method,
    path: comesTo({ visit, request, parts }, route),
    address: visit.visitor.address,
    upgrade: request.webSocket,
    fetchSite,
    fetchMode,
    fetchDest,
    purpose,
    referer,
    origin,
    ownOrigin: hostOrigin(request.host, parts.base),
    secure: parts.secure,
    bindingHash,
    certificate,
    token,
  };
}

function admit(options: GateOptions, admission: Admission): void {
  const { session } = admission;
  if (admission.route === 'logout') logout(options, admission);
  else if (admission.route === 'begin') begin(options, admission);
  else if (session === null) act(options, admission, null);
  else {
    const state = options.states.known(session.id);
    if (state !== undefined) actOrTryNext(options, admission, state);
    else void later(options, admission, { question: options.states.ask(session.id), next: actOrGiveUp });
  }
}

/**
 * At the provider of the session, which the share may have changed since: there it is that somebody is logged
 * in. A browser that has a session of the present one leaves that.
 */
function logout(options: GateOptions, admission: Admission): void {
  const { share, session, others } = admission;
  const found = session === null ? NONE : [session, ...others];
  const present = found.map((each) => sessionProvider(share, each)).find((each) => each !== null);
  const name = present ?? share.login?.providers[0]?.name ?? '';
  if (session === null || present !== undefined) options.outcomes.logout(admission, name);
  else {
    const question = options.providerOf(share, session.providerGeneration);
    void later(options, admission, {
      question,
      next: (_options, leaving, former) => options.outcomes.logout(leaving, former ?? name),
    });
  }
}

function begin(options: GateOptions, admission: Admission): void {
  const beginning = readBeginning(admission, Date.now());
  const { question } = beginning;
  if (question === null) {
    answerBegun(admission, beginning);
    return;
  }
  const next: Next = (_options, begun, state) => {
    if (state === null)
      throw new ServiceError(
        'store_unavailable',
        'Cannot begin a session: it cannot be confirmed at the moment',
      );
    answerBegun(begun, beginning, state);
  };
  void later(options, admission, { question: options.states.confirm(question), next });
}

/**
 * A session that ended, or that its browser has not confirmed, gives way to the next that the browser has: an
 * old cookie may outlive what is in it, and a login that was only led to the callback takes nothing's place.
 */
function actOrTryNext(options: GateOptions, admission: Admission, state: SessionState): void {
  const session = state.ended || !state.confirmed ? admission.others[0] : undefined;
  if (session === undefined) {
    act(options, admission, state);
    return;
  }
  const { visit, parts, facts } = admission;
  const others = admission.others.slice(1);
  const bindings = parts.secure ? bindingsIn(visit.facts.cookie) : NO_BINDINGS;
  const bindingHash = bindingFor(session, bindings);
  admit(options, { ...admission, session, others, facts: { ...facts, bindingHash } });
}

function actOrGiveUp(options: GateOptions, admission: Admission, state: SessionState | null): void {
  if (state === null)
    throw new ServiceError('store_unavailable', 'Cannot grant access: the session cannot be looked up');
  actOrTryNext(options, admission, state);
}

type Next<Answer = SessionState> = (
  options: GateOptions,
  admission: Admission,
  answer: Answer | null,
) => void;

/**
 * Goes on when the main thread has answered, with the share and the certificate as they are then; unless the
 * visitor left meanwhile.
 */
async function later<Answer>(
  options: GateOptions,
  admission: Admission,
  { question, next }: { readonly question: Promise<Answer | null>; readonly next: Next<Answer> },
): Promise<void> {
  try {
    const answer = await question;
    if (admission.visit.closed) return;
    const share = options.routes.findById(admission.share.id);
    if (share === undefined) throw new ServiceError('share_unknown', 'Cannot find a share: it was deleted');
    const facts = { ...admission.facts, certificate: certificateOf(options, admission.visit) };
    next(options, { ...admission, share, facts }, answer);
  } catch (error) {
    options.outcomes.fail(admission.visit, error);
  }
}

function act(options: GateOptions, admission: Admission, state: SessionState | null): void {
  const { outcomes } = options;
  const { share, session, facts, route } = admission;
  const now = Date.now();
  const live = session === null || state === null ? null : liveSession(session, state);
  const decision = decide(share, live, facts, now);
  if (route === 'login') {
    loginAt(options, admission, decision);
    return;
  }
  options.decided(decision.kind);
  if (admission.visit.trace !== null) admission.visit.trace.decision = decision.kind;
  if (decision.kind === 'forward') {
    if (decision.checkSoon && live !== null) options.states.checkSoon(live.id);
    if (route === 'session') outcomes.session(admission, decision.session);
    else if (admission.visit.exchange instanceof ToldExchange)
      outcomes.authorize(admission, admission.visit.exchange, decision);
    else outcomes.forward(admission, decision);
  } else if (admission.token !== null && isForPeople(decision))
    outcomes.tokenRefused(admission, admission.token);
  else if (decision.kind === 'login') outcomes.login(admission, decision);
  else if (decision.kind === 'recheck') {
    const question = options.states.check(decision.session.id);
    void later(options, admission, { question, next: actChecked });
  } else if (
    decision.email !== null &&
    (decision.code === 'email_refused' || decision.code === 'rule_refused')
  )
    outcomes.personRefused(admission, {
      code: decision.code,
      email: decision.email,
      rule: 'rule' in decision ? decision.rule : null,
    });
  else if (isCertificateRefusal(decision.code)) outcomes.certificateRefused(admission, decision.code);
  else throw new ServiceError(decision.code, REFUSALS[decision.code]);
}

/**
 * Whoever needs a login for that address goes to one, as from the address itself; a new one beside one that
 * is good, the person asks for, or a page of the share.
 */
function loginAt({ outcomes }: GateOptions, admission: Admission, decision: Decision): void {
  if (decision.kind === 'login') outcomes.login(admission, decision);
  else outcomes.loginAgain(admission);
}

/** No login helps a program, and whoever shows a valid token is told that it is not let in. */
function isForPeople(decision: Decision): boolean {
  return decision.kind === 'login' || (decision.kind === 'refuse' && decision.code === 'rule_refused');
}

/** After a check: decided once more. A session that is due again at once cannot be checked. */
function actChecked(options: GateOptions, admission: Admission, state: SessionState | null): void {
  const { share, session, facts } = admission;
  const live = session === null || state === null ? null : liveSession(session, state);
  if (live === null || decide(share, live, facts, Date.now()).kind === 'recheck')
    options.outcomes.uncheckable(admission);
  else act(options, admission, state);
}

const NONE: readonly Session[] = [];
const REFUSALS = {
  share_unknown: 'Cannot find a share: no share answers at this host',
  provider_unusable: 'Cannot log in: the provider of this share does not exist',
  foreign_origin: 'Cannot accept a request: a page of another site made it',
  ambiguous_path: 'Cannot accept a request: its path can be read as more than one',
  email_refused: 'Cannot let anybody in: nobody is logged in',
  rule_refused: 'Cannot let anybody in: no rule lets in who asks, or one refuses them',
} as const;
