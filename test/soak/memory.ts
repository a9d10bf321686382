// Memory of another process while something happens.

import { residentMb } from '../../bench/process-cost.ts';

export type Memory = { readonly beforeMb: number; readonly peakMb: number };

/** Looks at the process all the while that `work` runs. */
export async function watchMemory<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly memory: Memory }> {
  const beforeMb = residentMb(pid);
  let peakMb = beforeMb;
  const look = () => {
    peakMb = Math.max(peakMb, residentMb(pid));
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    const result = await work();
    look();
    return { result, memory: { beforeMb, peakMb } };
  } finally {
    clearInterval(timer);
  }
}

const LOOK_MS = 20;
