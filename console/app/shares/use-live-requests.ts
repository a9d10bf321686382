// Follows the requests at a share while its page is looked at: connects again by itself, ever more slowly,
// and lets go of the connection in a tab that is not looked at, after some minutes or as soon as another such
// tab is.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { WatchedEvent } from '../../../src/client/watch-requests.ts';
import { ServiceError } from '../../../src/domain/service-error.ts';
import { client, mayRecover } from '../api/client.ts';
import { goneOn, NOTHING_SEEN, type SeenRequests, withEvents } from './seen-requests.ts';

export type LiveLink =
  | { readonly kind: 'connecting' | 'live' | 'away' | 'full' | 'asleep' }
  /** It does not come back by itself. */
  | { readonly kind: 'over'; readonly error: unknown };

export type LiveRequests = {
  readonly link: LiveLink;
  readonly seen: SeenRequests;
  /** Whether the table is held still. */
  readonly still: boolean;
  readonly hold: (still: boolean) => void;
  readonly clear: () => void;
  readonly again: () => void;
};

/** `shareId`: another one, and everything begins again. */
export function useLiveRequests(shareId: string): LiveRequests {
  const [link, setLink] = useState<LiveLink>({ kind: 'connecting' });
  const [seen, setSeen] = useState(NOTHING_SEEN);
  const [still, setStill] = useState(false);
  const [round, setRound] = useState(0);
  const stillNow = useRef(still);
  stillNow.current = still;
  const queries = useQueryClient();
  const looked = useLookedAt();
  useEffect(() => {
    if (!looked) {
      setLink({ kind: 'asleep' });
      return undefined;
    }
    const stop = new AbortController();
    const gathered: WatchedEvent[] = [];
    // Many at once are one change of the page.
    const timer = setInterval(() => {
      const events = gathered.splice(0);
      if (events.length > 0) setSeen((before) => withEvents(before, events, stillNow.current));
    }, SHOW_EVERY_MS);
    const tell = (next: LiveLink) => {
      setLink(next);
      // The shell asks to log in when there is none any more.
      if (next.kind === 'over') void queries.invalidateQueries({ queryKey: ['session'] });
    };
    void follow(shareId, { signal: stop.signal, heard: (event) => gathered.push(event), tell });
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [shareId, looked, round, queries]);
  return {
    link,
    seen,
    still,
    hold: (next) => {
      setStill(next);
      if (!next) setSeen(goneOn);
    },
    clear: () => {
      setStill(false);
      setSeen((before) => ({ ...NOTHING_SEEN, nextKey: before.nextKey }));
    },
    again: () => setRound((before) => before + 1),
  };
}

type Following = {
  readonly signal: AbortSignal;
  readonly heard: (event: WatchedEvent) => void;
  readonly tell: (link: LiveLink) => void;
};

async function follow(shareId: string, { signal, heard, tell }: Following): Promise<void> {
  tell({ kind: 'connecting' });
  for (let failures = 0; !signal.aborted; failures++)
    try {
      for await (const event of client.shares.watch(shareId, signal)) {
        if (event.kind === 'open') {
          failures = 0;
          tell({ kind: 'live' });
        }
        heard(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!mayRecover(error) && !isTooMany(error)) return tell({ kind: 'over', error });
      tell({ kind: isTooMany(error) ? 'full' : 'away' });
      await pause(Math.min(AGAIN_MS * 2 ** failures, AGAIN_LIMIT_MS), signal);
    }
}

/** Another watch may end. */
function isTooMany(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'rate_limited';
}

/**
 * True as soon as somebody looks, and for some minutes after they left, for another tab of the application
 * perhaps; not when they look at another live page. A browser has six connections to one host: tabs must not
 * keep them from each other.
 */
function useLookedAt(): boolean {
  const [looked, setLooked] = useState(isVisible);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tabs = new BroadcastChannel('doorward-live');
    tabs.onmessage = () => {
      if (!isVisible()) setLooked(false);
    };
    const changed = () => {
      clearTimeout(timer);
      if (!isVisible()) {
        timer = setTimeout(() => setLooked(false), ASLEEP_AFTER_MS);
        return;
      }
      setLooked(true);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
      tabs.postMessage('looked at');
    };
    changed();
    document.addEventListener('visibilitychange', changed);
    return () => {
      clearTimeout(timer);
      tabs.close();
      document.removeEventListener('visibilitychange', changed);
    };
  }, []);
  return looked;
}

function isVisible(): boolean {
  return document.visibilityState === 'visible';
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}

const SHOW_EVERY_MS = 250;
const AGAIN_MS = 1_000;
const AGAIN_LIMIT_MS = 30_000;
const ASLEEP_AFTER_MS = 5 * 60_000;
