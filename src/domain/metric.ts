// One metric of Prometheus: what is said of it once, and its values in the form of prom-client's
// `getMetricsAsJSON()`, which threads can send.

export type MetricRecord = {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** The base unit that the name ends with (before `_total`); null for a plain number. */
  readonly unit: 'seconds' | 'bytes' | 'ratio' | null;
  readonly meaning: string;
  /** The values that a label can have; a text says what its values are where they cannot be listed. */
  readonly labels: Readonly<Record<string, readonly string[] | string>>;
  /** The version that has it first. */
  readonly since: string;
  /** How several workers' values become one; `sum` unless said. */
  readonly over?: 'sum' | 'max';
};

export type MetricValue = {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Of a histogram: the name with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string;
};

/** One member of prom-client's `getMetricsAsJSON()`. */
export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly type: MetricRecord['type'];
  readonly values: readonly MetricValue[];
  readonly aggregator: 'sum' | 'max';
};

export function metricOf(
  name: string,
  { type, meaning, over = 'sum' }: MetricRecord,
  values: readonly MetricValue[],
): Metric {
  return { name, help: meaning, type, values, aggregator: over };
}

/** A value without labels. */
export function one(value: number): readonly MetricValue[] {
  return [{ value, labels: {} }];
}

/** A value for each value of the metric's only label. */
export function byLabel(label: string, values: Iterable<readonly [string, number]>): readonly MetricValue[] {
  return Array.from(values, ([labelValue, value]) => ({ value, labels: { [label]: labelValue } }));
}
