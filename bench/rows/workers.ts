// What more workers carry: the same load, of two generators, on one worker, on two, and on four where the
// machine has cores for them and for the load.

import { availableParallelism } from 'node:os';
import { startDoorward, type Doorward } from '../proxies/doorward.ts';
import type { Size } from '../size.ts';
import { interleave, measureAll, type Measure } from '../subject.ts';

/** By the number of workers, fewest first. */
export type WorkerMeasures = ReadonlyMap<number, readonly Measure[]>;

export async function measureWorkers(size: Size, backendPort: number): Promise<WorkerMeasures> {
  const started = new Map<number, Doorward>();
  try {
    for (const workers of COUNTS) {
      if (workers > 2 && availableParallelism() < 2 * workers) continue;
      const gateway = { workers };
      const options = { backendPort, visitors: size.visitors, shares: 2, starts: 1, gateway };
      started.set(workers, await startDoorward(options));
    }
    const all = (count: number) =>
      Object.fromEntries(
        [...started].map(([workers, { protected: subject }]) => [
          `${workers}`,
          () =>
            measureAll(
              subject,
              Array.from({ length: GENERATORS }, () => ({
                kind: 'http1',
                port: subject.port,
                requests: subject.requests('/'),
                connections: CONNECTIONS,
                count: count / GENERATORS,
                limitMs: size.limitMs,
              })),
            ),
        ]),
      );
    await interleave(1, all(size.warmUp));
    const taken = await interleave(size.rounds, all(size.count));
    return new Map([...started.keys()].map((workers) => [workers, taken[`${workers}`] ?? []]));
  } finally {
    for (const doorward of started.values()) await doorward.close();
  }
}

const COUNTS = [1, 2, 4] as const;
const GENERATORS = 2;
/** Of each generator. */
const CONNECTIONS = 32;
