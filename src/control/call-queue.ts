// How many calls of one account run at the same time. Others wait in order, and every call that ends lets the
// thread do something else before the next begins: whoever calls much waits for themselves, and nobody waits
// for them.

import { type AccountLimits, partForOthers } from '../domain/account-limits.ts';
import { ServiceError } from '../domain/service-error.ts';

export type CallQueue = {
  /**
   * Resolves when one more of that caller may run, with how to end it, which may be called again. Throws
   * `rate_limited`, and `bad_request` once `left` is aborted: nobody waits for the answer any more.
   * `isAdmin`: may take the places, to run and to wait, that others leave.
   */
  readonly enter: (caller: string, isAdmin?: boolean, left?: AbortSignal) => Promise<() => void>;
};

export function createCallQueue(
  limits: () => Pick<AccountLimits, 'callsAtOnce' | 'callsWaiting'>,
  waitLimitMs: number = WAIT_LIMIT_MS,
): CallQueue {
  const lines = new Map<string, Line>();
  const mayRun = ({ running }: Line, isAdmin: boolean) => hasPlace(running, limits().callsAtOnce, isAdmin);
  return {
    async enter(caller, isAdmin = true, left) {
      if (left?.aborted === true) throw nobodyWaits();
      const line = lines.get(caller) ?? { running: { all: 0, others: 0 }, waiting: new Set() };
      lines.set(caller, line);
      if (mayRun(line, isAdmin)) count(line, isAdmin, 1);
      else if (hasPlace(countOf(line.waiting), limits().callsWaiting, isAdmin))
        await turnOf(line, { isAdmin, left, limitMs: waitLimitMs });
      else throw tooMany();
      let over = false;
      return () => {
        if (over) return;
        over = true;
        count(line, isAdmin, -1);
        const next = [...line.waiting].find((waiter) => mayRun(line, waiter.isAdmin));
        if (next !== undefined) {
          line.waiting.delete(next);
          count(line, next.isAdmin, 1);
          setImmediate(next.go);
        }
        if (line.running.all === 0) lines.delete(caller);
      };
    },
  };
}

/** `running` counts the place that goes from one that ends to one that waited. */
type Line = { readonly running: Places; readonly waiting: Set<Waiter> };
type Places = { all: number; others: number };
type Waiter = { readonly isAdmin: boolean; readonly go: () => void };

function hasPlace({ all, others }: Places, most: number, isAdmin: boolean): boolean {
  return all < most && (isAdmin || others < partForOthers(most));
}

function count({ running }: Line, isAdmin: boolean, by: 1 | -1): void {
  running.all += by;
  if (!isAdmin) running.others += by;
}

function countOf(waiting: ReadonlySet<Waiter>): Places {
  const others = [...waiting].filter(({ isAdmin }) => !isAdmin).length;
  return { all: waiting.size, others };
}

type Wait = {
  readonly isAdmin: boolean;
  readonly left: AbortSignal | undefined;
  readonly limitMs: number;
};

async function turnOf({ waiting }: Line, { isAdmin, left, limitMs }: Wait): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const waiter: Waiter = { isAdmin, go: resolve };
  const giveUp = (fault: ServiceError) => {
    if (waiting.delete(waiter)) reject(fault);
  };
  const leave = () => giveUp(nobodyWaits());
  const timer = setTimeout(() => giveUp(tooMany()), limitMs);
  left?.addEventListener('abort', leave);
  waiting.add(waiter);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    left?.removeEventListener('abort', leave);
  }
}

function nobodyWaits(): ServiceError {
  return new ServiceError('bad_request', 'Cannot answer the call: the caller left');
}

function tooMany(): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Cannot answer the call: your account has too many calls in progress',
    {
      hint: 'Make fewer calls at once. The operator can raise limits.calls_at_once and limits.calls_waiting.',
      extra: { retryAfterSeconds: RETRY_SECONDS },
    },
  );
}

/** Callers give up by then. */
const WAIT_LIMIT_MS = 30_000;
const RETRY_SECONDS = 2;
