// The service tokens of all accounts, as the main thread tells of them: found by hash, so that a request with
// a token asks nobody. A token is known here or it opens nothing.

import type { ServiceTokenId } from '../domain/id.ts';
import type { ServiceToken, ServiceTokenNews } from '../domain/service-token.ts';

export type ServiceTokens = {
  /** `hash` is `secretHash()` of what was shown. */
  readonly findByHash: (hash: string) => ServiceToken | undefined;
  readonly findById: (id: ServiceTokenId) => ServiceToken | undefined;
  readonly tell: (news: ServiceTokenNews) => void;
  /** Everything that is known, for a worker that starts later. */
  readonly all: () => ServiceTokenNews;
};

export function createServiceTokens(start: ServiceTokenNews): ServiceTokens {
  const byId = new Map<ServiceTokenId, ServiceToken>();
  const byHash = new Map<string, ServiceToken>();
  const forget = (id: ServiceTokenId) => {
    const known = byId.get(id);
    if (known === undefined) return;
    byId.delete(id);
    byHash.delete(known.hash);
  };
  const tell = (news: ServiceTokenNews) => {
    if (news.reset) {
      byId.clear();
      byHash.clear();
    }
    for (const id of news.gone) forget(id);
    for (const token of news.tokens) {
      forget(token.id);
      byId.set(token.id, token);
      byHash.set(token.hash, token);
    }
  };
  tell(start);
  return {
    findByHash: (hash) => byHash.get(hash),
    findById: (id) => byId.get(id),
    tell,
    all: () => ({
      reset: true,
      tokens: [...byId.values()].filter(({ expiresAt }) => expiresAt > Date.now()),
      gone: [],
    }),
  };
}
