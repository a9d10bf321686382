// Streams that visitors broke off, by HTTP/2 (CVE-2023-44487), counted for each visitor's network over all of
// its connections: each costs the gate a request, and its maker next to nothing. Streams that end well make
// up for some, so that many people behind one address, who leave a page now and then, are never taken for an
// attack.

import { LRUCache } from 'lru-cache';
import { addressBlock, addressSite } from '../domain/address-site.ts';
import { SITES_OF_A_BLOCK } from '../domain/network-window.ts';
import { atMost } from '../domain/at-most.ts';

export type BrokenStreams = {
  /**
   * Where a connection from that address counts; null for a proxy, whose connections are of many visitors.
   */
  readonly of: (address: string) => BrokenCount | null;
};

/** Of one network. */
export type BrokenCount = {
  left: number;
  at: number;
  suspectUntil: number;
  /** How many networks it may be worth. */
  readonly sites: number;
  /** Of the /48 of IPv6 around it, which one customer may hold; null for that itself, and for IPv4. */
  readonly around: BrokenCount | null;
};

export function createBrokenStreams(isProxy: (address: string) => boolean): BrokenStreams {
  const counts = new LRUCache<string, BrokenCount>(atMost(MAX_COUNTS));
  const countOf = (network: string, make: () => BrokenCount): BrokenCount => {
    let count = counts.get(network);
    if (count === undefined) counts.set(network, (count = make()));
    return count;
  };
  return {
    of: (address) => {
      if (isProxy(address)) return null;
      const [site, block] = [addressSite(address), addressBlock(address)];
      const around = site === block ? null : countOf(block, () => fresh(SITES_OF_A_BLOCK, null));
      return countOf(site, () => fresh(1, around));
    },
  };
}

function fresh(sites: number, around: BrokenCount | null): BrokenCount {
  return { left: BURST * sites, at: performance.now(), suspectUntil: 0, sites, around };
}

/** One more was broken off; answers of which network it was one too many, null when it was not. */
export function noteBroken(count: BrokenCount): BrokenCount | null {
  const around = count.around === null ? null : noteBroken(count.around);
  const now = performance.now();
  const { sites } = count;
  count.left = Math.min(BURST * sites, count.left + ((now - count.at) / 1_000) * PER_SECOND * sites) - 1;
  count.at = now;
  if (count.left >= 0) return around;
  count.suspectUntil = now + SUSPECT_MS;
  return around ?? count;
}

/**
 * Whether streams were broken off there by the thousand just now. Somebody else may be behind the same
 * address: connections are taken all the same, and may break off a few.
 */
export function isSuspect({ suspectUntil, around }: BrokenCount): boolean {
  return suspectUntil > performance.now() || (around !== null && isSuspect(around));
}

export function noteWhole(count: BrokenCount): void {
  if (count.left < BURST * count.sites) count.left += PER_WHOLE;
  if (count.around !== null) noteWhole(count.around);
}

/** A person who leaves a page breaks off dozens at once; twenty do so at the same moment in no office. */
const BURST = 1_500;
const PER_SECOND = 33;
/** One in five is what impatient people break off. */
const PER_WHOLE = 0.25;
/** Long enough to make it not worth while. */
const SUSPECT_MS = 10_000;
const MAX_COUNTS = 10_000;
