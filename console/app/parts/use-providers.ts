// The providers that a share can ask people to log in with: the configuration's and the account's own.

import type { ProviderPage } from '../../../src/wire/provider.ts';
import { useKnownProviders } from '../api/known-providers.ts';
import {
  definitionTitle,
  type NamedProvider,
  type ProviderTitle,
  providerTitles,
} from './provider-titles.ts';

/** What they are called where people choose one. A name that is not known is its own title. */
export function useProviderTitles() {
  const titles = useKnownProviders(titlesOf).data ?? NONE;
  const titleOf = (name: string) => titles.find((each) => each.name === name)?.title ?? name;
  const choices = titles.map(({ name, title }) => ({ value: name, title }));
  return { titles, titleOf, choices };
}

export type ProvidersRead =
  | { readonly state: 'known' | 'reading' }
  | { readonly state: 'failed'; readonly error: Error; readonly again: () => unknown };

/** Whether it is known which there are; for who may not list them there is nothing to wait for. */
export function useProvidersRead(): ProvidersRead {
  const { mayList, data, error, refetch } = useKnownProviders(titlesOf);
  if (!mayList || data !== undefined) return { state: 'known' };
  return error === null ? { state: 'reading' } : { state: 'failed', error, again: refetch };
}

function titlesOf(pages: readonly ProviderPage[]): readonly ProviderTitle[] {
  const named = new Map<string, NamedProvider>();
  for (const { configured, items } of pages) {
    for (const each of configured) named.set(each.name, { ...each, emailPatterns: [] });
    for (const each of items) {
      const { name, shares, config } = each;
      const displayName = definitionTitle(each);
      named.set(name, { name, displayName, shares, emailPatterns: config.emailPatterns ?? [] });
    }
  }
  return providerTitles([...named.values()]);
}

const NONE: readonly ProviderTitle[] = [];
