// Asks the DNS for the TXT records of a name (RFC 1035 section 3.3.14), through the machine's resolvers, in a
// bounded time.

import { Resolver } from 'node:dns/promises';
import { NODATA, NOTFOUND } from 'node:dns';

/** Each record is the strings it is made of. No records is an answer; `failed` is that none came, and why. */
export type TxtAnswer =
  | { readonly kind: 'records'; readonly records: readonly (readonly string[])[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** Never rejects. */
export type TxtLookup = (name: string) => Promise<TxtAnswer>;

/** `servers` are addresses with a port, asked in the place of the machine's own. */
export function createTxtLookup(servers: readonly string[] | null = null): TxtLookup {
  return async (name) => {
    const resolver = new Resolver({ timeout: TRY_LIMIT_MS, tries: TRIES });
    if (servers !== null) resolver.setServers(servers);
    // Servers that are down are tried one after the other, so the whole has a limit of its own.
    const timer = setTimeout(() => resolver.cancel(), WHOLE_LIMIT_MS);
    try {
      return { kind: 'records', records: await resolver.resolveTxt(name) };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
      if (code === NOTFOUND || code === NODATA) return { kind: 'records', records: [] };
      return { kind: 'failed', reason: code };
    } finally {
      clearTimeout(timer);
    }
  };
}

const TRY_LIMIT_MS = 3_000;
const TRIES = 2;
/** Whoever asked is waiting. */
const WHOLE_LIMIT_MS = 10_000;
