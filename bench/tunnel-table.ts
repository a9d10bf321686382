// What a tunnel costs at both ends, as a table.

import { table } from './compare.ts';
import type { BothEnds, TunnelMeasures } from './rows/tunnel.ts';
import { median } from './subject.ts';

export function tunnelTable(rows: TunnelMeasures): string {
  return table(
    [
      '280-byte answers, 32 at once, no login',
      'CPU µs a request, gateway',
      'agent',
      'requests/s',
      'p50 ms',
      'p99 ms',
      'Download, MB/s',
      'CPU ms a GB, gateway',
      'agent',
    ],
    rows.map(({ title, requests, download }) => [
      title,
      middle(requests, (each) => each.cpuUs, 1),
      middle(requests, (each) => (each.agentMs === null ? null : (each.agentMs * 1000) / each.answers), 1),
      middle(requests, (each) => each.perSecond, 0),
      middle(requests, (each) => each.p50Ms, 2),
      middle(requests, (each) => each.p99Ms, 2),
      middle(download, (each) => each.bytes / 1e3 / each.ms, 0),
      middle(download, (each) => each.cpuMs / (each.bytes / 1e9), 0),
      middle(download, (each) => (each.agentMs === null ? null : each.agentMs / (each.bytes / 1e9)), 0),
    ]),
  );
}

/** Empty when there is none. */
function middle(
  measures: readonly BothEnds[],
  of: (each: BothEnds) => number | null,
  digits: number,
): string {
  const values = measures.map(of).filter((value) => value !== null);
  return values.length === 0 ? '' : median(values).toFixed(digits);
}
