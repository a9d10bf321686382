// How many ask a provider at once. Logins, checks of sessions and the provider's own logouts have places
// apart, so that none waits for the others. Of logins and logout tokens each customer of a network (an IPv4
// address, a /48 of IPv6) has a portion, and in a /48 each /64 has one of that: whoever has the fewest is
// next. A network (an IPv4 address, a /64) from which codes came that were worth nothing has few logins at
// once, and never none: whoever shares it still logs in. What an account defines has places of all its
// definitions together, each held for a while: that bounds what they cost everybody.

import { addressBlock, addressSite } from '../domain/address-site.ts';
import {
  createFairPlaces,
  type FairPlaces,
  type PlacesClock,
  type PlacesOptions,
} from '../domain/fair-places.ts';
import type { ProviderRef } from '../domain/provider-ref.ts';
import { createRateWindow } from '../domain/rate-window.ts';
import { ServiceError } from '../domain/service-error.ts';

export type ProviderPlaces = {
  /**
   * For all that a callback asks of the provider. Throws `rate_limited`, or `provider_unreachable` when none
   * comes free in time.
   */
  readonly forLogin: (provider: Asked, ip: string | null) => Promise<Leave>;
  /** A code of this network was worth nothing. */
  readonly failed: (provider: Asked, ip: string | null) => void;
  /** Rejects when none comes free in time, or until `signal`. */
  readonly forCheck: (provider: Asked, subject: string, signal: AbortSignal) => Promise<Leave>;
  /** For a logout token. Throws as `forLogin`. */
  readonly forLogoutToken: (provider: Asked, ip: string | null) => Promise<Leave>;
};

/** Call it once or more often. */
export type Leave = () => void;
type Asked = Pick<ProviderRef, 'name' | 'accountId'>;

export function createProviderPlaces(): ProviderPlaces {
  const known = new Map<string, Rooms>();
  const codes = createRateWindow({ most: FAILED_CODES, windowMs: 60_000, maxNames: 20_000 }, CLOCK.now);
  const roomsOf = (provider: Asked): Rooms => {
    const key = keyOf(provider);
    const rooms = known.get(key) ?? createRooms(provider.accountId === null ? CONFIGURED : DEFINED);
    known.set(key, rooms);
    return rooms;
  };
  return {
    async forLogin(provider, ip) {
      const { block, site } = networkOf(ip);
      const isSuspect = codes.blockedSeconds(`${keyOf(provider)} ${site}`) !== null;
      const { logins } = roomsOf(provider);
      if (logins.outstanding(block, site) >= (isSuspect ? FEW_OUTSTANDING : MOST_OUTSTANDING))
        throw new ServiceError(
          'rate_limited',
          'Cannot complete the login: too many are under way from this address',
          {
            extra: { retryAfterSeconds: RETRY_SECONDS },
          },
        );
      return entered(logins, ip, provider);
    },
    failed: (provider, ip) => void codes.count(`${keyOf(provider)} ${networkOf(ip).site}`),
    forCheck: (provider, subject, signal) =>
      roomsOf(provider).checks.enter(subject, AbortSignal.any([signal, AbortSignal.timeout(CHECK_WAIT_MS)])),
    forLogoutToken: (provider, ip) => entered(roomsOf(provider).logoutTokens, ip, provider),
  };
}

async function entered(places: FairPlaces, ip: string | null, { name }: Asked): Promise<Leave> {
  const { block, site } = networkOf(ip);
  try {
    return await places.enter(block, AbortSignal.timeout(WAIT_MS), site);
  } catch (cause) {
    throw new ServiceError('provider_unreachable', `Cannot ask ${name}: too many wait for it`, { cause });
  }
}

function keyOf({ name, accountId }: Asked): string {
  return accountId ?? name;
}

type Network = { readonly block: string; readonly site: string };

function networkOf(ip: string | null): Network {
  if (ip === null) return { block: 'unknown', site: 'unknown' };
  return { block: addressBlock(ip), site: addressSite(ip) };
}

type Rooms = { readonly [Room in keyof RoomSizes]: FairPlaces };
type RoomSizes = Readonly<Record<'logins' | 'checks' | 'logoutTokens', PlacesOptions>>;

function createRooms({ logins, checks, logoutTokens }: RoomSizes): Rooms {
  return {
    logins: createFairPlaces(logins),
    checks: createFairPlaces(checks),
    logoutTokens: createFairPlaces(logoutTokens),
  };
}

const CLOCK: PlacesClock = {
  now: () => performance.now(),
  after: (ms, run) => setTimeout(run, ms),
};
/**
 * Together below the 16 calls that a provider gets at once, so that metadata, keys and revocations find a
 * place, too.
 */
const CONFIGURED: RoomSizes = {
  logins: { atOnce: 10, ofLane: 7, waiting: 1_024 },
  checks: { atOnce: 4, ofLane: 2, waiting: 1_024 },
  // They make no call but for keys, within a budget of its own.
  logoutTokens: { atOnce: 64, ofLane: 48, waiting: 1_024 },
};
/** Twelve logins and twenty logout tokens a second: some hundredths of the main thread. */
const DEFINED: RoomSizes = {
  logins: { atOnce: 6, ofLane: 4, waiting: 256, held: { ms: 500, clock: CLOCK } },
  checks: { atOnce: 4, ofLane: 2, waiting: 1_024 },
  logoutTokens: { atOnce: 4, ofLane: 3, waiting: 256, held: { ms: 200, clock: CLOCK } },
};
/** What a person still waits for. */
const WAIT_MS = 10_000;
/** A check has ten seconds for all that it asks. */
const CHECK_WAIT_MS = 5_000;
/** A whole office that comes back at the same moment is below it. */
const MOST_OUTSTANDING = 200;
/** Of a network whose codes were worth nothing: with a provider of 200 ms still twenty logins a second. */
const FEW_OUTSTANDING = 4;
/** Codes fail for people who take half an hour to log in, and seldom otherwise. */
export const FAILED_CODES = 30;
const RETRY_SECONDS = 5;
