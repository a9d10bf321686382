// Whose requests count together where nobody says who they are: an address of IPv4, a /64 of IPv6. To find
// the /64 costs more than all else of a request's plan, and a visitor makes many, so what was found is kept.

import { LRUCache } from 'lru-cache';
import { addressSite } from '../domain/address-site.ts';
import { atMost } from './at-most.ts';

export type Networks = (address: string) => string;

/** One for each worker. */
export function createNetworks(siteOf: (address: string) => string = addressSite): Networks {
  const known = new LRUCache<string, string>(atMost(MAX_KNOWN));
  return (address) => {
    if (!address.includes(':')) return address;
    let site = known.get(address);
    if (site === undefined) known.set(address, (site = siteOf(address)));
    return site;
  };
}

/** About 2 MB. */
const MAX_KNOWN = 10_000;
