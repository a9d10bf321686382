// How many may watch requests at once: each watch holds a connection and asks the store every other second.
// When all places are taken, whoever has fewer than another gets one of the other's: accounts of accounts,
// and within one its people and keys. So no few keep the rest out. What others than admins hold of an
// account's places leaves some to admins, as with each limit.

import { partForOthers } from '../../../domain/account-limits.ts';
import type { AccountId } from '../../../domain/id.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import type { Caller } from '../../control-deps.ts';

export type WatchLimit = {
  /** Throws `rate_limited`. */
  readonly take: (caller: Pick<Caller, 'accountId' | 'memberId' | 'actor' | 'role'>) => WatchPlace;
};

export type WatchPlace = {
  /** May be called again. */
  readonly leave: () => void;
  /** Throws `rate_limited` once another has got it. */
  readonly requireHeld: () => void;
};

export function createWatchLimit(): WatchLimit {
  /** Those that came first, first. */
  const held = new Set<Held>();
  const heldBy = (accountId: AccountId) => [...held].filter((each) => each.accountId === accountId);
  /** Throws unless one of `among` can go, so that `own` more are not kept out by who has the most of them. */
  const takeFrom = (among: readonly Held[], { own, by, whose }: Fairness) => {
    const spare = spareOf(among, { own, by });
    if (spare === null) throw tooMany(whose);
    spare.lostTo = whose;
    held.delete(spare);
  };
  return {
    take: ({ accountId, memberId, actor, role }) => {
      const place: Held = { accountId, who: memberId ?? actor.id, isAdmin: role === 'admin', lostTo: null };
      const ofAccount = heldBy(accountId);
      const own = ofAccount.filter(({ who }) => who === place.who).length;
      if (own >= MOST_OF_ONE) throw tooMany('you');
      const others = ofAccount.filter(({ isAdmin }) => !isAdmin);
      const fairness = { own, by: ({ who }: Held) => who, whose: 'your account' };
      if (!place.isAdmin && others.length >= partForOthers(MOST_OF_ACCOUNT)) takeFrom(others, fairness);
      else if (ofAccount.length >= MOST_OF_ACCOUNT) takeFrom(ofAccount, fairness);
      if (held.size >= MOST_OF_PROCESS)
        takeFrom([...held], {
          own: heldBy(accountId).length,
          by: (each) => each.accountId,
          whose: 'all accounts together',
        });
      held.add(place);
      return {
        leave: () => void held.delete(place),
        requireHeld: () => {
          if (place.lostTo !== null) throw tooMany(place.lostTo);
        },
      };
    },
  };
}

type Held = {
  readonly accountId: AccountId;
  readonly who: string;
  readonly isAdmin: boolean;
  /** Who else watches too much for it to stay. */
  lostTo: string | null;
};

type Fairness = {
  readonly own: number;
  readonly by: (held: Held) => string;
  readonly whose: string;
};

/**
 * The newest of whoever has the most, when that is more than one above `own`; else taking it would only go
 * back and forth.
 */
function spareOf(among: readonly Held[], { own, by }: Pick<Fairness, 'own' | 'by'>): Held | null {
  const [most] = [...Map.groupBy(among, by).values()].toSorted((a, b) => b.length - a.length);
  return most !== undefined && most.length > own + 1 ? (most.at(-1) ?? null) : null;
}

function tooMany(whose: string): ServiceError {
  return new ServiceError('rate_limited', `Cannot start a live view: too many are open for ${whose}`, {
    hint: 'Close another live view first.',
    extra: { retryAfterSeconds: RETRY_SECONDS },
  });
}

/** Some windows and a terminal or two. */
export const MOST_OF_ONE = 10;
export const MOST_OF_ACCOUNT = 50;
export const MOST_OF_PROCESS = 200;
const RETRY_SECONDS = 10;
