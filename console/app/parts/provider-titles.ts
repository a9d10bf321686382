// What providers are called where people choose some.

import type { NamedProvider } from '../api/definition-title.ts';

export type ProviderTitle = NamedProvider & { readonly title: string };

/** By name. Two of the same display name are told apart by their names. */
export function providerTitles(named: readonly NamedProvider[]): readonly ProviderTitle[] {
  const counts = new Map<string, number>();
  for (const { displayName } of named) counts.set(displayName, (counts.get(displayName) ?? 0) + 1);
  return named
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, displayName, shares, emailPatterns }) => {
      const isTold = counts.get(displayName) === 1 || displayName === name;
      const title = isTold ? displayName : `${displayName} (${name})`;
      return { name, displayName, title, shares, emailPatterns };
    });
}

/** The one that most shares use: what a new one most likely uses, too. Empty where there is none. */
export function mostUsed(providers: readonly NamedProvider[]): string {
  const [first] = providers.toSorted((one, other) => other.shares - one.shares);
  return first?.name ?? '';
}
