// How many calls of one account run at the same time. Others wait in order, and every call that ends lets the thread do something
// else before the next begins: whoever calls much waits for themselves, and nobody waits for them.

import type { AccountLimits } from '../domain/account-limits.ts';
import { ServiceError } from '../domain/service-error.ts';

export type CallQueue = {
  /** Resolves when one more of that caller may run, with how to end it, which may be called again. Throws `rate_limited`. */
  readonly enter: (caller: string) => Promise<() => void>;
};

export function createCallQueue(
  limits: () => Pick<AccountLimits, 'callsAtOnce' | 'callsWaiting'>,
  waitLimitMs: number = WAIT_LIMIT_MS,
): CallQueue {
  const lines = new Map<string, Line>();
  return {
    async enter(caller) {
      const line = lines.get(caller) ?? { running: 0, waiting: new Set() };
      lines.set(caller, line);
      const { callsAtOnce, callsWaiting } = limits();
      if (line.running < callsAtOnce) line.running++;
      else if (line.waiting.size >= callsWaiting) throw tooMany();
      else await turnOf(line, waitLimitMs);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        const [next] = line.waiting;
        if (next === undefined) line.running--;
        else {
          line.waiting.delete(next);
          setImmediate(next);
        }
        if (line.running === 0) lines.delete(caller);
      };
    },
  };
}

/** `running` counts the place that goes from one that ends to one that waited. */
type Line = { running: number; readonly waiting: Set<() => void> };

function turnOf({ waiting }: Line, limitMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    if (waiting.delete(go)) reject(tooMany());
  }, limitMs);
  const go = () => {
    clearTimeout(timer);
    resolve();
  };
  waiting.add(go);
  return promise;
}

function tooMany(): ServiceError {
  return new ServiceError('rate_limited', 'Cannot answer the call: too many of your account run at once', {
    hint: 'Make fewer calls at once. The operator can raise limits.calls_at_once and limits.calls_waiting.',
    extra: { retryAfterSeconds: RETRY_SECONDS },
  });
}

/** Callers give up by then. */
const WAIT_LIMIT_MS = 30_000;
const RETRY_SECONDS = 2;
