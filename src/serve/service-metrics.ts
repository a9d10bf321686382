// What the control plane counts and sees, for Prometheus: plain numbers until somebody asks.

import type { AuditEvent } from '../domain/audit-event.ts';
import { AUDIT_KINDS } from '../domain/audit-kind.ts';
import { byLabel, type Metric, metricOf, type MetricValue, one } from '../domain/metric.ts';
import { METRICS, type MetricName } from '../domain/metrics.ts';
import type { DeliveryBacklog } from '../store/webhooks/webhook.ts';

export type ServiceMetrics = {
  readonly countEvents: (events: readonly AuditEvent[]) => void;
  /** How the store was when it was last looked at. */
  readonly seeStore: (seen: StoreSeen) => void;
  /** The names that get certificates by themselves, as they are now. */
  readonly seeAcme: (names: readonly AcmeSeen[]) => void;
  readonly collect: () => readonly Metric[];
};

/** `deliveries`: null while the store does not say. */
export type StoreSeen = {
  readonly offsetMs: number | null;
  readonly writable: boolean;
  readonly deliveries: DeliveryBacklog | null;
};

/** `until`: null for a name that has no certificate yet. */
type AcmeSeen = { readonly until: number | null; readonly failures: number };

/** `providerNames`: those of the configuration, as it is now. */
export function createServiceMetrics(providerNames: () => readonly string[]): ServiceMetrics {
  const events = new Map<string, number>(AUDIT_KINDS.map((kind) => [kind, 0]));
  const logins = new Map<string, Record<LoginResult, number>>();
  let store: StoreSeen = { offsetMs: null, writable: true, deliveries: null };
  let acme: readonly AcmeSeen[] = [];
  const loginsOf = (provider: string): Record<LoginResult, number> => {
    let counts = logins.get(provider);
    if (counts === undefined) logins.set(provider, (counts = { succeeded: 0, refused: 0, failed: 0 }));
    return counts;
  };
  return {
    seeStore: (seen) => (store = seen),
    seeAcme: (names) => (acme = names),
    countEvents(happened) {
      for (const { kind, provider } of happened) {
        events.set(kind, (events.get(kind) ?? 0) + 1);
        const result = LOGIN_RESULTS.get(kind);
        // Accounts name their own providers as they like: one label for all bounds their number.
        if (result !== undefined)
          loginsOf(provider !== null && providerNames().includes(provider) ? provider : OTHER)[result]++;
      }
    },
    collect() {
      for (const name of [...providerNames(), OTHER]) loginsOf(name);
      return [
        told('doorward_events_total', byLabel('kind', events)),
        told('doorward_logins_total', Array.from(logins).flatMap(loginValues)),
        ...ofStore(store),
        ...ofAcme(acme),
      ];
    },
  };
}

function loginValues([provider, counts]: readonly [string, Record<LoginResult, number>]): MetricValue[] {
  return Object.entries(counts).map(([result, value]) => ({ value, labels: { provider, result } }));
}

function ofStore({ offsetMs, writable, deliveries }: StoreSeen): readonly Metric[] {
  const { waiting, overdue } = deliveries ?? { waiting: Number.NaN, overdue: Number.NaN };
  return [
    told('doorward_store_clock_offset_seconds', one((offsetMs ?? Number.NaN) / 1000)),
    told('doorward_store_writable', one(writable ? 1 : 0)),
    told('doorward_webhook_deliveries', byLabel('state', Object.entries({ waiting, overdue }))),
  ];
}

function ofAcme(names: readonly AcmeSeen[]): readonly Metric[] {
  const ends = names.flatMap(({ until }) => (until === null ? [] : [until]));
  const valid = ends.filter((end) => end > Date.now()).length;
  const failing = names.filter(({ failures }) => failures > 0).length;
  const states = { valid, missing: names.length - valid, failing };
  return [
    told('doorward_acme_certificates', byLabel('state', Object.entries(states))),
    told('doorward_acme_first_expiry_timestamp_seconds', one(firstOf(ends))),
  ];
}

/** In seconds; NaN when there is none. */
export function firstOf(timesMs: readonly number[]): number {
  return timesMs.length === 0 ? Number.NaN : Math.min(...timesMs) / 1000;
}

export function told(name: MetricName, values: readonly MetricValue[]): Metric {
  return metricOf(name, METRICS[name], values);
}

type LoginResult = (typeof METRICS.doorward_logins_total.labels.result)[number];

const LOGIN_RESULTS: ReadonlyMap<string, LoginResult> = new Map(
  METRICS.doorward_logins_total.labels.result.map((result) => [`login.${result}`, result]),
);
const OTHER = 'other';
