// Providers that were replaced or went, for some minutes: sessions that ended with them have tokens to be revoked.

import { LRUCache } from 'lru-cache';
import type { Provider } from '../providers/provider.ts';

export type FormerProviders = {
  readonly keep: (providers: Iterable<Provider>) => void;
  readonly find: (name: string, generation: string) => Provider | undefined;
  /** Those of accounts. */
  readonly forgetDefined: () => void;
};

export function createFormerProviders(now: () => number): FormerProviders {
  const kept = new LRUCache<string, { readonly provider: Provider; readonly until: number }>({
    max: MAX_KEPT,
  });
  return {
    keep(providers) {
      const until = now() + KEPT_MS;
      for (const provider of providers) kept.set(keyOf(provider), { provider, until });
    },
    find(name, generation) {
      const found = kept.get(keyOf({ name, generation }));
      return found !== undefined && found.until > now() ? found.provider : undefined;
    },
    forgetDefined() {
      for (const [key, { provider }] of kept.entries()) if (provider.accountId !== null) kept.delete(key);
    },
  };
}

function keyOf({ name, generation }: Pick<Provider, 'name' | 'generation'>): string {
  return `${name} ${generation}`;
}

/** As long as revoking is tried. */
const KEPT_MS = 10 * 60_000;
/** Whoever changes definitions all the time takes places from others, and nothing but a revocation is lost by it. */
const MAX_KEPT = 200;
