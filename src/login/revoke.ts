// Revokes tokens at the provider without ever waiting long for it or failing with it (contract 4.2 points 1 and 5).

import type { Provider, Tokens } from '../providers/provider.ts';
import { messagesOf } from './fault-log.ts';
import type { LoginLog } from './login.ts';

/** Resolves when all are revoked, have failed, or 3 seconds are over: with whether the provider took them all. Never rejects. */
export async function revokeQuietly(
  provider: Provider,
  grants: readonly Tokens[],
  log: LoginLog,
): Promise<boolean> {
  if (provider.revoke === undefined || grants.length === 0) return true;
  const limit = new AbortController();
  const { promise: over, resolve } = Promise.withResolvers<readonly boolean[]>();
  const timer = setTimeout(() => {
    limit.abort(new Error('Cannot revoke a token: the provider took too long'));
    resolve([false]);
  }, REVOKE_LIMIT_MS);
  const all = grants.map(async (tokens) => {
    try {
      await provider.revoke?.(tokens, limit.signal);
      return true;
    } catch (error) {
      log.warn({ provider: provider.name, cause: messagesOf(error) }, 'token not revoked');
      return false;
    }
  });
  const taken = await Promise.race([Promise.all(all), over]);
  clearTimeout(timer);
  return taken.every(Boolean);
}

/** A visitor waits for it at logout (DESIGN 3, Logout). */
const REVOKE_LIMIT_MS = 3000;
