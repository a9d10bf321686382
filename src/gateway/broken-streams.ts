// Streams that visitors broke off, by HTTP/2 (CVE-2023-44487), counted for each visitor's network over all of its connections: each costs
// the gate a request, and its maker next to nothing. Streams that end well make up for some, so that many people behind one address,
// who leave a page now and then, are never taken for an attack.

import { LRUCache } from 'lru-cache';
import { addressSite } from '../domain/address-site.ts';
import { atMost } from './at-most.ts';

export type BrokenStreams = {
  /** Where a connection from that address counts. */
  readonly of: (address: string) => BrokenCount;
  /** Whether no connections are taken from there for now. */
  readonly bars: (address: string) => boolean;
};

/** Of one network. */
export type BrokenCount = {
  left: number;
  at: number;
  barredUntil: number;
};

/** `isProxy`: whose connections are of many visitors. Each of those counts by itself, and none keeps others out. */
export function createBrokenStreams(isProxy: (address: string) => boolean): BrokenStreams {
  const counts = new LRUCache<string, BrokenCount>(atMost(MAX_COUNTS));
  return {
    of: (address) => {
      if (isProxy(address)) return fresh();
      const site = addressSite(address);
      let count = counts.get(site);
      if (count === undefined) counts.set(site, (count = fresh()));
      return count;
    },
    bars: (address) => {
      if (counts.size === 0 || isProxy(address)) return false;
      const count = counts.get(addressSite(address));
      return count !== undefined && count.barredUntil > performance.now();
    },
  };
}

function fresh(): BrokenCount {
  return { left: BURST, at: performance.now(), barredUntil: 0 };
}

/** One more was broken off; true when it was one too many. */
export function noteBroken(count: BrokenCount): boolean {
  const now = performance.now();
  count.left = Math.min(BURST, count.left + ((now - count.at) / 1_000) * PER_SECOND) - 1;
  count.at = now;
  if (count.left >= 0) return false;
  count.barredUntil = now + BARRED_MS;
  return true;
}

export function noteWhole(count: BrokenCount): void {
  if (count.left < BURST) count.left += PER_WHOLE;
}

/** A person who leaves a page breaks off dozens at once; twenty do so at the same moment in no office. */
const BURST = 1_500;
const PER_SECOND = 33;
/** One in five is what impatient people break off. */
const PER_WHOLE = 0.25;
/** Long enough to make it not worth while, short enough for whoever shares the address. */
const BARRED_MS = 10_000;
const MAX_COUNTS = 10_000;
