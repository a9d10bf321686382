// How many requests each share got, and what became of them: plain numbers in the worker's memory, told to
// the main thread every two seconds while there are any. Shares without a request cost nothing; a share with
// requests keeps its numbers from one telling to the next, so that a request makes none.

import { type ShareActivity, noFigures, statusClass } from '../domain/activity.ts';
import { bucketOf } from '../domain/duration-buckets.ts';
import type { ShareId } from '../domain/id.ts';
import type { FaultCode } from '../domain/service-error.ts';
import type { Share } from '../domain/share.ts';
import type { FromWorker } from './messages.ts';
import type { Visit } from './visit.ts';

export type Activity = {
  /** Once for each visit, when it is over, or became a WebSocket. */
  readonly count: (visit: CountedVisit) => void;
  readonly flush: () => void;
};

export type CountedVisit = Pick<Visit, 'share' | 'status' | 'answered' | 'reason' | 'startedAt'>;

export function createActivity(post: (message: FromWorker) => void): Activity {
  const counts = new Map<ShareId, Counted>();
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const [id, { requests }] of counts) if (requests === 0) counts.delete(id);
    if (counts.size === 0) return;
    post({ type: 'activity', shares: [...counts.values()] });
    for (const own of counts.values()) reset(own);
    // Once more, to let go of those that get nothing now.
    timer = setTimeout(flush, BATCH_MS).unref();
  };
  return {
    flush,
    count: ({ share, status, answered, reason, startedAt }) => {
      if (share === null) return;
      const own = counts.get(share.id) ?? begin(counts, share);
      timer ??= setTimeout(flush, BATCH_MS).unref();
      own.requests++;
      own.statuses[statusClass(status)]!++;
      if (reason !== null && BACKEND_FAULTS.has(reason)) own.faulted++;
      else if (answered) {
        const ms = performance.now() - startedAt;
        own.answered++;
        own.durations[bucketOf(ms)]!++;
        own.durationsMs += ms;
      } else if (status >= 400) own.refused++;
    },
  };
}

type Counted = { -readonly [Member in keyof ShareActivity]: ShareActivity[Member] };

function begin(counts: Map<ShareId, Counted>, { id: shareId, accountId }: Share): Counted {
  const own = { shareId, accountId, requests: 0, answered: 0, refused: 0, faulted: 0, ...noFigures() };
  counts.set(shareId, own);
  return own;
}

function reset(own: Counted): void {
  own.requests = 0;
  own.answered = 0;
  own.refused = 0;
  own.faulted = 0;
  own.statuses.fill(0);
  own.durations.fill(0);
  own.durationsMs = 0;
}

const BACKEND_FAULTS: ReadonlySet<string> = new Set([
  'backend_down',
  'backend_timeout',
  'backend_refused',
  'agent_away',
  'agent_busy',
] satisfies FaultCode[]);
/** Fresh enough for who looks at a page, and one message for all requests of that time. */
const BATCH_MS = 2_000;
