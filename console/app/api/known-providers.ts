// All providers that the account can use, for pages that name some of them.

import { useQuery } from '@tanstack/react-query';
import type { ProviderObject } from '../../../src/wire/provider.ts';
import { useMay } from '../shell/session-context.ts';
import { client } from './client.ts';
import type { NamedProvider } from './definition-title.ts';

/** What `made` makes of them; of nothing for who may not list them, which `mayList` says. */
export function useKnownProviders<Made>(made: (named: readonly NamedProvider[]) => Made) {
  const mayList = useMay()('providers.read');
  const query = useQuery({
    queryKey: ['providers', 'names'],
    queryFn: readNamed,
    enabled: mayList,
    select: made,
  });
  return { ...query, mayList };
}

async function readNamed(): Promise<readonly NamedProvider[]> {
  const named = new Map<string, NamedProvider>();
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await client.providers.list({ cursor, limit: PAGE });
    for (const each of page.configured) named.set(each.name, { ...each, emailPatterns: [] });
    for (const each of await definedAs(page.items)) named.set(each.name, each);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return [...named.values()];
}

async function definedAs(items: readonly ProviderObject[]): Promise<readonly NamedProvider[]> {
  if (items.length === 0) return [];
  const { definitionTitle } = await import('./definition-title.ts');
  return items.map((each) => ({
    name: each.name,
    displayName: definitionTitle(each),
    shares: each.shares,
    emailPatterns: each.config.emailPatterns ?? [],
  }));
}

/** As many as the API gives at once, and more than anybody chooses from. */
const PAGE = 200;
const MOST_PAGES = 5;
