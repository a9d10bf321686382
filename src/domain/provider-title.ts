// What providers are called in sentences and lists that people read.

import type { TitleOf } from './rule-sentence.ts';

export type CalledProvider = { readonly name: string; readonly displayName: string };

/**
 * By display name. Two of the same display name are told apart by their names, and one that is not known is
 * its name.
 */
export function titleOfEach(called: readonly CalledProvider[]): TitleOf {
  const counts = new Map<string, number>();
  for (const { displayName } of called) counts.set(displayName, (counts.get(displayName) ?? 0) + 1);
  const known = new Map(called.map(({ name, displayName }) => [name, displayName]));
  return (name) => {
    const displayName = known.get(name) ?? name;
    return counts.get(displayName) === 1 || displayName === name ? displayName : `${displayName} (${name})`;
  };
}
