// The providers that a share can ask people to log in with: the configuration's and the account's own.

import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { useMay } from '../shell/session-context.ts';
import {
  definitionTitle,
  type NamedProvider,
  type ProviderTitle,
  providerTitles,
} from './provider-titles.ts';

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
  const named = new Map<string, NamedProvider>();
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await client.providers.list({ cursor, limit: PAGE });
    for (const each of page.configured) named.set(each.name, { ...each, emailPatterns: [] });
    for (const each of page.items) {
      const { name, shares, config } = each;
      const displayName = definitionTitle(each);
      named.set(name, { name, displayName, shares, emailPatterns: config.emailPatterns ?? [] });
    }
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return providerTitles([...named.values()]);
}

const NONE: readonly ProviderTitle[] = [];
/** As many as the API gives at once, and more than anybody chooses from. */
const PAGE = 200;
const MOST_PAGES = 5;
