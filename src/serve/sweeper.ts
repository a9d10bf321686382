// Deletes what is over, now and then: sessions and attempts after a week, audit events after `store.audit_retention`.

import type { Log } from '../domain/log.ts';
import type { Store } from '../store/store.ts';

export type SweeperDeps = {
  readonly store: Pick<Store, 'sweep' | 'audit' | 'shares'>;
  /** Asked each time, since a reload may change it. */
  readonly auditRetentionMs: () => number;
  readonly now: () => number;
  readonly log: Log;
};

/** Sweeps every ten minutes until the returned function is called. */
export function startSweeper(deps: SweeperDeps): () => void {
  const timer = setInterval(() => void sweepOnce(deps), SWEEP_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/** Never rejects: what could not be swept is swept next time. */
export async function sweepOnce({ store, auditRetentionMs, now, log }: SweeperDeps): Promise<void> {
  try {
    await store.sweep(now() - KEEP_ENDED_MS);
    await store.shares.removeAbandoned(now() - KEEP_ABANDONED_MS);
    await store.audit.forget(now() - auditRetentionMs());
  } catch (error) {
    log.warn({ err: error }, 'Cannot sweep what is over');
  }
}

const SWEEP_INTERVAL_MS = 10 * 60_000;
/** An agent that lost its network finds its ephemeral share for this long; the minute's check of its tunnel keeps one that is served. */
const KEEP_ABANDONED_MS = 60 * 60_000;
/** Ended sessions and spent attempts stay this long, so that an operator can see who was in last week. */
const KEEP_ENDED_MS = 7 * 24 * 60 * 60_000;
