// All providers that the account can use, for pages that name some of them.

import { useQuery } from '@tanstack/react-query';
import type { ProviderPage } from '../../../src/wire/provider.ts';
import { useMay } from '../shell/session-context.ts';
import { client } from './client.ts';

/** What `made` makes of them; of nothing for who may not list them, which `mayList` says. */
export function useKnownProviders<Made>(made: (pages: readonly ProviderPage[]) => Made) {
  const mayList = useMay()('providers.read');
  const query = useQuery({
    queryKey: ['providers', 'names'],
    queryFn: readPages,
    enabled: mayList,
    select: made,
  });
  return { ...query, mayList };
}

async function readPages(): Promise<readonly ProviderPage[]> {
  const pages: ProviderPage[] = [];
  let cursor: string | null = null;
  do {
    const page: ProviderPage = await client.providers.list({ cursor, limit: PAGE });
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== null && pages.length < MOST_PAGES);
  return pages;
}

/** As many as the API gives at once, and more than anybody chooses from. */
const PAGE = 200;
const MOST_PAGES = 5;
