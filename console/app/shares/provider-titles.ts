// What providers are called where people choose some.

import type { ProviderObject } from '../../../src/wire/provider.ts';
import { displayNameFor } from '../../../src/domain/provider-display-name.ts';
import { typeOfDefinition } from '../../../src/domain/provider-kinds.ts';

export type ProviderTitle = { readonly name: string; readonly title: string };

/** As the page that asks visitors for one shows it. */
export function definitionTitle({ name, type, config }: Definition): string {
  return displayNameFor({ name, type: typeOfDefinition(type), displayName: config.displayName });
}

type Definition = Pick<ProviderObject, 'name' | 'type' | 'config'>;

/** By name. Two of the same display name are told apart by their names. */
export function providerTitles(named: ReadonlyMap<string, string>): readonly ProviderTitle[] {
  const isShared = (title: string) => [...named.values()].filter((each) => each === title).length > 1;
  return [...named]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, title]) => ({
      name,
      title: isShared(title) && title !== name ? `${title} (${name})` : title,
    }));
}
