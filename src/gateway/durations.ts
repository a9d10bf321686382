// How long requests took, for Prometheus: a histogram in plain numbers, since prom-client's own takes a
// microsecond to observe.

import { type Metric, metricOf } from '../domain/metric.ts';
import { METRICS } from '../domain/metrics.ts';

export type Durations = {
  readonly observe: (seconds: number) => void;
  readonly toJson: () => Metric;
};

export function createDurations(): Durations {
  /** The last is for what is longer than the longest bound. */
  const counts = new Float64Array(BOUNDS.length + 1);
  let sum = 0;
  return {
    observe: (seconds) => {
      let at = 0;
      while (at < BOUNDS.length && seconds > BOUNDS[at]!) at++;
      counts[at]!++;
      sum += seconds;
    },
    toJson: () => {
      let count = 0;
      const buckets = [...BOUNDS, '+Inf' as const].map((le, at) => {
        count += counts[at]!;
        return { labels: { le }, value: count, metricName: `${NAME}_bucket` };
      });
      return metricOf(NAME, METRICS[NAME], [
        ...buckets,
        { labels: {}, value: sum, metricName: `${NAME}_sum` },
        { labels: {}, value: count, metricName: `${NAME}_count` },
      ]);
    },
  };
}

const NAME = 'doorward_gateway_request_duration_seconds';
/** Seconds, ascending. */
const BOUNDS: readonly number[] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
