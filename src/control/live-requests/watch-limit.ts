// How many may watch requests at once: each watch holds a connection and asks the store every other second.

import { ServiceError } from '../../domain/service-error.ts';
import type { Caller } from '../control-deps.ts';

export type WatchLimit = {
  /** Answers how to give the place back, which may be called again. Throws `rate_limited`. */
  readonly take: (caller: Caller) => () => void;
};

export function createWatchLimit(): WatchLimit {
  const taken = new Map<string, number>();
  const add = (name: string, more: number) => {
    const next = (taken.get(name) ?? 0) + more;
    if (next === 0) taken.delete(name);
    else taken.set(name, next);
  };
  return {
    take: (caller) => {
      const places = placesOf(caller);
      const full = places.find(({ name, most }) => (taken.get(name) ?? 0) >= most);
      if (full !== undefined) throw tooMany(full.whose);
      for (const { name } of places) add(name, 1);
      let held = true;
      return () => {
        if (held) for (const { name } of places) add(name, -1);
        held = false;
      };
    },
  };
}

type Place = { readonly name: string; readonly most: number; readonly whose: string };

function placesOf({ accountId, memberId, actor }: Caller): readonly Place[] {
  return [
    { name: `who ${memberId ?? actor}`, most: MOST_OF_ONE, whose: 'you' },
    { name: `account ${accountId}`, most: MOST_OF_ACCOUNT, whose: 'your account' },
    { name: 'all', most: MOST_OF_PROCESS, whose: 'all accounts together' },
  ];
}

function tooMany(whose: string): ServiceError {
  return new ServiceError('rate_limited', `Cannot watch: ${whose} watch too much at once already`, {
    hint: 'Stop another watch first.',
    extra: { retryAfterSeconds: RETRY_SECONDS },
  });
}

/** Some windows and a terminal or two. */
export const MOST_OF_ONE = 10;
const MOST_OF_ACCOUNT = 50;
const MOST_OF_PROCESS = 200;
const RETRY_SECONDS = 10;
