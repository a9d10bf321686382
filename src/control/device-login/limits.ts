// What keeps strangers from filling the store with logins that nobody confirms, from guessing codes, and from
// asking too often.

import { LRUCache } from 'lru-cache';
import { atMost } from '../../domain/at-most.ts';
import { addressBlock, addressSite } from '../../domain/address-site.ts';
import { createRateWindow } from '../../domain/rate-window.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { DeviceLoginLimits } from '../../store/people/device-login.ts';
import type { ControlDeps } from '../control-deps.ts';

export type DeviceLimits = {
  /** Counts a login that begins. Throws `rate_limited`, before the store is asked. */
  readonly begin: (address: string) => void;
  /** One that began at this address was decided: another may begin in its place. */
  readonly ended: (address: string) => void;
  /** Throws `rate_limited` once too many codes or keys from there, or of that member, were wrong. */
  readonly requireTries: (who: string) => void;
  readonly failed: (who: string) => void;
  /**
   * Whether a device may ask now; one that asks too early is asked to wait longer each time (RFC 8628 section
   * 3.5).
   */
  readonly mayPoll: (deviceHash: string) => boolean;
};

export type DeviceDeps = ControlDeps & { readonly deviceLimits: DeviceLimits };

export function createDeviceLimits(now: () => number): DeviceLimits {
  const ofLogins = { windowMs: DEVICE_LIFETIME_MS, maxNames: MAX_NAMES };
  const begun = {
    networks: createRateWindow({ ...ofLogins, most: WAITING.network }, now),
    blocks: createRateWindow({ ...ofLogins, most: WAITING.block }, now),
    all: createRateWindow({ ...ofLogins, most: MOST_BEGUN, maxNames: 1 }, now),
  };
  // Who has a place among all that wait is decided in the store.
  const windowsOf = (address: string) =>
    [
      [begun.networks, networkOf(address)],
      [begun.blocks, addressBlock(address)],
      [begun.all, 'all'],
    ] as const;
  const failures = createRateWindow({ ...ofLogins, most: MAX_FAILURES }, now);
  const polls = new LRUCache<string, Pace>(atMost(MAX_NAMES));
  return {
    begin: (address) => {
      const found = 'too many logins were started and not finished';
      for (const [window, name] of windowsOf(address)) refuseFor(window.blockedSeconds(name), found);
      for (const [window, name] of windowsOf(address)) window.count(name);
    },
    ended: (address) => {
      for (const [window, name] of windowsOf(address)) window.giveBack(name);
    },
    requireTries: (who) => refuseFor(failures.blockedSeconds(who), 'too many codes or keys were wrong'),
    failed: (who) => void failures.count(who),
    mayPoll: (deviceHash) => {
      const at = now();
      const { dueAt, intervalMs } = polls.get(deviceHash) ?? { dueAt: at, intervalMs: POLL_INTERVAL_MS };
      const isDue = at >= dueAt - EARLY_MS;
      const next = isDue ? intervalMs : Math.min(intervalMs + POLL_INTERVAL_MS, MAX_INTERVAL_MS);
      polls.set(deviceHash, { dueAt: at + next, intervalMs: next });
      return isDue;
    },
  };
}

/** As which a device counts: its subscriber's. */
export function networkOf(address: string): string {
  return addressSite(address);
}

function refuseFor(retryAfterSeconds: number | null, found: string): void {
  if (retryAfterSeconds === null) return;
  throw new ServiceError('rate_limited', `Cannot log in a device: ${found}`, {
    extra: { retryAfterSeconds },
  });
}

type Pace = { readonly dueAt: number; readonly intervalMs: number };

/**
 * Time to open a browser and to log in there; short enough that a code that was read aloud is soon worth
 * nothing.
 */
export const DEVICE_LIFETIME_MS = 10 * 60_000;
/** RFC 8628 section 3.5: five seconds unless said, and so many more after `slow_down`. */
export const POLL_INTERVAL_MS = 5_000;
const MAX_INTERVAL_MS = 60_000;
/** A timer that is a little fast asks for nothing too early. */
const EARLY_MS = 500;
/**
 * An office behind one address, on the morning of its first day; the homes of one /48; and of everybody, in
 * the store.
 */
export const WAITING: DeviceLoginLimits = { network: 30, block: 100, all: 1_000 };
/**
 * What the store is asked for in ten minutes: far more than wait, so that who fills the places keeps nobody
 * from them.
 */
const MOST_BEGUN = 10_000;
/** A person mistypes a few times; ten tries at 34 bits find nothing. */
const MAX_FAILURES = 10;
/** About 2 MB at most. */
const MAX_NAMES = 20_000;
