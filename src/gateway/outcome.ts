// What happens to a request once it is decided: forwarded, with its identity or inside; or answered
// (`own-answers.ts`), refused, and noted.

import { type Actor, SYSTEM } from '../domain/actor.ts';
import { type AuditEvent, auditEvent, type PlainHappening } from '../domain/audit-event.ts';
import type { CertificateUse } from '../domain/certificate-use.ts';
import { logsConnectionIn } from '../domain/connection-login.ts';
import { TARGET_HOST } from '../domain/host-header.ts';
import { asServiceError, type FaultCode, ServiceError } from '../domain/service-error.ts';
import type { SessionId } from '../domain/id.ts';
import type { ServiceToken, ServiceTokenUse } from '../domain/service-token.ts';
import { sessionProvider } from '../domain/decision.ts';
import type { Share } from '../domain/share.ts';
import { rulesOfShare } from '../domain/share-rules.ts';
import { INSIDE_CERTIFICATE, insideCertificateText } from './inside-certificate.ts';
import { appendForwardingHeaders } from './forwarding-headers.ts';
import { forward, type ForwardHooks, type Send } from './forward.ts';
import type { Admission, Grounds, Outcomes } from './admission.ts';
import { appCredentials } from './forward-auth/app-credentials.ts';
import type { ToldExchange } from './forward-auth/told-exchange.ts';
import { requireToldOf } from './forward-auth/told-visit.ts';
import type { GateParts } from './gate-parts.ts';
import { isGrpc } from './grpc-answer.ts';
import type { GuardedRequest } from './guard.ts';
import { HOP_MARKER } from './header-kind.ts';
import { createNetworks, type Networks } from './networks.ts';
import type { Grant } from './open-streams.ts';
import { answerCertificateRefused } from './certificate-answer.ts';
import {
  answerLogin,
  answerLoginAgain,
  answerLogout,
  answerPersonRefused,
  answerSession,
  answerUncheckable,
} from './own-answers.ts';
import type { Outages } from './outages.ts';
import { refuse } from './refuse.ts';
import { PORTION, TUNNEL_PORTION } from './seats.ts';
import { stripRequest, type StripRules } from './strip.ts';
import type { WrittenFields } from './upstream/written-fields.ts';
import type { Edge } from '../tunnel/edge.ts';
import { valuesOf } from './flat-headers.ts';
import { tunnelTo } from './tunnel-way.ts';
import type { TargetOrigin } from './backends.ts';
import { writeTrace } from './tracing.ts';
import type { Upstream } from './upstream/upstream.ts';
import type { UpstreamOrigin } from './upstream/upstream-request.ts';
import type { Visit } from './visit.ts';
import { refusingRule } from '../domain/refusing-rule.ts';

export type OutcomeOptions = {
  readonly parts: () => GateParts;
  readonly upstream: Upstream;
  readonly edge: Edge;
  readonly hooks: ForwardHooks;
  readonly seen: (id: SessionId, at: number) => void;
  readonly certificateSeen: (use: CertificateUse) => void;
  readonly tokenSeen: (use: ServiceTokenUse) => void;
  /** Called for every refused email, certificate and token; the receiver bounds how many it keeps. */
  readonly audit: (event: AuditEvent) => void;
  /** Logs a fault with its cause. */
  readonly report: (visit: Visit, error: ServiceError) => void;
  readonly draining: () => boolean;
  readonly outages: Outages;
};

export function createOutcomes(options: OutcomeOptions): Outcomes {
  const fail = (visit: Visit, error: unknown) => {
    const fault = asServiceError(error, UNEXPECTED);
    options.report(visit, fault);
    if (visit.closed) return;
    try {
      if (!visit.exchange.headSent) {
        const againSeconds = againAfter(options.outages, visit, fault);
        refuse(visit, options.parts().settings.brand, fault, { againSeconds });
      } else visit.exchange.abort();
    } catch (second) {
      options.report(visit, asServiceError(second, UNEXPECTED));
      visit.exchange.abort();
    }
  };
  const forwarding: ForwardOptions = { ...options, networks: createNetworks() };
  return {
    fail,
    inside: (visit, request, socketPath) => forwardInside(forwarding, { visit, request }, socketPath),
    forward: (admission, grounds) => forwardToBackend(forwarding, admission, grounds),
    authorize: (admission, told, grounds) => authorize(options, admission, { told, grounds }),
    session: answerSession,
    logout: answerLogout,
    login: answerLogin,
    loginAgain: answerLoginAgain,
    uncheckable: answerUncheckable,
    personRefused: (admission, refused) => {
      const { email, code: reason } = refused;
      const rule = refusingRule(admission.share, refused.rule);
      options.audit(refusalEvent(admission, { kind: 'login.refused', email, reason, rule }));
      answerPersonRefused(admission, refused);
    },
    certificateRefused: (admission, code) => {
      const actor = holderOf(admission);
      options.audit(refusalEvent(admission, { kind: 'certificate.refused', actor, reason: code }));
      answerCertificateRefused(admission, code);
    },
    tokenRefused: (admission, token) => tokenRefused(options, admission, token),
  };
}

/** Whether the page of an app that does not answer loads itself again: only where a person opened it. */
function againAfter(
  outages: Outages,
  { share, exchange, facts }: Visit,
  { code }: ServiceError,
): number | null {
  if (share === null || !AWAY.has(code)) return null;
  const seconds = outages.failed(share.id, performance.now());
  const { purpose, fetchDest, fetchMode } = facts;
  const isOpened =
    exchange.method === 'GET' &&
    purpose === null &&
    (fetchDest ?? 'document') === 'document' &&
    (fetchMode ?? 'navigate') === 'navigate';
  return isOpened ? seconds : null;
}

/** The token is as it should be: an admin may have forgotten the rule. */
function tokenRefused(options: OutcomeOptions, admission: Admission, token: ServiceToken): void {
  const { visit, parts } = admission;
  const error = new ServiceError(
    'service_token_refused',
    'Cannot let a program in: no rule of the share lets its service token in',
    { hint: 'Ask an admin to add a rule for it: allow: { tokens: [...] }.' },
  );
  const actor = { kind: 'service-token', id: token.id } as const;
  options.audit(refusalEvent(admission, { kind: 'service_token.refused', actor, reason: token.name }));
  refuse(visit, parts.settings.brand, error, { page: false });
}

type ForwardOptions = OutcomeOptions & { readonly networks: Networks };

type Arrived = { readonly visit: Visit; readonly request: GuardedRequest };

/**
 * The service's own hosts: stripped and told of the connection like any backend, but with their cookies, both
 * ways.
 */
function forwardInside(options: ForwardOptions, arrived: Arrived, socketPath: string): void {
  const parts = options.parts();
  const { visit, request } = arrived;
  forward(
    visit,
    {
      send: sendTo(options, parts.backends.ofSocket(socketPath)),
      headers: insideHeaders(parts, arrived),
      identity: null,
      target: request.target,
      body: request.webSocket ? 'none' : request.body,
      trailersAllowed: takesTrailers(visit),
      webSocket: request.webSocket,
      visitor: null,
      visitorName: '',
      place: request.host,
      owner: '',
      client: options.networks.siteOf(visit.visitor.address),
      around: options.networks.blockOf(visit.visitor.address),
      portion: PORTION,
      keepsSeat: false,
      answerRules: null,
      corsOrigin: null,
      grant: null,
      closeAfter: options.draining(),
      kinds: parts.kinds,
    },
    options.hooks,
  );
}

function insideHeaders(parts: GateParts, arrived: Arrived): string[] {
  const { visit, request } = arrived;
  const headers = baseHeaders(parts, arrived, { rules: parts.insideStrip, host: request.authority });
  const { policy, certificate } = visit.exchange.connection;
  const asked = parts.settings.controlCertificates;
  if (asked !== null && asked.host === request.host && policy === 'control' && certificate !== null)
    headers.push(INSIDE_CERTIFICATE, insideCertificateText(asked.secret, certificate));
  return headers;
}

function forwardToBackend(
  options: ForwardOptions,
  admission: Admission,
  { session, certificate, token: tokenName }: Grounds,
): void {
  const { visit, request, share, facts, parts, corsOrigin } = admission;
  const token = tokenName === null ? null : admission.token;
  const strip = stripOf(parts, share);
  const origin = share.target === null ? null : parts.backends.ofTarget(share.target, share.accountId);
  const headers = baseHeaders(parts, admission, { rules: strip, host: hostFor(admission, origin) });
  const identity = identityOf(options, admission, { session, certificate, token });
  const name = session?.id ?? certificate?.fingerprint ?? token?.id ?? null;
  // By however many logins or renewed certificates.
  const person = session?.email ?? certificate?.subject ?? token?.id ?? null;
  const grant: Grant = {
    facts,
    session: session === null ? null : admission.session,
    certificate: certificate === null ? null : visit.exchange.connection.certificate,
    token,
    trustVersion: OF_BEFORE,
    share,
    state: session,
    dueAt: 0,
    learning: false,
  };
  forward(
    visit,
    // In the order of `forwardInside()`, so that plans are of one shape.
    {
      send:
        origin === null
          ? toAgent(options, admission, identity)
          : sendTo(options, wayTo(origin, admission, headers)),
      headers,
      identity,
      target: request.target,
      body: request.webSocket ? 'none' : request.body,
      trailersAllowed: takesTrailers(visit),
      webSocket: request.webSocket,
      visitor: isNobodyElses(admission, name) ? visit.exchange.ownSocket : null,
      visitorName: name ?? visit.visitor.address,
      place: share.id,
      owner: share.accountId,
      client: person ?? options.networks.siteOf(visit.visitor.address),
      around: person === null ? options.networks.blockOf(visit.visitor.address) : null,
      portion: share.target === null ? TUNNEL_PORTION : PORTION,
      // The pool has no say over connections that were handed over; an agent lends one less.
      keepsSeat: share.target === null,
      answerRules: { isOwnCookie: parts.isOwnCookie, host: request.host, isPrivate: isProtected(share) },
      corsOrigin,
      grant,
      closeAfter: options.draining(),
      kinds: strip.kinds,
    },
    options.hooks,
  );
}

/** Null for nobody in particular. */
function identityOf(options: OutcomeOptions, admission: Admission, known: Known): WrittenFields | null {
  const { session, certificate, token } = known;
  if (admission.visit.trace !== null) admission.visit.trace.ground = groundOf(known);
  if (session === null && certificate === null && token === null) return null;
  const { share, request, parts } = admission;
  const now = Date.now();
  note(options, admission, known, now);
  return parts.identities({ share, host: request.host, session, certificate, token }, now);
}

function groundOf({ session, certificate, token }: Known): string {
  if (session !== null) return certificate === null ? 'session' : 'session and certificate';
  if (certificate !== null) return 'certificate';
  return token === null ? 'everyone' : 'token';
}

type Authorized = { readonly told: ToldExchange; readonly grounds: Grounds };

/** What an app is told, the proxy tells it. */
function authorize(options: OutcomeOptions, admission: Admission, { told, grounds }: Authorized): void {
  const { visit, share, parts } = admission;
  // It may have changed while the main thread was asked.
  requireToldOf(share, visit);
  if (told.wantsRefusal)
    throw new ServiceError('recheck_unavailable', 'Cannot refuse a request: it is allowed by now', {
      hint: 'Try again.',
    });
  const { session, certificate } = grounds;
  const token = grounds.token === null ? null : admission.token;
  const identity = identityOf(options, admission, { session, certificate, token });
  visit.status = 200;
  visit.answered = true;
  visit.authorized = true;
  told.authorize([
    ...parts.everyIdentity(identity),
    ...appCredentials(parts.shareStrip.ownCookie, told.rawHeaders),
  ]);
}

/** Where rules ask for path or method, no header may put others in their place. */
function stripOf(parts: GateParts, share: Share): StripRules {
  return rulesOfShare(share).rules.asksTarget ? parts.shareStripStrictly : parts.shareStrip;
}

/** Of a proxy's connections nobody knows whose they are, unless each request says it. */
function isNobodyElses({ visit, parts }: Admission, name: string | null): boolean {
  if (name !== null) return true;
  return visit.facts.forwardedFor === null && !parts.isTrusted(visit.visitor.address);
}

/** Whether not everybody is let in. */
function isProtected(share: Share): boolean {
  return !rulesOfShare(share).rules.isOpen;
}

type Known = Pick<Grounds, 'session' | 'certificate'> & Pick<Admission, 'token'>;

/** For the log, and for who was seen last, and where. */
function note(
  options: OutcomeOptions,
  { visit, share }: Admission,
  { session, certificate, token }: Known,
  at: number,
): void {
  if (token !== null) options.tokenSeen({ id: token.id, at });
  if (session !== null) {
    visit.email = session.email;
    options.seen(session.id, at);
  }
  if (certificate !== null) {
    const { fingerprint, serial, commonName, subject } = certificate;
    visit.certificate = serial;
    visit.holder = commonName ?? subject;
    options.certificateSeen({ fingerprint, at, on: share.name, from: visit.visitor.address });
  }
}

/** What the backend hears as Host. Of a share without a target, the agent alone knows the target's own. */
function hostFor({ share: { hostHeader }, request }: Admission, origin: TargetOrigin | null): string {
  if (hostHeader === null) return request.authority;
  return hostHeader === TARGET_HOST ? (origin?.host ?? request.authority) : hostHeader;
}

/**
 * HTTP/1.1 unless the target speaks HTTP/2 to begin with, or the request is of gRPC, which knows nothing
 * else. WebSockets, and logins of the connection itself, are of HTTP/1.1 alone.
 */
function wayTo(
  origin: TargetOrigin,
  { visit, request }: Admission,
  headers: readonly string[],
): UpstreamOrigin {
  const { byHttp2 } = origin;
  if (byHttp2 === null || (byHttp2.of === 'grpc' && !isGrpc(visit.facts))) return origin;
  return request.webSocket || logsConnectionIn(headers) ? origin : byHttp2.origin;
}

/** A share without a target is served by agents, through tunnels. */
function toAgent(
  { upstream, edge }: OutcomeOptions,
  { share, parts }: Admission,
  identity: WrittenFields | null,
): Send {
  return tunnelTo({
    upstream,
    edge,
    shareId: share.id,
    asTarget: share.hostHeader === TARGET_HOST,
    email: () => valuesOf(identity?.headers ?? [], `${parts.settings.identityHeaderPrefix}email`)[0] ?? null,
  });
}

function sendTo({ upstream }: OutcomeOptions, origin: UpstreamOrigin): Send {
  return (request, handlers) => upstream.exchange(origin, request, handlers);
}

function takesTrailers({ facts: { te } }: Visit): boolean {
  return te !== null && /\btrailers\b/i.test(te);
}

type Addressed = { readonly rules: StripRules; readonly host: string };

function baseHeaders(parts: GateParts, { visit, request }: Arrived, { rules, host }: Addressed): string[] {
  const { exchange, facts } = visit;
  const headers = stripRequest(rules, {
    rawHeaders: exchange.rawHeaders,
    connection: facts.connection,
    host,
    expectsContinue: exchange.expectsContinue && request.body !== 'none',
  });
  appendForwardingHeaders(headers, {
    visitor: visit.visitor,
    scheme: parts.base.scheme,
    port: parts.base.port,
    authority: request.authority,
    requestId: visit.id,
  });
  if (visit.trace !== null) {
    visit.trace.calledAt = performance.now();
    writeTrace(headers, visit.trace);
  }
  headers.push(HOP_MARKER, facts.hop === null ? parts.hopId : hops(facts.hop, parts.hopId));
  return headers;
}

/** Several installations may stand behind each other, but not many. */
function hops(former: string, own: string): string {
  if (former.length > MAX_HOPS_CHARACTERS)
    throw new ServiceError('loop_detected', 'Cannot forward a request: it came through too many gateways');
  return `${former}, ${own}`;
}

/**
 * Only what an authority of the account says of somebody is worth writing down. Its id, the main thread
 * finds.
 */
function holderOf({ facts, share }: Admission): Actor {
  const { certificate } = facts;
  return certificate?.accountId === share.accountId
    ? { kind: 'certificate-serial', serial: certificate.serial }
    : SYSTEM;
}

function refusalEvent(
  { visit, share, session }: Admission,
  refused: Pick<PlainHappening, 'kind' | 'email' | 'actor' | 'reason' | 'rule'>,
): AuditEvent {
  return auditEvent({
    ...refused,
    at: Date.now(),
    accountId: share.accountId,
    shareId: share.id,
    sessionId: session?.id,
    provider: session === null ? share.login?.providers[0]?.name : sessionProvider(share, session),
    ip: visit.visitor.address,
    requestId: visit.id,
  });
}

const UNEXPECTED = 'Cannot answer a request: an unexpected error occurred';
/** An app that may be back in a moment. */
const AWAY: ReadonlySet<FaultCode> = new Set(['backend_down', 'agent_away']);
/** Of no trust: it is judged again at the first look. */
const OF_BEFORE = -1;
/** Room for about ten installations. */
const MAX_HOPS_CHARACTERS = 256;
