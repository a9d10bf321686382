// How long requests took, for Prometheus: a histogram in plain numbers, since prom-client's own takes a
// microsecond to observe.

export type Durations = {
  readonly observe: (seconds: number) => void;
  /** As one member of prom-client's `getMetricsAsJSON()`. */
  readonly toJson: () => object;
};

export function createDurations(name: string, help: string): Durations {
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
        return { labels: { le }, value: count, metricName: `${name}_bucket` };
      });
      const values = [
        ...buckets,
        { labels: {}, value: sum, metricName: `${name}_sum` },
        { labels: {}, value: count, metricName: `${name}_count` },
      ];
      return { name, help, type: 'histogram', values, aggregator: 'sum' };
    },
  };
}

/** Seconds, ascending. */
const BOUNDS: readonly number[] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
