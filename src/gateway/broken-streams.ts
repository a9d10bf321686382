// Streams that visitors broke off, by HTTP/2 (CVE-2023-44487), counted for each visitor's network over all of
// its connections: each costs the gate a request, and its maker next to nothing. Streams that end well make
// up for some, so that many people behind one address, who leave a page now and then, are never taken for an
// attack.

import { LRUCache } from 'lru-cache';
import { addressSite } from '../domain/address-site.ts';
import { atMost } from './at-most.ts';

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
};

export function createBrokenStreams(isProxy: (address: string) => boolean): BrokenStreams {
  const counts = new LRUCache<string, BrokenCount>(atMost(MAX_COUNTS));
  return {
    of: (address) => {
      if (isProxy(address)) return null;
      const site = addressSite(address);
      let count = counts.get(site);
      if (count === undefined) counts.set(site, (count = fresh()));
      return count;
    },
  };
}

function fresh(): BrokenCount {
  return { left: BURST, at: performance.now(), suspectUntil: 0 };
}

/** One more was broken off; true when it was one too many. */
export function noteBroken(count: BrokenCount): boolean {
  const now = performance.now();
  count.left = Math.min(BURST, count.left + ((now - count.at) / 1_000) * PER_SECOND) - 1;
  count.at = now;
  if (count.left >= 0) return false;
  count.suspectUntil = now + SUSPECT_MS;
  return true;
}

/**
 * Whether streams were broken off there by the thousand just now. Somebody else may be behind the same
 * address: connections are taken all the same, and may break off a few.
 */
export function isSuspect(count: BrokenCount): boolean {
  return count.suspectUntil > performance.now();
}

export function noteWhole(count: BrokenCount): void {
  if (count.left < BURST) count.left += PER_WHOLE;
}

/** A person who leaves a page breaks off dozens at once; twenty do so at the same moment in no office. */
const BURST = 1_500;
const PER_SECOND = 33;
/** One in five is what impatient people break off. */
const PER_WHOLE = 0.25;
/** Long enough to make it not worth while. */
const SUSPECT_MS = 10_000;
const MAX_COUNTS = 10_000;
