// Which refusals of visitors are written down. Each share has a budget of its own, and so has each visitor's
// network at a share, so that whoever is refused at one hides nothing that happens at another. What is left
// out is counted, and told of in an event.

import { LRUCache } from 'lru-cache';
import { addressBlock, addressSite } from '../domain/address-site.ts';
import { type AuditEvent, omittedRefusals } from '../domain/audit-event.ts';
import { type Budget, type BudgetSize, freshBudget, isWhole, spend } from '../domain/budget.ts';
import type { ShareId } from '../domain/id.ts';
import { atMost } from '../domain/at-most.ts';

export type Refusals = {
  /** Whether something is there to be taken sooner or later. */
  readonly note: (event: AuditEvent) => boolean;
  /** What is to be told now; `all` has what was left out told of before its time. */
  readonly take: (all: boolean) => readonly AuditEvent[];
  /** Whether some that were left out are still to be told of. */
  readonly owes: () => boolean;
};

export function createRefusals(): Refusals {
  const quietUntil = new LRUCache<string, number>(atMost(MAX_QUIET));
  const ofNetworks = new LRUCache<string, Budget>(atMost(MAX_QUIET));
  const ofShares = new Map<ShareId | null, ShareRefusals>();
  let events: AuditEvent[] = [];
  const owing = new Set<ShareRefusals>();
  const has = (network: string, size: BudgetSize): boolean => {
    const now = performance.now();
    const budget = ofNetworks.get(network) ?? freshBudget(size, now);
    ofNetworks.set(network, budget);
    return spend(budget, size, now);
  };
  const take = (all: boolean) => {
    const now = performance.now();
    for (const share of owing)
      if (all || now - share.omittedSince >= OMITTED_MS) {
        // Of whichever provider each was.
        events.push(omittedRefusals({ ...share.last, provider: null }, share.omitted));
        share.omitted = 0;
        owing.delete(share);
      }
    for (const share of ofShares.values()) share.inBatch = 0;
    if (ofShares.size > MAX_SHARES_KEPT)
      for (const [id, share] of ofShares)
        if (!owing.has(share) && isWhole(share.budget, SHARE, now)) ofShares.delete(id);
    const taken = events;
    events = [];
    return taken;
  };
  return {
    take,
    owes: () => owing.size > 0,
    note: (event) => {
      const now = performance.now();
      const network = `${event.shareId} ${addressSite(event.ip ?? '')}`;
      const who = event.sessionId ?? network;
      if ((quietUntil.get(who) ?? 0) > now) return false;
      let share = ofShares.get(event.shareId);
      if (share === undefined)
        ofShares.set(
          event.shareId,
          (share = { budget: freshBudget(SHARE, now), inBatch: 0, omitted: 0, omittedSince: 0, last: event }),
        );
      const block = `${event.shareId} ${addressBlock(event.ip ?? '')} around`;
      const room = events.length < MAX_EVENTS || share.inBatch === 0;
      if (room && has(network, NETWORK) && has(block, BLOCK) && spend(share.budget, SHARE, now)) {
        quietUntil.set(who, now + QUIET_MS);
        share.inBatch++;
        events.push(event);
      } else {
        if (share.omitted === 0) share.omittedSince = now;
        share.omitted++;
        share.last = event;
        owing.add(share);
      }
      return true;
    },
  };
}

type ShareRefusals = {
  readonly budget: Budget;
  inBatch: number;
  omitted: number;
  omittedSince: number;
  /** The last one that was left out: whose share it is. */
  last: AuditEvent;
};

/**
 * Enough for a company whose people are refused one after the other, and no more than a table of audit events
 * bears for weeks.
 */
const SHARE: BudgetSize = { burst: 100, perMinute: 10 };
/** A /64 of IPv6, an address of IPv4: an office, or one attacker with many sessions. */
const NETWORK: BudgetSize = { burst: 20, perMinute: 2 };
/** The /48 of IPv6 around it, which one customer may hold. */
const BLOCK: BudgetSize = { burst: 40, perMinute: 4 };
/**
 * One event each five minutes says as much as a thousand: a page that is refused makes dozens of requests.
 */
const QUIET_MS = 300_000;
/** How long what is left out is counted before it is told of. */
const OMITTED_MS = 60_000;
/** Between two batches, of all shares together; beyond it each share has one. */
const MAX_EVENTS = 1_000;
const MAX_QUIET = 10_000;
const MAX_SHARES_KEPT = 1_000;
