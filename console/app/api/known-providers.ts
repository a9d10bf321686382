// All providers that the account can use, for pages that name some of them: who may not list them knows
// their names.

import { useQuery } from '@tanstack/react-query';
import type { ProviderObject } from '../../../src/wire/provider.ts';
import { useMay } from '../shell/session-context.ts';
import { client } from './client.ts';
import type { NamedProvider } from './definition-title.ts';

/** What `made` makes of them; of nothing for who may not see the shares that name them. */
export function useKnownProviders<Made>(made: (named: readonly NamedProvider[]) => Made) {
  const may = useMay();
  const mayKnow = may('shares.read');
  const query = useQuery({
    queryKey: ['providers', 'names'],
    queryFn: may('providers.read') ? readListed : readNames,
    enabled: mayKnow,
    select: made,
  });
  return { ...query, mayKnow };
}

async function readListed(): Promise<readonly NamedProvider[]> {
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

async function readNames(): Promise<readonly NamedProvider[]> {
  const named: NamedProvider[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await client.providers.names({ cursor, limit: PAGE });
    named.push(...page.items.map((each) => ({ ...each, shares: 0, emailPatterns: [] })));
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return named;
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
