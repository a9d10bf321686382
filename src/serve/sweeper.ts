// Deletes what is over, now and then, on one gateway of many at a time: sessions, attempts and tokens after
// `store.ended_retention`, audit events after `store.audit_retention`, figures that no page shows any more.
// Tells of certificates and authorities that are about to be over.

import type { StoreConfig } from '../config/config.ts';
import type { Log } from '../domain/log.ts';
import type { Store } from '../store/store.ts';
import { deliveriesKeptMs } from '../store/webhooks/logged-delivery.ts';

export type SweeperDeps = {
  readonly store: Pick<
    Store,
    'sweep' | 'takeSweep' | 'audit' | 'shares' | 'certificates' | 'cas' | 'activity' | 'deliveryLog'
  >;
  /** Asked each time, since a reload may change it. */
  readonly retention: () => Pick<StoreConfig, 'endedRetentionMs' | 'auditRetentionMs'>;
  readonly now: () => number;
  readonly log: Log;
};

/** Sweeps soon after the start, then every ten minutes, until the returned function is called. */
export function startSweeper(deps: SweeperDeps): () => void {
  // Not at once: a start has better things to do, and one that is restarted every few minutes sweeps all the
  // same.
  const first = setTimeout(() => void sweepOnce(deps), FIRST_SWEEP_MS).unref();
  const timer = setInterval(() => void sweepOnce(deps), SWEEP_INTERVAL_MS).unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}

/** Never rejects: what could not be swept is swept next time. */
export async function sweepOnce({ store, retention, now, log }: SweeperDeps): Promise<void> {
  try {
    if (!(await store.takeSweep(HOLD_MS))) return;
    const { endedRetentionMs, auditRetentionMs } = retention();
    // First, since people wait for it, and nothing else must keep it from them.
    await store.certificates.noteExpiring(now());
    await store.cas.noteEnding(now());
    await store.sweep(now() - endedRetentionMs);
    await store.shares.removeAbandoned(now() - KEEP_ABANDONED_MS, now());
    await store.activity.forget(now());
    await store.audit.forget(now() - auditRetentionMs);
    await store.deliveryLog.forget(now() - deliveriesKeptMs(auditRetentionMs));
  } catch (error) {
    log.warn({ err: error }, 'Cannot delete expired data');
  }
}

const SWEEP_INTERVAL_MS = 10 * 60_000;
const FIRST_SWEEP_MS = 30_000;
/** Longer than a sweep takes, shorter than the interval, so that one gateway alone sweeps each time. */
const HOLD_MS = 9 * 60_000;
/**
 * An agent that lost its network finds its ephemeral share for this long; the minute's check of its tunnel
 * keeps one that is served.
 */
const KEEP_ABANDONED_MS = 60 * 60_000;
