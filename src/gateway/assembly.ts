// Puts the parts of one gate together. What may change while it runs is in `GateNow`, and nowhere else.

import { createFailedKeys } from '../domain/failed-keys.ts';
import type { AccountId, ShareId } from '../domain/id.ts';
import { randomToken } from '../domain/secret.ts';
import type { ServiceError } from '../domain/service-error.ts';
import { createAgentPolicies, createClientPolicies } from './client-policies.ts';
import { createAccessLog, faultLine, type AccessLog } from './access-log.ts';
import { createForwardedCertificates } from './forward-auth/forwarded-certificate.ts';
import type { ForwardLimits } from './progress.ts';
import { createGate, createTunnelGate, type Gate, type GateOptions } from './gate.ts';
import { createGateParts, type GateParts } from './gate-parts.ts';
import { createHostReader } from './host-reader.ts';
import type { FromWorker, WorkerStart } from './messages.ts';
import { createMetrics, type GateMetrics } from './metrics.ts';
import { createOpenStreams, type OpenStreams } from './open-streams.ts';
import { createOutages } from './outages.ts';
import { createOutcomes } from './outcome.ts';
import { createPublicCertificates, type PublicCertificates } from './public-certificates.ts';
import { createQuestions, type Questions } from './questions.ts';
import { createRouteTable, type RouteTable } from './route-table.ts';
import { createServiceTokens, type ServiceTokens } from './service-tokens.ts';
import { createSessionStates, type SessionStates } from './session-states.ts';
import { createSeats, type Seats, SOCKET_LIMITS } from './seats.ts';
import { steadyNow } from './steady-clock.ts';
import { createTunnelDoor, type TunnelDoor } from './tunnel-door.ts';
import type { ClientPolicies } from './tls-front.ts';
import { createTokenJudge } from './token-judge.ts';
import { createTrust, type Trust } from './trust.ts';
import { storeGoodReader } from './store-good.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { createWatchedShares, type WatchedShares } from './watched-shares.ts';
import { type Activity, createActivity } from './activity.ts';
import { createEdge, type Edge } from '../tunnel/edge.ts';
import { PROCESS_UNREAD_BYTES } from './upstream/http2-limits.ts';
import { tunnelKey } from './tunnel-way.ts';
import { createTracer, type Tracer } from './tracing.ts';
import { createUpstream, type Upstream } from './upstream/upstream.ts';
import { createRequestIds, type Visit } from './visit.ts';

export type GateNow = {
  parts: GateParts;
  draining: boolean;
};

export type Assembly = {
  readonly now: GateNow;
  readonly gate: Gate;
  /** At the listener for agents alone. */
  readonly tunnelGate: Gate;
  readonly routes: RouteTable;
  readonly states: SessionStates;
  readonly trust: Trust;
  readonly tokens: ServiceTokens;
  readonly policies: ClientPolicies;
  /** At the listener for agents alone. */
  readonly agentPolicies: ClientPolicies;
  readonly publicCertificates: PublicCertificates;
  readonly questions: Questions;
  readonly open: OpenStreams;
  readonly upstream: Upstream;
  readonly edge: Edge;
  readonly seats: Seats;
  readonly sockets: Seats;
  readonly tunnelDoor: TunnelDoor;
  readonly metrics: GateMetrics;
  readonly notifier: Notifier;
  readonly watched: WatchedShares;
  readonly activity: Activity;
  readonly tracer: Tracer;
  readonly log: AccessLog;
};

export function assembleGate(
  start: WorkerStart,
  post: (message: FromWorker) => void,
  limits: ForwardLimits,
): Assembly {
  const parts = createGateParts(start.settings, 0);
  const now: GateNow = { parts, draining: false };
  const storeGoodAt = storeGoodReader(start.storeGood);
  const storeAway = () => steadyNow() - storeGoodAt() > now.parts.settings.outageGraceMs;
  const routes = createRouteTable(start.shares);
  const questions = createQuestions(post);
  const states = createSessionStates((question) => {
    metrics.asked();
    return questions.ask(question);
  });
  const trust = createTrust(start.trust);
  const tokens = createServiceTokens(start.tokens);
  const policies = createClientPolicies({ parts: () => now.parts, routes });
  const agentPolicies = createAgentPolicies(() => now.parts);
  const publicCertificates = createPublicCertificates({
    parts: () => now.parts,
    routes,
    ask: questions.ask,
  });
  const open = createOpenStreams({ routes, states, trust, tokens, storeAway });
  // The bound is the process's, and workers share it.
  const processBytes = PROCESS_UNREAD_BYTES / start.settings.tunnel.workers;
  const upstream = createUpstream({ unread: { processBytes } });
  const edge = createEdge({
    onLeaving: (shareId) => upstream.prune(tunnelKey(shareId)),
    accountOf: accountsIn(routes),
  });
  const metrics = createMetrics({
    openRequests: () => open.count().all,
    openWebSockets: () => open.count().webSockets,
    shares: routes.size,
    knownSessions: states.size,
    tunnelShares: () => ({ all: routes.tunnelShares(), connected: edge.counts().shares }),
    tunnels: () => edge.counts().ready,
    upstream: upstream.counts,
  });
  const watched = createWatchedShares((batches) => post({ type: 'requests', batches }));
  watched.watch(start.watched);
  const told = {
    watched,
    notifier: createNotifier(post),
    activity: createActivity(post),
    tracer: createTracer(post),
    log: createAccessLog((lines) => post({ type: 'log', lines })),
  };
  const [seats, sockets] = [createSeats(), createSeats(SOCKET_LIMITS)];
  const all = {
    now,
    routes,
    states,
    trust,
    tokens,
    policies,
    agentPolicies,
    publicCertificates,
    questions,
    open,
    upstream,
    edge,
    seats,
    sockets,
    metrics,
    ...told,
  };
  return { ...all, ...gateOf(all, storeAway, limits) };
}

type Doors = Pick<Assembly, 'gate' | 'tunnelGate' | 'tunnelDoor'>;

function gateOf(all: Omit<Assembly, keyof Doors>, storeAway: () => boolean, limits: ForwardLimits): Doors {
  const { now, routes, states, trust, policies, open, metrics, notifier, watched, activity, log } = all;
  const outages = createOutages();
  const tell = (visit: Visit, complete: boolean) => {
    activity.count(visit);
    if (visit.answered && visit.share !== null) outages.answered(visit.share.id);
    watched.note(visit, complete);
  };
  const finished = (visit: Visit, complete: boolean) => {
    if (visit.closed) return;
    visit.closed = true;
    const { status, bytesSent: sent, bytesReceived: received } = visit;
    metrics.answered(status, (performance.now() - visit.startedAt) / 1000, { sent, received });
    // One that became a WebSocket was told of then.
    if (status !== 101) tell(visit, complete);
    if (visit.trace !== null) all.tracer.finished(visit, visit.trace);
    if (now.parts.settings.accessLog) log.write(visit, complete);
  };
  const report = (visit: Visit, error: ServiceError) => {
    if (error.fault.status >= 500) log.append(faultLine(visit, error, Date.now()));
  };
  const outcomes = createOutcomes({
    parts: () => now.parts,
    upstream: all.upstream,
    edge: all.edge,
    hooks: {
      fail: (visit, error) => outcomes.fail(visit, error),
      opened: open.add,
      upgraded: (visit) => tell(visit, true),
      closed: (stream, visit, complete) => {
        open.remove(stream);
        finished(visit, complete);
      },
      seats: all.seats,
      sockets: all.sockets,
      limits,
    },
    seen: notifier.seen,
    certificateSeen: notifier.certificateSeen,
    tokenSeen: notifier.tokenSeen,
    audit: notifier.refused,
    report,
    draining: () => now.draining,
    outages,
  });
  const tunnelDoor = createTunnelDoor({
    settings: () => now.parts.settings,
    edge: all.edge,
    ask: all.questions.ask,
    draining: () => now.draining,
    fail: outcomes.fail,
    accountOf: accountsIn(all.routes),
    judge: (certificate) => trust.judge(certificate, Date.now()),
    workerName: randomToken().slice(0, 12),
  });
  const options: GateOptions = {
    parts: () => now.parts,
    hostOf: createHostReader(),
    routes,
    states,
    trust,
    policies,
    agentPolicies: all.agentPolicies,
    tokenOf: createTokenJudge(all.tokens, createFailedKeys(Date.now)),
    certificates: createForwardedCertificates(trust),
    storeAway,
    providerOf: async ({ accountId }, generation) => {
      const answer = await all.questions.ask({ ask: 'provider', accountId, generation });
      return answer.kind === 'provider' ? answer.name : null;
    },
    nextRequestId: createRequestIds(randomToken().slice(0, 8)),
    outcomes,
    finished,
    decided: metrics.decided,
    tunnel: tunnelDoor.take,
  };
  return { gate: createGate(options), tunnelGate: createTunnelGate(options), tunnelDoor };
}

function accountsIn(routes: RouteTable): (shareId: ShareId) => AccountId | null {
  return (shareId) => routes.findById(shareId)?.accountId ?? null;
}
