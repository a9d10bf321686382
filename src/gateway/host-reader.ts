// Hosts read before are remembered, since every request brings one.

import { LRUCache } from 'lru-cache';
import { normaliseHost } from '../domain/host-name.ts';
import { atMost } from '../domain/at-most.ts';

/** `normaliseHost()`: lower case, without port and trailing dot; null when it is no host. */
export type HostReader = (authority: string) => string | null;

export function createHostReader(): HostReader {
  const known = new LRUCache<string, string>(atMost(MAX_KNOWN));
  return (authority) => {
    const seen = known.get(authority);
    if (seen !== undefined) return seen;
    const host = normaliseHost(authority);
    if (host !== null) known.set(authority, host);
    return host;
  };
}

/** Spellings of share hosts in use at once; beyond it they are read again. */
const MAX_KNOWN = 20_000;
