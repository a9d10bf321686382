// What providers are called where people choose some.

import { titleOfEach } from '../../../src/domain/provider-title.ts';
import type { NamedProvider } from '../api/definition-title.ts';

export type ProviderTitle = NamedProvider & { readonly title: string };

/** By name. */
export function providerTitles(named: readonly NamedProvider[]): readonly ProviderTitle[] {
  const titleOf = titleOfEach(named);
  return named
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, displayName, shares, emailPatterns }) => {
      const title = titleOf(name);
      return { name, displayName, title, shares, emailPatterns };
    });
}

/** The one that most shares use: what a new one most likely uses, too. Empty where there is none. */
export function mostUsed(providers: readonly NamedProvider[]): string {
  const [first] = providers.toSorted((one, other) => other.shares - one.shares);
  return first?.name ?? '';
}
