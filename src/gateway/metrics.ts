// What the gate counts, for Prometheus. The request path adds to plain numbers; they become metrics when
// somebody asks, in the form of prom-client, which the main thread writes them with: to load it here would
// cost each worker 5 MB.

import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { STATUS_CLASSES, statusClass } from '../domain/activity.ts';
import type { Decision } from '../domain/decision.ts';
import { byLabel, type Metric, metricOf, type MetricValue, one } from '../domain/metric.ts';
import { METRICS, type MetricName } from '../domain/metrics.ts';
import { createDurations } from './durations.ts';

export type GateMetrics = {
  readonly answered: (
    status: number,
    seconds: number,
    bytes: { readonly sent: number; readonly received: number },
  ) => void;
  readonly decided: (kind: Decision['kind']) => void;
  readonly asked: () => void;
  readonly collect: () => readonly Metric[];
};

export type GaugeSources = {
  readonly openRequests: () => number;
  readonly openWebSockets: () => number;
  readonly shares: () => number;
  readonly knownSessions: () => number;
  /** Enabled shares that agents serve, and those of them that one serves now. */
  readonly tunnelShares: () => { readonly all: number; readonly connected: number };
  readonly tunnels: () => number;
  readonly upstream: () => { readonly active: number; readonly idle: number; readonly waiting: number };
};

export function createMetrics(sources: GaugeSources): GateMetrics {
  const requests = countsOf(METRICS.doorward_gateway_requests_total.labels.code);
  const decisions = countsOf(METRICS.doorward_gateway_decisions_total.labels.kind);
  const bytes = { received: 0, sent: 0 };
  let questions = 0;
  const durations = createDurations();
  const busy = createBusyRatio();
  return {
    answered: (status, seconds, { sent, received }) => {
      requests[STATUS_CLASSES[statusClass(status)] ?? 'none']++;
      bytes.sent += sent;
      bytes.received += received;
      durations.observe(seconds);
    },
    decided: (kind) => decisions[kind]++,
    asked: () => questions++,
    collect: () => [
      told('doorward_gateway_requests_total', byLabel('code', Object.entries(requests))),
      told('doorward_gateway_decisions_total', byLabel('kind', Object.entries(decisions))),
      told('doorward_gateway_body_bytes_total', byLabel('direction', Object.entries(bytes))),
      told('doorward_gateway_questions_total', byLabel('what', [['all', questions]])),
      ...gauges(sources),
      told('doorward_gateway_event_loop_busy_ratio', one(busy())),
      durations.toJson(),
    ],
  };
}

function gauges(sources: GaugeSources): readonly Metric[] {
  const { all, connected } = sources.tunnelShares();
  const tunnelShares = { connected, waiting: Math.max(0, all - connected) };
  return [
    told('doorward_gateway_open_requests', one(sources.openRequests())),
    told('doorward_gateway_open_websockets', one(sources.openWebSockets())),
    told('doorward_gateway_shares', one(sources.shares())),
    told('doorward_gateway_known_sessions', one(sources.knownSessions())),
    told('doorward_gateway_tunnels', one(sources.tunnels())),
    told('doorward_gateway_tunnel_shares', byLabel('state', Object.entries(tunnelShares))),
    told('doorward_gateway_backend_connections', byLabel('state', Object.entries(sources.upstream()))),
  ];
}

/** Of this thread, since it was last asked. */
function createBusyRatio(): () => number {
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return Number.isFinite(utilization) ? utilization : 0;
  };
}

function told(name: MetricName, values: readonly MetricValue[]): Metric {
  return metricOf(name, METRICS[name], values);
}

/** Each at 0 from the start, so that the first of a kind is an increase. */
function countsOf<Label extends string>(values: readonly Label[]): Record<Label, number> {
  return Object.fromEntries(values.map((value) => [value, 0])) as Record<Label, number>;
}
