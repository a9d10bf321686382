// What providers are called where people choose some.

import type { ProviderObject } from '../../../src/wire/provider.ts';
import { displayNameFor } from '../../../src/domain/provider-display-name.ts';
import { typeOfDefinition } from '../../../src/domain/provider-kinds.ts';

export type ProviderTitle = NamedProvider & { readonly title: string };

/** What can be chosen, and what is known of it. */
export type NamedProvider = {
  readonly name: string;
  readonly displayName: string;
  /** How many shares use it. */
  readonly shares: number;
  /** What its definition asks of every address, at each share. */
  readonly emailPatterns: readonly string[];
};

/** As the page that asks visitors for one shows it. */
export function definitionTitle({ name, type, config }: Definition): string {
  return displayNameFor({ name, type: typeOfDefinition(type), displayName: config.displayName });
}

type Definition = Pick<ProviderObject, 'name' | 'type' | 'config'>;

/** By name. Two of the same display name are told apart by their names. */
export function providerTitles(named: readonly NamedProvider[]): readonly ProviderTitle[] {
  const isShared = (title: string) => named.filter((each) => each.displayName === title).length > 1;
  return named
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, displayName, shares, emailPatterns }) => {
      const isTold = !isShared(displayName) || displayName === name;
      const title = isTold ? displayName : `${displayName} (${name})`;
      return { name, displayName, title, shares, emailPatterns };
    });
}

/** The one that most shares use: what a new one most likely uses, too. Empty where there is none. */
export function mostUsed(providers: readonly NamedProvider[]): string {
  const [first] = providers.toSorted((one, other) => other.shares - one.shares);
  return first?.name ?? '';
}
