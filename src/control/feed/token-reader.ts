// What the gates are told of service tokens, read from the store: all of them, or what a change says is new.

import type { ServiceTokenId } from '../../domain/id.ts';
import type { ServiceToken, ServiceTokenNews } from '../../domain/service-token.ts';
import type { Change } from '../../store/change.ts';
import type { Store } from '../../store/store.ts';

export type TokenReader = {
  readonly all: () => Promise<ServiceTokenNews>;
  /** Null when none of the changes is about service tokens. */
  readonly news: (changes: readonly Change[]) => Promise<ServiceTokenNews | null>;
};

export function createTokenReader(
  { serviceTokens }: Pick<Store, 'serviceTokens'>,
  now: () => number,
): TokenReader {
  const allGood = async (): Promise<ServiceToken[]> => {
    const found: ServiceToken[] = [];
    for (let after: ServiceTokenId | null = null; ;) {
      const page = await serviceTokens.good({ now: now(), after, limit: PAGE });
      found.push(...page);
      if (page.length < PAGE) return found;
      after = page.at(-1)?.id ?? null;
    }
  };
  return {
    all: async () => ({ reset: true, tokens: await allGood(), gone: [] }),
    news: async (changes) => {
      const ids = new Set(changes.flatMap((change) => (change.kind === 'service-token' ? [change.id] : [])));
      if (ids.size === 0) return null;
      const tokens = await serviceTokens.goodAmong([...ids], now());
      for (const { id } of tokens) ids.delete(id);
      return { reset: false, tokens, gone: [...ids] };
    },
  };
}

const PAGE = 5_000;
