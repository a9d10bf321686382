// The control plane's own metrics, and the sum of the workers' (Prometheus text format). Events are plain numbers until
// somebody asks; prom-client is loaded only where there is a metrics listener.

import type { AuditEvent } from '../domain/audit-event.ts';

export type ServiceMetrics = {
  readonly countEvents: (events: readonly AuditEvent[]) => void;
  /** Measures the process, too, from now on. */
  readonly startText: () => Promise<MetricsText>;
};

/** `workers` holds one `getMetricsAsJSON()` for each worker. */
export type MetricsText = (
  workers: readonly (readonly unknown[])[],
) => Promise<{ contentType: string; text: string }>;

export function createServiceMetrics(): ServiceMetrics {
  const counts = new Map<string, number>();
  return {
    countEvents(happened) {
      for (const { kind } of happened) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    },
    startText: () => startText(counts),
  };
}

async function startText(counts: ReadonlyMap<string, number>): Promise<MetricsText> {
  const { AggregatorRegistry, Counter, Registry, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const events = new Counter({
    name: 'doorward_events_total',
    help: 'Logins, refusals, refreshes, logouts and changes, by kind',
    labelNames: ['kind'],
    registers: [registry],
  });
  return async (workers) => {
    events.reset();
    for (const [kind, count] of counts) events.inc({ kind }, count);
    const gate = AggregatorRegistry.aggregate(workers as object[][]);
    const parts = await Promise.all([registry.metrics(), gate.metrics()]);
    return { contentType: registry.contentType, text: parts.join('') };
  };
}
