// docs/reference/metrics.md, from the record of metrics that the program writes them by.

import type { MetricRecord } from '../../src/domain/metric.ts';
import { METRICS } from '../../src/domain/metrics.ts';
import { PROCESS_METRICS } from './process-metrics.ts';
import { table } from './table.ts';

export function metricsDocument(): string {
  return `# Metrics

<!-- Written by scripts/reference-docs.ts: do not edit. -->

\`GET /metrics\` of the listener in [\`metrics\`](configuration.md#metrics), in the text format of Prometheus. Each gateway
tells of itself: sum over gateways, unless the meaning says that all tell the same. Counters begin at 0 with each start.
[Dashboard, alerts and traces](../how-to/monitoring.md).

Names and labels are stable: a change of one is a breaking change. Times are in seconds and sizes in bytes; the name says
which. A histogram has the samples \`_bucket\` (with the label \`le\`), \`_sum\` and \`_count\`.

## Doorward

${metricsTable(METRICS)}
## The process

Node's own, of the main thread unless the meaning says more. Some exist on Linux only.

${metricsTable(PROCESS_METRICS)}`;
}

function metricsTable(records: Readonly<Record<string, MetricRecord>>): string {
  const rows = Object.entries(records).map(([name, { type, unit, labels, meaning, since }]) => [
    `\`${name}\``,
    type,
    unit ?? '',
    Object.entries(labels).map(labelText).join('; '),
    meaning,
    since,
  ]);
  return table(['Name', 'Type', 'Unit', 'Labels', 'Meaning', 'Since'], rows);
}

function labelText([label, values]: readonly [string, readonly string[] | string]): string {
  const text = typeof values === 'string' ? values : values.map((value) => `\`${value}\``).join(', ');
  return `\`${label}\`: ${text}`;
}
