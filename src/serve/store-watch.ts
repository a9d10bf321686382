// Looks at the store every few seconds: how far this machine's clock is from the store's, by which leases and
// whatever else gateways share are timed, and whether the store takes writes. Both are told when they begin
// to be wrong, and when they are well again.

import type { Log } from '../domain/log.ts';
import type { Store } from '../store/store.ts';
import type { StoreSeen } from './service-metrics.ts';

export type StoreWatchDeps = {
  readonly store: Pick<Store, 'clock' | 'writeTrouble'> & {
    readonly deliveries: Pick<Store['deliveries'], 'backlog'>;
  };
  readonly log: Log;
  /** The time of day. */
  readonly now: () => number;
  readonly everyMs?: number;
  /** Null while the store's clock is unknown. Positive: this machine is behind. */
  readonly onSeen: (seen: StoreSeen) => void;
};

/** Resolves after the first look. */
export async function startStoreWatch(deps: StoreWatchDeps): Promise<() => void> {
  const { store, log, now, onSeen, everyMs = EVERY_MS } = deps;
  let clockIsOff = false;
  let trouble: ReturnType<Store['writeTrouble']> = null;
  const look = async (): Promise<void> => {
    const offsetMs = await measureOffset(store, now);
    const isOff = offsetMs === null ? clockIsOff : Math.abs(offsetMs) > MOST_OFFSET_MS;
    const offsetSeconds = offsetMs === null ? null : offsetMs / 1000;
    if (isOff && !clockIsOff)
      log.warn(
        { offsetSeconds },
        'The clocks of this machine and the database differ by more than 2 s: synchronize both with NTP',
      );
    if (!isOff && clockIsOff)
      log.info({ offsetSeconds }, 'The clocks of this machine and the database agree again');
    clockIsOff = isOff;
    const found = store.writeTrouble();
    if (found !== null && found !== trouble) log.error({ reason: found }, TROUBLES[found]);
    if (found === null && trouble !== null) log.info({}, 'The database accepts writes again');
    trouble = found;
    // That the store is away is told elsewhere.
    const deliveries = await store.deliveries.backlog().catch(() => null);
    onSeen({ offsetMs, writable: found === null, deliveries });
  };
  await look();
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** The store's clock less ours. Null when it does not answer, or so late that nobody can tell. */
export async function measureOffset(
  { clock }: Pick<Store, 'clock'>,
  now: () => number,
): Promise<number | null> {
  const [from, askedAt] = [performance.now(), now()];
  try {
    const time = await clock();
    const tookMs = performance.now() - from;
    return tookMs > MOST_OFFSET_MS ? null : Math.round(time - (askedAt + tookMs / 2));
  } catch {
    // That the store is away is told elsewhere.
    return null;
  }
}

const TROUBLES = {
  disk_full: 'The disk of the database is full: logins and changes fail until it has space',
  read_only: 'The database is read-only: logins and changes fail until it accepts writes',
};
const EVERY_MS = 15_000;
const MOST_OFFSET_MS = 2_000;
