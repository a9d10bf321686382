// The providers that a share can ask people to log in with: the configuration's and the account's own.

import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { useMay } from '../shell/session-context.ts';

/** By name. Empty while they are read, and for who may not list them. */
export function useProviders(): readonly string[] {
  return useNames().data ?? [];
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

async function readNames(): Promise<readonly string[]> {
  const names = new Set<string>();
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await client.providers.list({ cursor, limit: PAGE });
    for (const { name } of [...page.configured, ...page.items]) names.add(name);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return [...names].toSorted();
}

/** As many as the API gives at once, and more than anybody chooses from. */
const PAGE = 200;
const MOST_PAGES = 5;
