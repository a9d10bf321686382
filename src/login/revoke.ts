// Revokes tokens at the provider without ever waiting long for it or failing with it (contract 4.2 points 1
// and 5).

import { inTime } from '../domain/in-time.ts';
import type { Provider, Tokens } from '../providers/provider.ts';
import { messagesOf } from './fault-log.ts';
import type { LoginLog } from './login-deps.ts';

/**
 * Resolves when all are revoked, have failed, or 3 seconds are over: with whether the provider took each.
 * Never rejects.
 */
export async function revokeQuietly(
  provider: Provider,
  grants: readonly Tokens[],
  log: LoginLog,
): Promise<readonly boolean[]> {
  const { revoke } = provider;
  if (revoke === undefined || grants.length === 0) return grants.map(() => true);
  const taken = grants.map(() => false);
  const limit = new AbortController();
  const all = grants.map(async (tokens, index) => {
    try {
      await revoke(tokens, limit.signal);
      taken[index] = true;
    } catch (error) {
      log.warn({ provider: provider.name, cause: messagesOf(error) }, 'token not revoked');
    }
  });
  await inTime(Promise.all(all), REVOKE_LIMIT_MS, () =>
    limit.abort(new Error('Cannot revoke a token: the provider took too long')),
  );
  return [...taken];
}

/** A visitor waits for it at logout (DESIGN "Logout"). */
const REVOKE_LIMIT_MS = 3000;
