// The providers that a share can ask people to log in with: the configuration's and the account's own.

import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { useMay } from '../shell/session-context.ts';
import { definitionTitle, type ProviderTitle, providerTitles } from './provider-titles.ts';

/** By name. Empty while they are read, and for who may not list them. */
export function useProviders(): readonly string[] {
  return useProviderTitles().titles.map(({ name }) => name);
}

/** What they are called where people choose one. A name that is not known is its own title. */
export function useProviderTitles() {
  const titles = useNames().data ?? NONE;
  const titleOf = (name: string) => titles.find((each) => each.name === name)?.title ?? name;
  const choices = titles.map(({ name, title }) => ({ value: name, title }));
  return { titles, titleOf, choices };
}

export type ProvidersRead =
  | { readonly state: 'known' | 'reading' }
  | { readonly state: 'failed'; readonly error: Error; readonly again: () => unknown };

/** Whether it is known which there are; for who may not list them there is nothing to wait for. */
export function useProvidersRead(): ProvidersRead {
  const mayList = useMay()('providers.read');
  const { data, error, refetch } = useNames();
  if (!mayList || data !== undefined) return { state: 'known' };
  return error === null ? { state: 'reading' } : { state: 'failed', error, again: refetch };
}

function useNames() {
  const mayList = useMay()('providers.read');
  return useQuery({ queryKey: ['providers', 'names'], queryFn: readNames, enabled: mayList });
}

async function readNames(): Promise<readonly ProviderTitle[]> {
  const named = new Map<string, string>();
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await client.providers.list({ cursor, limit: PAGE });
    for (const { name, displayName } of page.configured) named.set(name, displayName);
    for (const each of page.items) named.set(each.name, definitionTitle(each));
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return providerTitles(named);
}

const NONE: readonly ProviderTitle[] = [];
/** As many as the API gives at once, and more than anybody chooses from. */
const PAGE = 200;
const MOST_PAGES = 5;
