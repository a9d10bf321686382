// As `rate-window.ts`, for addresses: a subscriber's network is counted, and the network around it, which has
// the portion of a few. One customer of a provider holds 65,536 sites of IPv6, and would otherwise have as
// many windows. Of IPv4 both are the address.

import { addressBlock, addressSite } from './address-site.ts';
import { createRateWindow, type RateWindowSize } from './rate-window.ts';

/** `of`: what is counted apart for each, such as a provider's name. */
export type NetworkWindow = {
  /** Counts one. Null while that is allowed, else the seconds until it is again. */
  readonly count: (address: string, of?: string) => number | null;
  /** The seconds until one more is allowed; null when it is. Counts nothing. */
  readonly blockedSeconds: (address: string, of?: string) => number | null;
};

/** `most`: of a site. */
export function createNetworkWindow(size: RateWindowSize, now: () => number): NetworkWindow {
  const sites = createRateWindow(size, now);
  const blocks = createRateWindow({ ...size, most: size.most * SITES_OF_A_BLOCK }, now);
  return {
    count: (address, of = '') =>
      later(sites.count(`${of} ${addressSite(address)}`), blocks.count(`${of} ${addressBlock(address)}`)),
    blockedSeconds: (address, of = '') =>
      later(
        sites.blockedSeconds(`${of} ${addressSite(address)}`),
        blocks.blockedSeconds(`${of} ${addressBlock(address)}`),
      ),
  };
}

function later(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

/** Neighbours in a /48 are other customers at some providers of servers: a few may do their worst at once. */
export const SITES_OF_A_BLOCK = 4;
