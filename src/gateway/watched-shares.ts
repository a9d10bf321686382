// Tells the main thread of requests at shares that somebody watches, in batches. At any other share a request
// costs one look into a map, and no message. Bounded for each share, whatever visitors do: what is too much
// is counted.

import type { ShareId } from '../domain/id.ts';
import type { RequestBatch, ShareRequest } from '../domain/share-request.ts';
import { pathOf } from './access-log.ts';
import type { Visit } from './visit.ts';

export type WatchedShares = {
  /** These, and no others. */
  readonly watch: (shares: readonly ShareId[]) => void;
  readonly note: (visit: Visit, complete: boolean) => void;
  readonly flush: () => void;
};

export function createWatchedShares(send: (batches: readonly RequestBatch[]) => void): WatchedShares {
  let watched: ReadonlyMap<ShareId, Watched> = new Map();
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const batches = Array.from(watched, ([shareId, share]) => taken(shareId, share));
    const told = batches.filter(({ requests, skipped }) => requests.length + skipped > 0);
    if (told.length > 0) send(told);
  };
  return {
    flush,
    watch: (shares) => {
      const before = watched;
      watched = new Map(shares.map((id) => [id, before.get(id) ?? newlyWatched(performance.now())]));
    },
    note: (visit, complete) => {
      const share = visit.share === null ? undefined : watched.get(visit.share.id);
      if (share === undefined) return;
      if (takeOne(share, performance.now())) share.requests.push(requestOf(visit, complete));
      else share.skipped++;
      timer ??= setTimeout(flush, BATCH_MS).unref();
    },
  };
}

type Watched = {
  requests: ShareRequest[];
  skipped: number;
  /** How many more may be told now, and as of when. */
  allowance: number;
  countedAt: number;
};

function newlyWatched(now: number): Watched {
  return { requests: [], skipped: 0, allowance: MOST_AT_ONCE, countedAt: now };
}

function takeOne(share: Watched, now: number): boolean {
  const more = ((now - share.countedAt) / 1000) * MOST_A_SECOND;
  share.allowance = Math.min(MOST_AT_ONCE, share.allowance + more);
  share.countedAt = now;
  if (share.allowance < 1) return false;
  share.allowance--;
  return true;
}

function taken(shareId: ShareId, share: Watched): RequestBatch {
  const { requests, skipped } = share;
  share.requests = [];
  share.skipped = 0;
  return { shareId, requests, skipped };
}

function requestOf(visit: Visit, complete: boolean): ShareRequest {
  const { exchange, status } = visit;
  const who = visit.email ?? visit.holder ?? visit.token;
  return {
    requestId: visit.id,
    at: Date.now(),
    method: exchange.method.slice(0, MAX_METHOD),
    path: pathOf(exchange.target, MAX_PATH),
    status: status === 0 ? null : status,
    authorized: visit.authorized,
    durationMs: Math.round(performance.now() - visit.startedAt),
    who: who === null ? null : who.slice(0, MAX_WHO),
    reason: visit.reason,
    aborted: !complete,
    address: visit.visitor.address,
  };
}

/** Soon enough to be called live; a message costs the same for one request as for hundreds. */
const BATCH_MS = 200;
/** A page of an application in development loads some hundred modules. */
const MOST_AT_ONCE = 400;
/** More than anybody reads. */
const MOST_A_SECOND = 100;
/** Rows of a table: whoever needs all of a path has the access log. */
const MAX_PATH = 300;
const MAX_METHOD = 20;
const MAX_WHO = 254;
