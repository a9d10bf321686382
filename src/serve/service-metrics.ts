// The control plane's own metrics, and the sum of the workers' (Prometheus text format). Events are plain
// numbers until somebody asks; prom-client is loaded only where there is a metrics listener.

import type { AuditEvent } from '../domain/audit-event.ts';

export type ServiceMetrics = {
  readonly countEvents: (events: readonly AuditEvent[]) => void;
  /** How the store was when it was last looked at. */
  readonly seeStore: (seen: StoreSeen) => void;
  /** Measures the process, too, from now on. */
  readonly startText: () => Promise<MetricsText>;
};

type StoreSeen = { readonly offsetMs: number | null; readonly writable: boolean };

/** `workers` holds one `getMetricsAsJSON()` for each worker. */
export type MetricsText = (
  workers: readonly (readonly unknown[])[],
) => Promise<{ contentType: string; text: string }>;

export function createServiceMetrics(): ServiceMetrics {
  const counts = new Map<string, number>();
  const store: { seen: StoreSeen | null } = { seen: null };
  return {
    seeStore: (seen) => (store.seen = seen),
    countEvents(happened) {
      for (const { kind } of happened) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    },
    startText: () => startText(counts, store),
  };
}

async function startText(
  counts: ReadonlyMap<string, number>,
  store: { readonly seen: StoreSeen | null },
): Promise<MetricsText> {
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
  return async (workers) => {
    const { seen } = store;
    clockOffset.set((seen?.offsetMs ?? Number.NaN) / 1000);
    writable.set(seen?.writable === false ? 0 : 1);
    events.reset();
    for (const [kind, count] of counts) events.inc({ kind }, count);
    const gate = AggregatorRegistry.aggregate(workers as object[][]);
    const parts = await Promise.all([registry.metrics(), gate.metrics()]);
    return { contentType: registry.contentType, text: parts.join('') };
  };
}
