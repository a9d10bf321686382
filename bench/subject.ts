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
export function measure(subject: Pick<Subject, 'pid'>, job: Job): Promise<Measure> {
  return measureAll(subject, [job]);
}

/** Runs loads at once, each in a fresh process. The latencies are the median of theirs. */
export async function measureAll(subject: Pick<Subject, 'pid'>, jobs: readonly Job[]): Promise<Measure> {
  const loads = jobs.map(() => startLoadProcess());
  try {
    const before = cpuMs(subject.pid());
    const founds = await Promise.all(jobs.map(async (job, n) => loads[n]!.run(job)));
    const used = cpuMs(subject.pid()) - before;
    const found = together(founds);
    if (found.failures > found.answers / 100)
      throw new Error(`Cannot measure: ${found.failures} failures beside ${found.answers} answers`);
    const perSecond = found.answers / (found.ms / 1000);
    return { ...found, cpuMs: used, cpuUs: (used * 1000) / found.answers, perSecond };
  } finally {
    for (const load of loads) await load.close();
  }
}

function together(founds: readonly Found[]): Found {
  const sum = (of: (found: Found) => number) => founds.reduce((all, found) => all + of(found), 0);
  return {
    answers: sum((found) => found.answers),
    failures: sum((found) => found.failures),
    bytes: sum((found) => found.bytes),
    ms: Math.max(...founds.map((found) => found.ms)),
    p50Ms: median(founds.map((found) => found.p50Ms)),
    p99Ms: median(founds.map((found) => found.p99Ms)),
  };
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
