// Whose requests count together where nobody says who they are: an address of IPv4, a /64 of IPv6, and the
// /48 around that, which one customer may hold. To find them costs more than all else of a request's plan,
// and a visitor makes many, so what was found is kept.

import { LRUCache } from 'lru-cache';
import { addressBlock, addressSite } from '../domain/address-site.ts';
import { atMost } from '../domain/at-most.ts';

export type Networks = {
  readonly siteOf: (address: string) => string;
  /** Null for an address of IPv4, around which nothing counts. */
  readonly blockOf: (address: string) => string | null;
};

/** One for each worker. */
export function createNetworks(read: (address: string) => Network = networkOf): Networks {
  const known = new LRUCache<string, Network>(atMost(MAX_KNOWN));
  const find = (address: string): Network => {
    let network = known.get(address);
    if (network === undefined) known.set(address, (network = read(address)));
    return network;
  };
  return {
    siteOf: (address) => (address.includes(':') ? find(address).site : address),
    blockOf: (address) => (address.includes(':') ? find(address).block : null),
  };
}

type Network = { readonly site: string; readonly block: string | null };

export function networkOf(address: string): Network {
  const [site, block] = [addressSite(address), addressBlock(address)];
  return { site, block: block === site ? null : block };
}

/** About 2 MB. */
const MAX_KNOWN = 10_000;
