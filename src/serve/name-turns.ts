// Asks for names one at a time. The operating system answers few at once in the whole process, and one whose
// servers are away keeps a place for half a minute, long after anybody waits for it: what is asked for by the
// way must leave room for the names that a visitor or a login waits for.

import { unlessAborted } from '../domain/in-time.ts';
import type { Lookup } from '../providers/dial-target.ts';

/**
 * Calls `work` with the way to ask for that name, once no other is asked for. Null, without a call, for one
 * that was slow to be answered lately, and when `end` comes first.
 */
export type NameTurns = <Value>(
  name: string,
  end: AbortSignal,
  work: (lookup: Lookup) => Promise<Value>,
) => Promise<Value | null>;

export function createNameTurns(ask: Lookup): NameTurns {
  const restingUntil = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();
  const isResting = (name: string): boolean => {
    const now = performance.now();
    for (const [each, until] of restingUntil) if (until <= now) restingUntil.delete(each);
    return restingUntil.has(name);
  };
  const asking = async (name: string): ReturnType<Lookup> => {
    const beganAt = performance.now();
    try {
      return await ask(name);
    } finally {
      const now = performance.now();
      if (now - beganAt > SLOW_MS) restingUntil.set(name, now + REST_MS);
    }
  };
  return async (name, end, work) => {
    if (isResting(name)) return null;
    const ahead = last;
    const own = Promise.withResolvers<void>();
    last = own.promise;
    let asked: Promise<unknown> = ahead;
    try {
      await unlessAborted(ahead, end).catch(() => undefined);
      if (end.aborted || isResting(name)) return null;
      return await work((wanted) => {
        const answer = asking(wanted);
        asked = answer;
        return answer;
      });
    } finally {
      // Whoever asked may have gone on: the turn is over when the system is done.
      void asked.catch(() => undefined).then(() => own.resolve());
    }
  };
}

/** An answer from a cache, or from servers that are there, takes less. */
const SLOW_MS = 1_000;
/** Less than what was found of a target counts. */
const REST_MS = 120_000;
