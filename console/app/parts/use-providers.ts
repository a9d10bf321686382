// The providers that a share can ask people to log in with: the configuration's and the account's own.

import { useKnownProviders } from '../api/known-providers.ts';
import { type ProviderTitle, providerTitles } from './provider-titles.ts';

/** What they are called where people choose one. A name that is not known is its own title. */
export function useProviderTitles() {
  const titles = useKnownProviders(providerTitles).data ?? NONE;
  const titleOf = (name: string) => titles.find((each) => each.name === name)?.title ?? name;
  const choices = titles.map(({ name, title }) => ({ value: name, title }));
  return { titles, titleOf, choices };
}

export type ProvidersRead =
  | { readonly state: 'known' | 'reading' }
  | { readonly state: 'failed'; readonly error: Error; readonly again: () => unknown };

/** Whether it is known which there are; for who may know none there is nothing to wait for. */
export function useProvidersRead(): ProvidersRead {
  const { mayKnow, data, error, refetch } = useKnownProviders(providerTitles);
  if (!mayKnow || data !== undefined) return { state: 'known' };
  return error === null ? { state: 'reading' } : { state: 'failed', error, again: refetch };
}

const NONE: readonly ProviderTitle[] = [];
