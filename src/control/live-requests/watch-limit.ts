// How many may watch requests at once: each watch holds a connection and asks the store every other second. When all places are
// taken, an account that has fewer than another gets one of the other's, so that no few accounts keep the rest out.

import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Caller } from '../control-deps.ts';

export type WatchLimit = {
  /** Throws `rate_limited`. */
  readonly take: (caller: Pick<Caller, 'accountId' | 'memberId' | 'actor'>) => WatchPlace;
};

export type WatchPlace = {
  /** May be called again. */
  readonly leave: () => void;
  /** Throws `rate_limited` once another account has got it. */
  readonly requireHeld: () => void;
};

export function createWatchLimit(): WatchLimit {
  /** Those that came first, first. */
  const held = new Set<Held>();
  const heldBy = (accountId: AccountId) => [...held].filter((each) => each.accountId === accountId);
  return {
    take: ({ accountId, memberId, actor }) => {
      const place: Held = { accountId, who: memberId ?? actor };
      const ofAccount = heldBy(accountId);
      if (ofAccount.filter(({ who }) => who === place.who).length >= MOST_OF_ONE) throw tooMany('you');
      if (ofAccount.length >= MOST_OF_ACCOUNT) throw tooMany('your account');
      if (held.size >= MOST_OF_PROCESS) {
        const spare = spareOf(held, ofAccount.length);
        if (spare === null) throw tooMany('all accounts together');
        held.delete(spare);
      }
      held.add(place);
      return {
        leave: () => void held.delete(place),
        requireHeld: () => {
          if (!held.has(place)) throw tooMany('all accounts together');
        },
      };
    },
  };
}

type Held = { readonly accountId: AccountId; readonly who: string };

/** The newest of the account that has the most, when it has more than one above `own`; else taking it would only go back and forth. */
function spareOf(held: ReadonlySet<Held>, own: number): Held | null {
  const byAccount = Map.groupBy(held, ({ accountId }) => accountId);
  const [most] = [...byAccount.values()].toSorted((a, b) => b.length - a.length);
  return most !== undefined && most.length > own + 1 ? (most.at(-1) ?? null) : null;
}

function tooMany(whose: string): ServiceError {
  return new ServiceError('rate_limited', `Cannot watch: ${whose} watch too much at once already`, {
    hint: 'Stop another watch first.',
    extra: { retryAfterSeconds: RETRY_SECONDS },
  });
}

/** Some windows and a terminal or two. */
export const MOST_OF_ONE = 10;
export const MOST_OF_ACCOUNT = 50;
export const MOST_OF_PROCESS = 200;
const RETRY_SECONDS = 10;
