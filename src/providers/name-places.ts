// Asks the operating system for names, so that nobody's dead ones keep everybody from theirs. It answers few
// at once in the whole process (half of libuv's threads, of which bin/doorward.js says how many), and a name
// whose servers are away keeps its place for half a minute, long after anybody waits for it. So what accounts
// name has a part of the places in each thread, and each account a part of those. In the first thread an
// account has several, so that what stalls in one of its lanes holds up no login.

import { isMainThread } from 'node:worker_threads';
import { createFairPlaces } from '../domain/fair-places.ts';
import type { AccountId } from '../domain/id.ts';
import { askSystem, type Lookup, RESOLVE_LIMIT_MS } from './dial-target.ts';

/**
 * Of each thread; of the first one more than all lanes of an account. bin/doorward.js makes room for 8 on
 * each core, so that the first thread has some, too.
 */
const AT_ONCE = isMainThread ? 8 : 4;
const OF_LANE = 2;
/** Beyond it nobody's turn comes in time. */
const MAX_WAITING = 1024;

/**
 * What the operating system answers once the lane, an account's, has a place; `began` is called when it is
 * asked. Rejects as `askSystem()`, and when no place comes free in time.
 */
export type AskInTurn = (name: string, lane: string, began?: () => void) => ReturnType<Lookup>;

export function createNamePlaces(): AskInTurn {
  const places = createFairPlaces({ atOnce: AT_ONCE, ofLane: OF_LANE, waiting: MAX_WAITING });
  return async (name, lane, began) => {
    const leave = await places.enter(lane, AbortSignal.timeout(RESOLVE_LIMIT_MS));
    began?.();
    // Whoever asked may have gone on: the place is free when the system is done.
    return askSystem(name).finally(leave);
  };
}

/** What an account has asked for in the first thread. */
export function laneOf(accountId: AccountId, kind: 'providers' | 'webhooks' | 'calls'): string {
  return `${accountId} ${kind}`;
}

export function nameLookup(lane: string): Lookup {
  return (name) => askInTurn(name, lane);
}

/** This thread's own, since the operating system's places are the process's. */
export const askInTurn: AskInTurn = createNamePlaces();
