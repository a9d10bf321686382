// What the gates are told of service tokens, read from the store: all of them, or what a change says is new.
// One whose login counts no more is told of as gone.

import type { ServiceTokenId } from '../../domain/id.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import type { ServiceToken, ServiceTokenNews } from '../../domain/service-token.ts';
import type { Change } from '../../store/change.ts';
import type { Store } from '../../store/store.ts';
import type { ServiceTokenOfLogin } from '../../store/tokens/service-token.ts';
import { keyCounts } from '../console/console-caller.ts';

export type TokenReader = {
  readonly all: () => Promise<ServiceTokenNews>;
  /** Null when none of the changes is about service tokens. */
  readonly news: (changes: readonly Change[]) => Promise<ServiceTokenNews | null>;
  /** Those that came from logins at providers of these names, as they count now; null when there are none. */
  readonly ofLogins: (providers: readonly string[] | 'all') => Promise<ServiceTokenNews | null>;
};

export type TokenReaderDeps = {
  readonly store: Pick<Store, 'serviceTokens'>;
  readonly wallNow: () => number;
  readonly providerRef: (name: string) => ProviderRef | null;
};

export function createTokenReader({ store, wallNow, providerRef }: TokenReaderDeps): TokenReader {
  const { serviceTokens } = store;
  const findProvider = (name: string) => providerRef(name) ?? undefined;
  const counting = (found: readonly ServiceTokenOfLogin[]): ServiceToken[] =>
    found.filter((token) => keyCounts(findProvider, token)).map(({ login: _login, ...token }) => token);
  const allGood = async (): Promise<ServiceToken[]> => {
    const found: ServiceToken[] = [];
    for (let after: ServiceTokenId | null = null; ;) {
      const page = await serviceTokens.good({ now: wallNow(), after, limit: PAGE });
      found.push(...counting(page));
      if (page.length < PAGE) return found;
      after = page.at(-1)?.id ?? null;
    }
  };
  const newsOf = (ids: Set<ServiceTokenId>, found: readonly ServiceTokenOfLogin[]): ServiceTokenNews => {
    const tokens = counting(found);
    for (const { id } of tokens) ids.delete(id);
    return { reset: false, tokens, gone: [...ids] };
  };
  return {
    all: async () => ({ reset: true, tokens: await allGood(), gone: [] }),
    news: async (changes) => {
      const ids = new Set(changes.flatMap((change) => (change.kind === 'service-token' ? [change.id] : [])));
      // A version that knows no service tokens tells of the member alone.
      const members = changes.flatMap((change) => (change.kind === 'member' ? [change.id] : []));
      for (const id of await serviceTokens.idsOfMembers(members)) ids.add(id);
      return ids.size === 0 ? null : newsOf(ids, await serviceTokens.goodAmong([...ids], wallNow()));
    },
    ofLogins: async (providers) => {
      const found = await serviceTokens.ofLogins(providers, wallNow());
      return found.length === 0 ? null : newsOf(new Set(found.map(({ id }) => id)), found);
    },
  };
}

const PAGE = 5_000;
