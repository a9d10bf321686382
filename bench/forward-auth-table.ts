// What an answer to a proxy's question costs, as a table, and what it may cost.

import { grouped, measureRow, ratio, table } from './compare.ts';
import { type ForwardAuthMeasures, NOTHING_ASKED, OURS, PEER } from './rows/forward-auth.ts';
import type { Size } from './size.ts';
import { median } from './subject.ts';

export function forwardAuthTable({ answerers, peer }: ForwardAuthMeasures): string {
  const base = answerers[NOTHING_ASKED] ?? [];
  return table(
    ['Who answers nginx', 'CPU µs an answer', '×', 'requests/s', '×', 'p50 ms', '×', 'p99 ms', '×'],
    Object.entries(answerers).map(([title, measures]) =>
      measureRow(title === PEER ? `${peer}, logged in` : title, measures, base),
    ),
  );
}

/** What an answer costs, and may cost: 1.3 × `return 200`, and what the gate itself does. */
export function answerCost({ answerers, gateUs }: ForwardAuthMeasures): {
  readonly us: number;
  readonly allowedUs: number;
} {
  const nothing = answerers[NOTHING_ASKED] ?? [];
  const ours = answerers[OURS] ?? [];
  const gate = median(gateUs);
  const baseUs = median(nothing.map(({ cpuUs }) => cpuUs));
  // By the ratio, so that what disturbed the machine in a round disturbed both.
  const us = baseUs * ratio(ours, nothing, ({ cpuUs }) => cpuUs);
  return { us, allowedUs: FACTOR * baseUs + gate };
}

export function forwardAuthNotes({ gateUs }: ForwardAuthMeasures, size: Size): readonly string[] {
  return [
    `Forward auth: nginx with \`examples/forward-auth/nginx/app.conf\` (over plain HTTP here) asks about each of ${grouped(size.count)} requests by visitors who are logged in, over kept connections; CPU is that of whoever answers, all else is what the visitor sees through nginx. The other answerers stand behind the same configuration.`,
    `The gate's own work for a question, ${median(gateUs).toFixed(1)} µs, is all from the parsed head of the question to the head of its answer, the line in the log included, measured in a process that does nothing else and has no sockets.`,
  ];
}

const FACTOR = 1.3;
