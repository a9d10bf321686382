// Providers that were replaced or went, for some minutes: sessions that ended with them have tokens to be
// revoked.

import { LRUCache } from 'lru-cache';
import { atMost } from '../../domain/at-most.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import type { Provider } from '../../providers/provider.ts';

/** `provider`: makes its client, should it be asked for: most never are. */
export type FormerProvider = { readonly ref: ProviderRef; readonly provider: () => Provider };

export type FormerProviders = {
  readonly keep: (providers: readonly FormerProvider[]) => void;
  readonly find: (name: string, generation: string) => Provider | undefined;
  /** Those of accounts. */
  readonly forgetDefined: () => void;
};

export function createFormerProviders(now: () => number): FormerProviders {
  const kept = new LRUCache<string, FormerProvider & { readonly until: number }>(atMost(MAX_KEPT));
  return {
    keep(providers) {
      const until = now() + KEPT_MS;
      for (const { ref, provider } of providers) kept.set(keyOf(ref), { ref, provider, until });
    },
    find(name, generation) {
      const found = kept.get(keyOf({ name, generation }));
      return found !== undefined && found.until > now() ? found.provider() : undefined;
    },
    forgetDefined() {
      for (const [key, { ref }] of kept.entries()) if (ref.accountId !== null) kept.delete(key);
    },
  };
}

function keyOf({ name, generation }: Pick<ProviderRef, 'name' | 'generation'>): string {
  return `${name} ${generation}`;
}

/** As long as revoking is tried. */
const KEPT_MS = 10 * 60_000;
/**
 * Whoever changes definitions all the time takes places from others, and nothing but a revocation is lost by
 * it.
 */
const MAX_KEPT = 200;
