// How two proxies compare, and tables of it.

import type { Latencies } from './rows/half-load.ts';
import { median, type Measure } from './subject.ts';

/** p99 beyond the backend's own. */
export function addedMs({ direct, nginx, doorward }: Latencies): {
  readonly nginx: number;
  readonly doorward: number;
} {
  return { nginx: p99(nginx) - p99(direct), doorward: p99(doorward) - p99(direct) };
}

function p99(measures: readonly Measure[]): number {
  return median(measures.map((m) => m.p99Ms));
}

/** The median of the rounds' ratios. */
export function ratio(
  measures: readonly Measure[],
  base: readonly Measure[],
  of: (measure: Measure) => number,
): number {
  return median(
    measures.flatMap((measure, round) => {
      const beside = base[round];
      return beside === undefined ? [] : [of(measure) / of(beside)];
    }),
  );
}

/** CPU, rate and latencies, each beside those of `base`. */
export function measureRow(title: string, measures: readonly Measure[], base: readonly Measure[]): string[] {
  const cells = (of: (measure: Measure) => number, digits: number) => [
    median(measures.map(of)).toFixed(digits),
    ratio(measures, base, of).toFixed(2),
  ];
  return [
    title,
    ...cells((m) => m.cpuUs, 1),
    ...cells((m) => m.perSecond, 0),
    ...cells((m) => m.p50Ms, 2),
    ...cells((m) => m.p99Ms, 2),
  ];
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = line(head.map((_, n) => (n === 0 ? '---' : '--:')));
  return [line(head), rule, ...rows.map(line)].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
