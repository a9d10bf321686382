// What providers say of people that others have alike: groups, claims, how they logged in. Held once, and
// counted: what nobody has any more goes.

import type { SessionFacts } from '../domain/session-facts.ts';

/** All but what is a person's own. */
export type AlikeFacts = Omit<SessionFacts, 'authTime' | 'name'>;

export type FactGroups = {
  /** The number of such facts, held once more; null where there is no room. */
  readonly hold: (facts: SessionFacts) => number | null;
  readonly release: (number: number) => void;
  readonly at: (number: number) => AlikeFacts;
  readonly clear: () => void;
};

export function createFactGroups(maxCharacters: number): FactGroups {
  const numbers = new Map<string, number>();
  const held: (Held | null)[] = [];
  const free: number[] = [];
  let characters = 0;
  return {
    hold: ({ groups, claims, acr, amr }) => {
      const facts = { groups, claims, acr, amr };
      const key = JSON.stringify(facts);
      const known = numbers.get(key);
      if (known !== undefined) {
        held[known]!.count++;
        return known;
      }
      if (characters + key.length > maxCharacters) return null;
      characters += key.length;
      const number = free.pop() ?? held.length;
      held[number] = { key, facts, count: 1 };
      numbers.set(key, number);
      return number;
    },
    release: (number) => {
      const found = held[number]!;
      found.count--;
      if (found.count > 0) return;
      characters -= found.key.length;
      numbers.delete(found.key);
      held[number] = null;
      free.push(number);
    },
    at: (number) => held[number]!.facts,
    clear: () => {
      numbers.clear();
      held.length = 0;
      free.length = 0;
      characters = 0;
    },
  };
}

type Held = { readonly key: string; readonly facts: AlikeFacts; count: number };
