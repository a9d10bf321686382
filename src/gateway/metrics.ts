// What the gate counts, for Prometheus. The request path adds to plain numbers; they become metrics when
// somebody asks, in the form of prom-client, which the main thread writes them with: to load it here would
// cost each worker 5 MB.

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
  readonly collect: () => readonly unknown[];
};

export type GaugeSources = {
  readonly openRequests: () => number;
  readonly openWebSockets: () => number;
  readonly shares: () => number;
  readonly upstream: () => { readonly active: number; readonly idle: number; readonly waiting: number };
};

export function createMetrics(sources: GaugeSources): GateMetrics {
  const counts = new Map<string, number>();
  const add = (key: string, amount: number) => counts.set(key, (counts.get(key) ?? 0) + amount);
  const durations = createDurations(
    'doorward_gateway_request_duration_seconds',
    'Time from the head of a request to the end of its answer',
  );
  return {
    answered: (status, seconds, bytes) => {
      add(STATUS_KEYS[Math.floor(status / 100)] ?? 'requests none', 1);
      add('bytes sent', bytes.sent);
      add('bytes received', bytes.received);
      durations.observe(seconds);
    },
    decided: (kind) => add(DECISION_KEYS[kind], 1),
    asked: () => add('asked all', 1),
    collect: () => [...counters(counts), ...gauges(sources), durations.toJson()],
  };
}

type Value = { readonly value: number; readonly labels: Readonly<Record<string, string>> };
/** One member of prom-client's `getMetricsAsJSON()`. */
type Metric = Readonly<Record<'name' | 'help' | 'type' | 'aggregator', string>> & {
  readonly values: readonly Value[];
};

function counters(counts: ReadonlyMap<string, number>): readonly Metric[] {
  return COUNTERS.map(({ key, name, help, label }) => {
    const values: Value[] = [];
    for (const [counted, value] of counts) {
      const [family, labelValue = ''] = counted.split(' ');
      if (family === key) values.push({ value, labels: { [label]: labelValue } });
    }
    return { name, help, type: 'counter', values, aggregator: 'sum' };
  });
}

function gauges(sources: GaugeSources): readonly Metric[] {
  const connections = Object.entries(sources.upstream());
  return [
    gauge('open_requests', 'Requests under way', one(sources.openRequests())),
    gauge('open_websockets', 'Open WebSockets', one(sources.openWebSockets())),
    gauge('shares', 'Shares in the route table', one(sources.shares())),
    gauge(
      'backend_connections',
      'Connections to backends, and requests that wait for one',
      connections.map(([state, value]) => ({ value, labels: { state } })),
    ),
  ];
}

function gauge(name: string, help: string, values: readonly Value[]): Metric {
  return { name: `doorward_gateway_${name}`, help, type: 'gauge', values, aggregator: 'sum' };
}

function one(value: number): readonly Value[] {
  return [{ value, labels: {} }];
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
