// The control plane's own metrics, and the sum of the workers' (Prometheus text format).

import { AggregatorRegistry, Counter, Registry, collectDefaultMetrics } from 'prom-client';
import type { AuditEvent } from '../domain/audit-event.ts';

export type ServiceMetrics = {
  readonly countEvents: (events: readonly AuditEvent[]) => void;
  /** `workers` holds one `getMetricsAsJSON()` for each worker. */
  readonly text: (workers: readonly (readonly unknown[])[]) => Promise<{ contentType: string; text: string }>;
};

export function createServiceMetrics(): ServiceMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const events = new Counter({
    name: 'doorward_events_total',
    help: 'Logins, refusals, refreshes, logouts and changes, by kind',
    labelNames: ['kind'],
    registers: [registry],
  });
  return {
    countEvents(happened) {
      for (const { kind } of happened) events.inc({ kind });
    },
    async text(workers) {
      const gate = AggregatorRegistry.aggregate(workers as object[][]);
      const parts = await Promise.all([registry.metrics(), gate.metrics()]);
      return { contentType: registry.contentType, text: parts.join('') };
    },
  };
}
