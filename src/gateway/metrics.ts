// What the gate counts, for Prometheus. The request path adds to plain numbers; they become metrics when somebody asks.

import { Counter, Gauge, Registry } from 'prom-client';
import type { Decision } from '../domain/decision.ts';
import { createDurations } from './durations.ts';

export type GateMetrics = {
  readonly answered: (
    status: number,
    seconds: number,
    bytes: { readonly sent: number; readonly received: number },
  ) => void;
  readonly decided: (kind: Decision['kind']) => void;
  readonly asked: () => void;
  /** prom-client's `getMetricsAsJSON()`. */
  readonly collect: () => Promise<readonly unknown[]>;
};

export type GaugeSources = {
  readonly openRequests: () => number;
  readonly openWebSockets: () => number;
  readonly shares: () => number;
  readonly upstream: () => { readonly active: number; readonly idle: number; readonly waiting: number };
};

export function createMetrics(sources: GaugeSources): GateMetrics {
  const registry = new Registry();
  const counts = new Map<string, number>();
  const add = (key: string, amount: number) => counts.set(key, (counts.get(key) ?? 0) + amount);
  const durations = createDurations(
    'doorward_gateway_request_duration_seconds',
    'Time from the head of a request to the end of its answer',
  );
  registerCounters(registry, counts);
  registerGauges(registry, sources);
  return {
    answered: (status, seconds, bytes) => {
      add(STATUS_KEYS[Math.floor(status / 100)] ?? 'requests none', 1);
      add('bytes sent', bytes.sent);
      add('bytes received', bytes.received);
      durations.observe(seconds);
    },
    decided: (kind) => add(DECISION_KEYS[kind], 1),
    asked: () => add('asked all', 1),
    collect: async () => [...(await registry.getMetricsAsJSON()), durations.toJson()],
  };
}

function registerCounters(registry: Registry, counts: ReadonlyMap<string, number>): void {
  for (const { key, name, help, label } of COUNTERS) {
    const collect = (counter: Counter) => {
      counter.reset();
      for (const [counted, value] of counts) {
        const [family, labelValue = ''] = counted.split(' ');
        if (family === key) counter.inc({ [label]: labelValue }, value);
      }
    };
    const counter: Counter = new Counter({
      name,
      help,
      labelNames: [label],
      registers: [],
      collect: () => collect(counter),
    });
    registry.registerMetric(counter);
  }
}

function registerGauges(registry: Registry, sources: GaugeSources): void {
  const gauge = (name: string, help: string, read: () => number) => {
    const made: Gauge = new Gauge({ name, help, registers: [], collect: () => made.set(read()) });
    registry.registerMetric(made);
  };
  gauge('doorward_gateway_open_requests', 'Requests under way', sources.openRequests);
  gauge('doorward_gateway_open_websockets', 'Open WebSockets', sources.openWebSockets);
  gauge('doorward_gateway_shares', 'Shares in the route table', sources.shares);
  const connections: Gauge = new Gauge({
    name: 'doorward_gateway_backend_connections',
    help: 'Connections to backends, and requests that wait for one',
    labelNames: ['state'],
    registers: [],
    collect: () => {
      for (const [state, value] of Object.entries(sources.upstream())) connections.set({ state }, value);
    },
  });
  registry.registerMetric(connections);
}

const COUNTERS = [
  {
    key: 'requests',
    name: 'doorward_gateway_requests_total',
    help: 'Requests by class of status',
    label: 'code',
  },
  { key: 'decisions', name: 'doorward_gateway_decisions_total', help: 'Decisions by kind', label: 'kind' },
  { key: 'bytes', name: 'doorward_gateway_body_bytes_total', help: 'Bytes of bodies', label: 'direction' },
  {
    key: 'asked',
    name: 'doorward_gateway_questions_total',
    help: 'Questions to the main thread',
    label: 'what',
  },
] as const;
const STATUS_KEYS = [
  'requests none',
  'requests 1xx',
  'requests 2xx',
  'requests 3xx',
  'requests 4xx',
  'requests 5xx',
];
const DECISION_KEYS: Readonly<Record<Decision['kind'], string>> = {
  forward: 'decisions forward',
  login: 'decisions login',
  recheck: 'decisions recheck',
  refuse: 'decisions refuse',
};
