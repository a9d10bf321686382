// How many requests each share got, and what became of them: plain numbers in the worker's memory, told to
// the main thread every two seconds while there are any. Shares without a request cost nothing.

import type { ShareActivity } from '../domain/activity.ts';
import type { ShareId } from '../domain/id.ts';
import type { FaultCode } from '../domain/service-error.ts';
import type { FromWorker } from './messages.ts';
import type { Visit } from './visit.ts';

export type Activity = {
  /** Once for each visit, when it is over, or became a WebSocket. */
  readonly count: (visit: CountedVisit) => void;
  readonly flush: () => void;
};

export type CountedVisit = Pick<Visit, 'share' | 'status' | 'answered' | 'reason'>;

export function createActivity(post: (message: FromWorker) => void): Activity {
  const counts = new Map<ShareId, { -readonly [Member in keyof ShareActivity]: ShareActivity[Member] }>();
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (counts.size > 0) post({ type: 'activity', shares: [...counts.values()] });
    counts.clear();
  };
  return {
    flush,
    count: ({ share, status, answered, reason }) => {
      if (share === null) return;
      let own = counts.get(share.id);
      if (own === undefined) {
        const { id: shareId, accountId } = share;
        own = { shareId, accountId, requests: 0, answered: 0, refused: 0, faulted: 0 };
        counts.set(shareId, own);
        timer ??= setTimeout(flush, BATCH_MS).unref();
      }
      own.requests++;
      if (reason !== null && BACKEND_FAULTS.has(reason)) own.faulted++;
      else if (answered) own.answered++;
      else if (status >= 400) own.refused++;
    },
  };
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
