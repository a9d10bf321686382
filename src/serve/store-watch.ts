// Looks at the store every few seconds: how far this machine's clock is from the store's, by which leases and
// whatever else gateways share are timed, and whether the store takes writes. Both are told when they begin
// to be wrong, and when they are well again.

import type { Log } from '../domain/log.ts';
import type { Store } from '../store/store.ts';

export type StoreWatchDeps = {
  readonly store: Pick<Store, 'clock' | 'writeTrouble'>;
  readonly log: Log;
  /** The time of day. */
  readonly now: () => number;
  readonly everyMs?: number;
  /** Null while the store's clock is unknown. Positive: this machine is behind. */
  readonly onSeen: (seen: { readonly offsetMs: number | null; readonly writable: boolean }) => void;
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
        'The clock of this machine and the store’s differ by more than 2 s: set both by NTP',
      );
    if (!isOff && clockIsOff)
      log.info({ offsetSeconds }, 'The clock of this machine agrees with the store’s again');
    clockIsOff = isOff;
    const found = store.writeTrouble();
    if (found !== null && found !== trouble) log.error({ reason: found }, TROUBLES[found]);
    if (found === null && trouble !== null) log.info({}, 'The store takes writes again');
    trouble = found;
    onSeen({ offsetMs, writable: found === null });
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
  disk_full: 'The disk of the store is full: nobody can log in, and nothing changes, until it has room',
  read_only: 'The store is read-only: nobody can log in, and nothing changes, until it takes writes',
};
const EVERY_MS = 15_000;
const MOST_OFFSET_MS = 2_000;
