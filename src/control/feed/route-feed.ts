// The stream from the store to the data plane: what changed is read again and handed on, in commit order,
// every half second and at once after a commit of this process (DESIGN "Gateways and store"). It never
// writes.
//
//   start ──► read all ──► poll ──► changes ──► read each ──► hand on ──► store was good
//                           ▲  └── gap ──► read all again, forget all sessions ──┘
//                           └────────── failed: told once, tried again ──────────┘

import { untilBeat } from '../../domain/beat.ts';
import type { TrustNews } from '../../domain/certificate-trust.ts';
import type { ShareId } from '../../domain/id.ts';
import type { Log } from '../../domain/log.ts';
import type { ServiceTokenNews } from '../../domain/service-token.ts';
import type { SharesNow } from '../../domain/share-book.ts';
import type { Share } from '../../domain/share.ts';
import type { Store } from '../../store/store.ts';
import { createHandOn, type HandOnDeps } from './hand-on.ts';
import { createRoutedShares, type RoutedSharesDeps } from './routed-shares.ts';
import { createTokenReader } from './token-reader.ts';
import { createTrustReader } from './trust-reader.ts';

export type RouteFeedDeps = HandOnDeps &
  RoutedSharesDeps & {
    readonly store: Pick<
      Store,
      'shares' | 'sessions' | 'changes' | 'cas' | 'certificates' | 'apiKeys' | 'serviceTokens'
    >;
    /** For `onStoreGood`, on a clock that is never set. */
    readonly now: () => number;
    /** The time of day, by which certificates and tokens are over. */
    readonly wallNow: () => number;
    readonly pollMs?: number;
    /** A poll that began at that time has succeeded. */
    readonly onStoreGood: (beganAt: number) => void;
    readonly log: Log;
  };

export type RouteFeed = {
  /**
   * Reads every share, whose certificates count and which tokens there are, then follows. Throws
   * `store_unavailable` when the first read fails.
   */
  readonly start: () => Promise<{
    readonly shares: SharesNow;
    readonly trust: TrustNews;
    readonly tokens: ServiceTokenNews;
  }>;
  readonly find: (id: ShareId) => Share | null;
  /** `host` in lower case, without port. */
  readonly findByHost: (host: string) => Share | null;
  /**
   * Hands every share on again, and ends what logins allowed that count no more, since the configuration's
   * providers changed.
   */
  readonly refreshProviders: () => Promise<void>;
  /**
   * Resolves once every change committed before this call was handed on; rejects when the store cannot be
   * read.
   */
  readonly caughtUp: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export function createRouteFeed(deps: RouteFeedDeps): RouteFeed {
  const { store, now, log } = deps;
  const table = createRoutedShares(deps);
  const health = createHealthLog(log);
  const trustReader = createTrustReader(store, deps.wallNow);
  const tokenReader = createTokenReader(deps);
  const handOn = createHandOn(deps, { table, trustReader, tokenReader });
  let upTo = 0;

  const caughtUp = createSingleFlight(async () => {
    const beganAt = now();
    try {
      await follow();
    } catch (error) {
      health.failed(error);
      throw error;
    }
    health.good();
    deps.onStoreGood(beganAt);
  });

  async function follow(): Promise<void> {
    const news = await store.changes.since(upTo);
    if (news.gap) await handOn.everything();
    else await handOn.changes(news.changes);
    // Only now: what could not be handed on is read again by the next poll.
    upTo = news.upTo;
  }

  const follower = createFollower(deps, caughtUp);
  return {
    async start() {
      const beganAt = now();
      // The number first: what is committed between the two reads is then handed on twice, not missed.
      upTo = await store.changes.latest();
      await deps.onProviders('all');
      const trust = await trustReader.all();
      const tokens = await tokenReader.all();
      const filling = table.filling();
      await store.shares.each(filling.add);
      const shares = filling.done();
      deps.onStoreGood(beganAt);
      follower.start();
      return { shares, trust, tokens };
    },
    find: table.find,
    findByHost: table.findByHost,
    refreshProviders: handOn.configured,
    caughtUp,
    stop: follower.stop,
  };
}

/**
 * Runs one at a time. A call joins the run that has not begun yet, so that all it saw before is in what it
 * waits for.
 */
function createSingleFlight(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    running = run().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (next !== null) return next;
    if (running === null) return begin();
    next = running.then(begin, begin);
    return next;
  };
}

/** Polls, and listens for commits of this process, until it is stopped. */
function createFollower(
  { store, pollMs = POLL_MS }: RouteFeedDeps,
  poll: () => Promise<void>,
): { readonly start: () => void; readonly stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | null = null;
  let forgetCommits: (() => void) | null = null;
  let stopped = false;
  // A failure is in the log by now, and the next poll is on its way.
  const settle = (): Promise<void> => poll().catch(() => undefined);
  const tick = async (): Promise<void> => {
    await settle();
    if (!stopped) timer = setTimeout(tick, untilBeat(pollMs, performance.now()));
  };
  return {
    start() {
      forgetCommits = store.changes.onCommit(() => void settle());
      timer = setTimeout(tick, untilBeat(pollMs, performance.now()));
    },
    async stop() {
      stopped = true;
      forgetCommits?.();
      if (timer !== null) clearTimeout(timer);
      await settle();
    },
  };
}

/** An outage is told when it begins and when it is over. */
function createHealthLog(log: Log): {
  readonly failed: (error: unknown) => void;
  readonly good: () => void;
} {
  let failing = false;
  return {
    failed(error) {
      if (!failing) log.error({ err: error }, 'Cannot read changes from the database');
      failing = true;
    },
    good() {
      if (failing) log.info({}, 'Reading changes from the database again');
      failing = false;
    },
  };
}

/** A copied cookie is dead within 2 s of logout on every gateway, with room for a slow read. */
const POLL_MS = 500;
