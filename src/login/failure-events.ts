// Which logins that failed are written down. Anybody can begin a login and end it with a made-up code, so
// each share, each provider where a login is for no share, and each network there has a budget. Failures of
// people whom a provider names have budgets apart, so that no stranger hides them. What is left out is
// counted, and told of in an event.

import { LRUCache } from 'lru-cache';
import { atMost } from '../domain/at-most.ts';
import { addressBlock, addressSite } from '../domain/address-site.ts';
import { type AuditEvent, omittedRefusals } from '../domain/audit-event.ts';
import { type Budget, type BudgetSize, freshBudget, spend } from '../domain/budget.ts';

/** Writes the event down, or counts it. */
export type AuditFailure = (event: AuditEvent) => void;

export function createFailureEvents(audit: (event: AuditEvent) => void, now: () => number): AuditFailure {
  const budgets = new LRUCache<string, Budget>(atMost(MAX_BUDGETS));
  const omitted = new Map<string, { count: number; last: AuditEvent }>();
  const has = (key: string, size: BudgetSize): boolean => {
    const budget = budgets.get(key) ?? freshBudget(size, now());
    budgets.set(key, budget);
    return spend(budget, size, now());
  };
  const omit = (key: string, event: AuditEvent): void => {
    const known = omitted.get(key);
    if (known !== undefined) {
      known.count++;
      known.last = event;
    } else if (omitted.size < MAX_BUDGETS) {
      omitted.set(key, { count: 1, last: event });
      setTimeout(tell, OMITTED_MS, key).unref();
    }
  };
  const tell = (key: string): void => {
    const found = omitted.get(key);
    omitted.delete(key);
    if (found !== undefined) audit(omittedRefusals(found.last, found.count));
  };
  return (event) => {
    const where = event.shareId ?? event.provider ?? '';
    const whose = `${where} ${naming(event)}`;
    const ip = event.ip ?? '';
    const isTold =
      has(`${whose} site ${addressSite(ip)}`, NETWORK) &&
      has(`${whose} block ${addressBlock(ip)}`, BLOCK) &&
      has(whose, SHARE);
    if (isTold) audit(event);
    else omit(where, event);
  };
}

/**
 * Whether it names somebody whom a provider vouches for, or whom it does not, or nobody. The kind does not
 * say: anybody can have a login refused that names nobody, by an `error` in the address.
 */
function naming({ email, actor }: AuditEvent): 'vouched' | 'unverified' | 'nobody' {
  if (email !== null) return 'vouched';
  return actor === null ? 'nobody' : 'unverified';
}

/** As the gateways write down whom they refuse. */
const SHARE: BudgetSize = { burst: 100, perMinute: 10 };
const NETWORK: BudgetSize = { burst: 20, perMinute: 2 };
/** One customer may have a whole /48 of IPv6: less than half of what a share has. */
const BLOCK: BudgetSize = { burst: 40, perMinute: 4 };
/** How long what is left out is counted before it is told of. */
const OMITTED_MS = 60_000;
const MAX_BUDGETS = 10_000;
