// How many calls of a kind one account may make: a minute's worth at once, and then as they come back,
// evenly.

import { LRUCache } from 'lru-cache';
import { atMost } from '../domain/at-most.ts';
import { partForOthers } from '../domain/account-limits.ts';
import { ServiceError } from '../domain/service-error.ts';

/**
 * Counts one, and throws `rate_limited` when it is one too many. `isAdmin`: may use up the part that others
 * leave. `charge` counts so many more for a call that was allowed: what that overdraws is paid back before
 * the next one.
 */
export type CallBudget = {
  (caller: string, isAdmin?: boolean): void;
  readonly charge: (caller: string, count: number) => void;
  /** Whether one more is one too many. */
  readonly isUsedUp: (caller: string) => boolean;
};

/** `of` names what there is a budget of, in the words of the refusal: `changes`. */
export function createCallBudget(
  now: () => number,
  { perMinute, of, hint }: { readonly perMinute: () => number; readonly of: string; readonly hint: string },
): CallBudget {
  const spent = new LRUCache<string, { used: number; at: number }>(atMost(MAX_CALLERS));
  const usedBy = (caller: string, at: number): number => {
    const known = spent.get(caller) ?? { used: 0, at };
    // A clock that was set back gives nothing back.
    const backMs = Math.max(0, at - known.at);
    return Math.max(0, known.used - (backMs * perMinute()) / MINUTE_MS);
  };
  const count = (caller: string, isAdmin = true): void => {
    const all = perMinute();
    const most = isAdmin ? all : partForOthers(all);
    const at = now();
    const used = usedBy(caller, at);
    if (used + 1 > most)
      throw new ServiceError('rate_limited', `Cannot answer the call: your account made too many ${of}`, {
        hint,
        extra: { retryAfterSeconds: Math.max(1, Math.ceil(((used + 1 - most) * MINUTE_MS) / all / 1000)) },
      });
    spent.set(caller, { used: used + 1, at });
  };
  return Object.assign(count, {
    charge: (caller: string, more: number): void => {
      const at = now();
      spent.set(caller, { used: usedBy(caller, at) + more, at });
    },
    isUsedUp: (caller: string) => usedBy(caller, now()) + 1 > perMinute(),
  });
}

const MINUTE_MS = 60_000;
/** About 2 MB at most. An account that is forgotten has its whole budget. */
const MAX_CALLERS = 20_000;
