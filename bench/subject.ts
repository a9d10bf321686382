// A proxy under measurement, and how one measurement is taken: its CPU before and after a load.

import { cpuMs } from './process-cost.ts';
import type { Found, Job } from './load/job.ts';
import { startLoadProcess } from './processes.ts';

export type Subject = {
  readonly name: string;
  readonly pid: () => number;
  readonly port: number;
  /** A whole GET for `path`, once for each visitor that there is. */
  readonly requests: (path: string, more?: string) => readonly string[];
};

export type Measure = Found & {
  /** CPU of the proxy for one answer. */
  readonly cpuUs: number;
  /** CPU of the proxy during the whole load. */
  readonly cpuMs: number;
  readonly perSecond: number;
};

/** Runs one load in a fresh process against one proxy. */
export async function measure(subject: Pick<Subject, 'pid'>, job: Job): Promise<Measure> {
  const load = startLoadProcess();
  try {
    const before = cpuMs(subject.pid());
    const found = await load.run(job);
    const used = cpuMs(subject.pid()) - before;
    if (found.failures > found.answers / 100)
      throw new Error(`Cannot measure: ${found.failures} failures beside ${found.answers} answers`);
    const perSecond = found.answers / (found.ms / 1000);
    return { ...found, cpuMs: used, cpuUs: (used * 1000) / found.answers, perSecond };
  } finally {
    await load.close();
  }
}

/** Rounds of one measurement of each, in turn, so that what disturbs the machine disturbs all alike. */
export async function interleave<Name extends string>(
  rounds: number,
  takes: Readonly<Record<Name, () => Promise<Measure>>>,
): Promise<Record<Name, readonly Measure[]>> {
  const names = Object.keys(takes) as Name[];
  const measures = Object.fromEntries(names.map((name) => [name, [] as Measure[]])) as Record<
    Name,
    Measure[]
  >;
  for (let round = 0; round < rounds; round++)
    for (const name of names) measures[name].push(await takes[name]());
  return measures;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
