// The control plane's own metrics, and the sum of the workers' (Prometheus text format). Events are plain
// numbers until somebody asks; prom-client is loaded only where there is a metrics listener.

import type { Gauge } from 'prom-client';
import type { AuditEvent } from '../domain/audit-event.ts';

export type ServiceMetrics = {
  readonly countEvents: (events: readonly AuditEvent[]) => void;
  /** How the store was when it was last looked at. */
  readonly seeStore: (seen: StoreSeen) => void;
  /** The names that get certificates by themselves, as they are now. */
  readonly seeAcme: (names: readonly AcmeSeen[]) => void;
  /** Measures the process, too, from now on. */
  readonly startText: () => Promise<MetricsText>;
};

type Seen = { seen: StoreSeen | null; acme: readonly AcmeSeen[] | null };
type StoreSeen = { readonly offsetMs: number | null; readonly writable: boolean };

/** `until`: null for a name that has no certificate yet. */
type AcmeSeen = { readonly until: number | null; readonly failures: number };

/** `workers` holds one `getMetricsAsJSON()` for each worker. */
export type MetricsText = (
  workers: readonly (readonly unknown[])[],
) => Promise<{ contentType: string; text: string }>;

export function createServiceMetrics(): ServiceMetrics {
  const counts = new Map<string, number>();
  const store: Seen = { seen: null, acme: null };
  return {
    seeStore: (seen) => (store.seen = seen),
    seeAcme: (names) => (store.acme = names),
    countEvents(happened) {
      for (const { kind } of happened) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    },
    startText: () => startText(counts, store),
  };
}

async function startText(counts: ReadonlyMap<string, number>, store: Readonly<Seen>): Promise<MetricsText> {
  const { AggregatorRegistry, Counter, Gauge, Registry, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const events = new Counter({
    name: 'doorward_events_total',
    help: 'Logins, refusals, refreshes, logouts and changes, by kind',
    labelNames: ['kind'],
    registers: [registry],
  });
  const clockOffset = new Gauge({
    name: 'doorward_store_clock_offset_seconds',
    help: 'Clock of the store minus clock of this machine; NaN while unknown',
    registers: [registry],
  });
  const writable = new Gauge({
    name: 'doorward_store_writable',
    help: '0 when the store took nothing new at the last write: its disk is full, or it is read-only',
    registers: [registry],
  });
  const certificates = new Gauge({
    name: 'doorward_acme_certificates',
    help: 'Names that get certificates by themselves: valid, missing (none yet, or expired), failing (the last try failed)',
    labelNames: ['state'],
    registers: [registry],
  });
  const firstEnd = new Gauge({
    name: 'doorward_acme_first_expiry_timestamp_seconds',
    help: 'When the first of these certificates expires; NaN when there is none',
    registers: [registry],
  });
  return async (workers) => {
    const { seen } = store;
    clockOffset.set((seen?.offsetMs ?? Number.NaN) / 1000);
    writable.set(seen?.writable === false ? 0 : 1);
    if (store.acme !== null) tellAcme(store.acme, { certificates, firstEnd });
    events.reset();
    for (const [kind, count] of counts) events.inc({ kind }, count);
    const gate = AggregatorRegistry.aggregate(workers as object[][]);
    const parts = await Promise.all([registry.metrics(), gate.metrics()]);
    return { contentType: registry.contentType, text: parts.join('') };
  };
}

type AcmeGauges = { readonly certificates: Gauge; readonly firstEnd: Gauge };

function tellAcme(names: readonly AcmeSeen[], { certificates, firstEnd }: AcmeGauges): void {
  const ends = names.flatMap(({ until }) => (until === null ? [] : [until]));
  const valid = ends.filter((end) => end > Date.now()).length;
  certificates.set({ state: 'valid' }, valid);
  certificates.set({ state: 'missing' }, names.length - valid);
  certificates.set({ state: 'failing' }, names.filter(({ failures }) => failures > 0).length);
  firstEnd.set(ends.length === 0 ? Number.NaN : Math.min(...ends) / 1000);
}
