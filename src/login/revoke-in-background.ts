// Revokes the tokens of sessions that an administrator ended, a few at a time, while nobody waits. What a provider does
// not take is left to its own lifetimes; what waits when the service stops is dropped.

import type { Provider, Tokens } from '../providers/provider.ts';
import type { EndedSession } from '../store/session-choice.ts';
import type { LoginLog } from './login.ts';
import { revokeQuietly } from './revoke.ts';

export type TokenRevoker = {
  readonly revoke: (ended: readonly EndedSession[]) => void;
  /** Resolves when none is under way. */
  readonly stop: () => Promise<void>;
};

export function createTokenRevoker(deps: {
  readonly provider: (name: string) => Provider | undefined;
  readonly log: LoginLog;
}): TokenRevoker {
  let waiting: Grant[] = [];
  let running: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, AT_ONCE);
      const byProvider = Map.groupBy(batch, ({ provider }) => provider);
      await Promise.all(
        [...byProvider].map(([provider, grants]) =>
          revokeQuietly(
            provider,
            grants.map(({ tokens }) => tokens),
            deps.log,
          ),
        ),
      );
    }
  };
  return {
    revoke(ended) {
      const grants = ended.flatMap((each) => grantOf(each, deps.provider));
      const room = Math.max(0, MAX_WAITING - waiting.length);
      if (grants.length > room) deps.log.warn({ left: grants.length - room }, 'too many tokens to revoke');
      waiting.push(...grants.slice(0, room));
      running ??= work().finally(() => {
        running = null;
      });
    },
    async stop() {
      waiting = [];
      await running;
    },
  };
}

type Grant = { readonly provider: Provider; readonly tokens: Tokens };

/** Tokens of a former identity source are none of the present one's. */
function grantOf(
  { row, tokens }: EndedSession,
  find: (name: string) => Provider | undefined,
): readonly Grant[] {
  const provider = find(row.providerName);
  if (tokens === null || provider === undefined || provider.generation !== row.providerGeneration) return [];
  return [{ provider, tokens }];
}

/** Half of what the dialler lets out at once, so that logins have the other half. */
const AT_ONCE = 8;
const MAX_WAITING = 10_000;
