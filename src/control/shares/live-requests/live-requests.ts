// Who watches the requests of which share, here and at the other gateways of the store, and what brings one
// to the other:
//
//   workers ── told ──► watchers here
//      ▲          └───► bulletin ──► other gateways ──► watchers there
//      └── wanted: shares that are watched here or there
//
// A watch is announced to the others when it begins and again every few seconds, so one whose gateway died
// costs nothing for long. Nothing is stored, and nothing is told while nobody watches.

import type { ShareId } from '../../../domain/id.ts';
import type { Log } from '../../../domain/log.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import type { RequestBatch } from '../../../domain/share-request.ts';
import type { Bulletin } from '../../../store/bulletin.ts';
import { batchTexts, readPost, watchTexts } from './posts.ts';

export type Watcher = {
  readonly heard: (batch: RequestBatch) => void;
  /** The service stops: nothing more comes. */
  readonly ending: () => void;
};

export type Watch = {
  /** Resolves once what ends at this gateway is told. At the others it takes a moment longer. */
  readonly ready: Promise<void>;
  readonly stop: () => void;
};

export type LiveRequests = {
  /** Throws `draining` while the service stops. */
  readonly watch: (shareId: ShareId, watcher: Watcher) => Watch;
  /** What the workers of this process tell. */
  readonly told: (batches: readonly RequestBatch[]) => void;
  /** What workers begin with. */
  readonly wanted: () => readonly ShareId[];
  /** Ends every watch. */
  readonly stop: () => void;
};

export type LiveRequestsDeps = {
  readonly bulletin: Bulletin;
  /** Requests at these shares are told of from now on, and at no others. */
  readonly tellWorkers: (shares: readonly ShareId[]) => Promise<void>;
  readonly log: Log;
};

export function createLiveRequests({ bulletin, tellWorkers, log }: LiveRequestsDeps): LiveRequests {
  const here = new Map<ShareId, Set<Watcher>>();
  /** When the watches of others are over, on the clock of `performance.now()`. */
  const elsewhere = new Map<ShareId, number>();
  let wanted: ReadonlySet<ShareId> = new Set();
  let telling: Promise<void> = Promise.resolve();
  let stopped = false;
  const post = createPoster(bulletin, log);
  const update = () => {
    const next = new Set([...here.keys(), ...elsewhere.keys()]);
    if (next.size === wanted.size && next.isSubsetOf(wanted)) return;
    wanted = next;
    telling = tellWorkers([...next]);
  };
  /** What others were not told, as the store does not keep up: it is counted with what they hear next. */
  const owed = new Map<ShareId, number>();
  const tellElsewhere = ({ shareId, requests, skipped }: RequestBatch) => {
    const texts = batchTexts({ shareId, requests, skipped: skipped + (owed.get(shareId) ?? 0) });
    owed.delete(shareId);
    for (const { text, count } of texts) if (!post(text)) owed.set(shareId, (owed.get(shareId) ?? 0) + count);
  };
  const deliver = (batch: RequestBatch) => here.get(batch.shareId)?.forEach((each) => each.heard(batch));
  const heardElsewhere = (shares: readonly ShareId[]) => {
    const until = performance.now() + WATCH_LASTS_MS;
    for (const share of shares)
      if (elsewhere.has(share) || elsewhere.size < MOST_ELSEWHERE) elsewhere.set(share, until);
    update();
  };
  bulletin.onPost((text) => {
    const heard = stopped ? null : readPost(text);
    if (heard?.kind === 'watch') heardElsewhere(heard.shares);
    else if (heard?.kind === 'batch') deliver(heard.batch);
  });
  const forget = (share: ShareId) => {
    elsewhere.delete(share);
    owed.delete(share);
  };
  const timer = setInterval(() => {
    for (const [share, until] of elsewhere) if (until <= performance.now()) forget(share);
    update();
    for (const text of watchTexts([...here.keys()])) post(text);
  }, RENEW_MS).unref();
  return {
    wanted: () => [...wanted],
    told: (batches) => {
      for (const batch of batches) {
        deliver(batch);
        if (elsewhere.has(batch.shareId)) tellElsewhere(batch);
      }
    },
    watch: (shareId, watcher) => {
      if (stopped) throw stopping();
      const others = here.get(shareId) ?? new Set();
      here.set(shareId, others.add(watcher));
      if (others.size === 1) for (const text of watchTexts([shareId])) post(text);
      update();
      return {
        ready: telling,
        stop: () => {
          others.delete(watcher);
          if (others.size === 0 && here.get(shareId) === others) here.delete(shareId);
          update();
        },
      };
    },
    stop: () => {
      stopped = true;
      clearInterval(timer);
      // Each takes itself out.
      for (const watchers of Array.from(here.values(), (each) => Array.from(each)))
        for (const watcher of watchers) watcher.ending();
    },
  };
}

/** False when it was not even tried. */
type Poster = (text: string) => boolean;

/**
 * One after the other, as they are to be heard in this order. A store that is slow or away is not asked for
 * ever more.
 */
function createPoster(bulletin: Bulletin, log: Log): Poster {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const postNext = async (text: string) => {
    try {
      await bulletin.post(text);
    } catch (error) {
      log.debug({ err: error }, 'Cannot notify the other gateways about watched requests');
    } finally {
      waiting--;
    }
  };
  return (text) => {
    if (waiting >= MOST_WAITING) return false;
    waiting++;
    last = last.then(() => postNext(text));
    return true;
  };
}

export function stopping(): ServiceError {
  return new ServiceError('draining', 'Cannot continue the live view: the service is restarting', {
    hint: 'Start it again in a moment.',
  });
}

const RENEW_MS = 5_000;
/** Three announcements: one may be late, or lost to a store that is away for a moment. */
const WATCH_LASTS_MS = 3 * RENEW_MS;
/** Each gateway has far fewer watchers. */
const MOST_ELSEWHERE = 1_000;
/** Of 8 kB each: a second's worth of the busiest shares. */
const MOST_WAITING = 30;
