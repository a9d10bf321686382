// Calls with one person's token that fail: a limit that this person has used up, or an account that the
// provider stumbles over. They say something of the provider only once several people in a row met the same.

import { LRUCache } from 'lru-cache';
import { atMost } from '../domain/at-most.ts';

export type PersonFailures = {
  /** Whether it is several by now. */
  readonly failed: (provider: string, subject: string) => boolean;
  readonly worked: (provider: string) => void;
};

export function createPersonFailures(): PersonFailures {
  const inARow = new LRUCache<string, Set<string>>(atMost(MAX_PROVIDERS));
  return {
    failed(provider, subject) {
      const people = inARow.get(provider) ?? new Set();
      if (people.size < SEVERAL) people.add(subject);
      inARow.set(provider, people);
      return people.size >= SEVERAL;
    },
    worked: (provider) => void inARow.delete(provider),
  };
}

/** One person can have two accounts. */
export const SEVERAL = 3;
const MAX_PROVIDERS = 1_000;
