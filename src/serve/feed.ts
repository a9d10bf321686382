// The feed of changes, and whom it tells: the workers, the control API's own listener, and logins of
// accounts' providers.

import type { ProviderBook } from '../control/feed/provider-book.ts';
import { createRouteFeed, type RouteFeed } from '../control/feed/route-feed.ts';
import type { Log } from '../domain/log.ts';
import { steadyNow } from '../gateway/steady-clock.ts';
import { asTold } from '../gateway/store-good.ts';
import type { Store } from '../store/store.ts';
import type { Owed } from './owed.ts';
import type { Running } from './running.ts';
import type { SessionFill } from './session-fill.ts';

export type FeedDeps = {
  readonly store: Store;
  readonly book: ProviderBook;
  /** Settled as soon as the store is back. */
  readonly owed: Owed;
  readonly fill: SessionFill;
  readonly now: () => number;
  readonly log: Log;
};

export function createFeed(running: Running, { book, store, owed, fill, log, now }: FeedDeps): RouteFeed {
  return createRouteFeed({
    store,
    providerRef: book.ref,
    onProviders: async (changed) =>
      changed === 'all'
        ? book.useDefinitions(await store.providerDefinitions.all())
        : book.changeDefinitions(changed, await store.providerDefinitions.among(changed)),
    shareBase: running.config.gateway.publicUrl,
    cookieDomain: () => running.config.oauth.cookieDomain,
    now: steadyNow,
    wallNow: now,
    onPublicCertificates: () => void running.publicCertificates?.refresh(),
    onTrust: (news) => {
      running.tellControl?.(news);
      return running.plane?.trust(news);
    },
    onTokens: (news) => running.plane?.tokens(news),
    onShares: (upsert, remove) => running.plane?.shares(upsert, remove),
    onKeysGone: (keys) => running.plane?.keysGone(keys),
    onSessions: (states) => running.plane?.sessions(states),
    onGap: async () => {
      // Before the workers forget: what was read until now may have ended since.
      fill.stop();
      await running.plane?.forgetSessions();
      void fill.begin();
    },
    onStoreGood: (at) => {
      running.storeGoodAt = asTold(at);
      // First of all: nobody may find what was logged out meanwhile.
      void owed.sessions.settle();
      void owed.console.settle();
      running.plane?.storeGood(at);
    },
    log,
  });
}
