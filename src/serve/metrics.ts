// The listener for metrics, liveness and readiness, where one is configured.

import { startMetricsListener, type Readiness } from '../http/metrics-listener.ts';
import { steadyNow } from '../gateway/steady-clock.ts';
import type { Store } from '../store/store.ts';
import type { ShareMetrics } from './share-metrics.ts';
import { certificatesOf } from './front-doors.ts';
import { instanceId } from './instance.ts';
import { startMetricsText } from './metrics-text.ts';
import { processGauges } from './process-gauges.ts';
import { createStoreProbe, readinessOf } from './readiness.ts';
import type { Records } from './records.ts';
import { materialsOf, type Running } from './running.ts';
import { type SpanQueue, spanMetrics } from './tracing/span-queue.ts';
import type { Undo } from './undo.ts';

type MetricsDeps = {
  readonly records: Records;
  readonly shareMetrics: ShareMetrics;
  readonly spans: SpanQueue | null;
};

export async function openMetrics(
  running: Running,
  { records, shareMetrics, spans }: MetricsDeps,
): Promise<Undo> {
  const settings = running.config.metrics;
  if (settings === null) return () => undefined;
  const text = await startMetricsText();
  const storeAnswers = createStoreProbe(() => records.store.ping());
  const listener = await startMetricsListener(
    settings.bindAddress,
    certificatesOf(settings, materialsOf(running)),
    {
      metrics: async () => {
        const [workers, gauges] = await Promise.all([
          running.plane?.metrics() ?? [],
          processGauges(running, records),
        ]);
        return text([
          ...workers,
          [
            ...gauges,
            ...records.metrics.collect(),
            ...shareMetrics.collect(),
            ...(spans?.collect() ?? NO_SPANS),
          ],
        ]);
      },
      instance: instanceId(running.config),
      readiness: async () => readiness(running, await storeAnswers(), records.store.writeTrouble()),
    },
  );
  running.metrics = listener;
  return () => listener.close(0);
}

const NO_SPANS = spanMetrics({ exported: 0, dropped: 0 });

function readiness(
  { plane, config, storeGoodAt }: Running,
  storeAnswers: boolean,
  storeTrouble: ReturnType<Store['writeTrouble']>,
): Readiness {
  return readinessOf({
    livingWorkers: plane?.living() ?? 0,
    storeAnswers,
    storeTrouble,
    storeGoodAgoMs: steadyNow() - storeGoodAt,
    outageGraceMs: config.store.outageGraceMs,
  });
}
