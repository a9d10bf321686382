// Metrics as Prometheus reads them. prom-client, which writes them and measures the process, is loaded only
// where there is a listener for metrics.

import type { Metric } from '../domain/metric.ts';

/** `threads`: what each worker and the main thread tell. */
export type MetricsText = (
  threads: readonly (readonly Metric[])[],
) => Promise<{ readonly contentType: string; readonly text: string }>;

/** Measures the process, too, from now on. */
export async function startMetricsText(): Promise<MetricsText> {
  const { AggregatorRegistry, Registry, collectDefaultMetrics } = await import('prom-client');
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return async (threads) => {
    const ours = AggregatorRegistry.aggregate(threads as object[][]);
    const parts = await Promise.all([ofProcess.metrics(), ours.metrics()]);
    return { contentType: ofProcess.contentType, text: parts.join('') };
  };
}
