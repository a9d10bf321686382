// Revokes, every few seconds, the tokens of sessions that ran out or that their share, provider or account ended: a few at a time,
// for all gateways by whichever looks first. What is under way when the process dies is due again at the next. A provider that
// fails is left alone for a while, so that it holds up nobody else's.

import type { Provider, Tokens } from '../providers/provider.ts';
import type { OwedRevocation, SessionTable } from '../store/store.ts';
import type { LoginLog } from './login.ts';
import { revokeQuietly } from './revoke.ts';

export type OwedRevokerDeps = {
  readonly sessions: Pick<SessionTable, 'claimRevocations' | 'settleRevocations'>;
  /** As it is now, or was until a few minutes ago. */
  readonly providerOf: (name: string, generation: string) => Provider | undefined;
  /** On a clock that is never set. */
  readonly steadyNow: () => number;
  readonly log: LoginLog;
};

export type OwedRevoker = {
  /** Revokes all that is due. Never rejects: what could not be done is tried again. */
  readonly revokeDue: () => Promise<void>;
  /** Resolves when none is under way, after which nothing more is begun. */
  readonly stop: () => Promise<void>;
};

export function createOwedRevoker(deps: OwedRevokerDeps): OwedRevoker {
  const failedAt = new WeakMap<Provider, number>();
  const life = new AbortController();
  let running: Promise<void> | null = null;

  const revokeAll = async () => {
    try {
      while (!life.signal.aborted) {
        const owed = await deps.sessions.claimRevocations({ most: AT_ONCE, holdMs: HOLD_MS });
        if (owed === null) return;
        const settled = await revokeEach(owed);
        await deps.sessions.settleRevocations({ owed: settled, giveUpMs: GIVE_UP_MS });
      }
    } catch (error) {
      deps.log.warn({ err: error }, 'Cannot revoke the tokens of sessions that are over');
    }
  };

  const revokeEach = async (owed: readonly OwedRevocation[]) => {
    const found = owed.map((each) => ({
      each,
      provider: deps.providerOf(each.row.providerName, each.row.providerGeneration),
    }));
    const grants = Map.groupBy(
      found.filter(({ each }) => each.tokens !== null),
      ({ provider }) => provider,
    );
    const taken = new Map<Provider, boolean>();
    await Promise.all(
      [...grants].map(async ([provider, group]) => {
        if (provider === undefined) return;
        taken.set(provider, await ask(provider, group.map(({ each }) => each.tokens).filter(isSome)));
      }),
    );
    return found.map(({ each, provider }) => ({
      id: each.row.id,
      fence: each.fence,
      // Tokens that do not open are nobody's to revoke.
      isTaken: each.tokens === null || (provider !== undefined && taken.get(provider) === true),
    }));
  };

  const ask = async (provider: Provider, tokens: readonly Tokens[]): Promise<boolean> => {
    const failed = failedAt.get(provider);
    if (failed !== undefined && deps.steadyNow() - failed < HOLD_MS) return false;
    const isTaken = await revokeQuietly(provider, tokens, deps.log);
    if (!isTaken) failedAt.set(provider, deps.steadyNow());
    return isTaken;
  };

  return {
    revokeDue() {
      running ??= revokeAll().finally(() => {
        running = null;
      });
      return running;
    },
    async stop() {
      life.abort();
      await running;
    },
  };
}

/** Looks every few seconds until the returned function is called. */
export function startRevokingOwed(deps: OwedRevokerDeps): () => Promise<void> {
  const revoker = createOwedRevoker(deps);
  const timer = setInterval(() => void revoker.revokeDue(), LOOK_MS).unref();
  return () => {
    clearInterval(timer);
    return revoker.stop();
  };
}

function isSome<T>(value: T | null): value is T {
  return value !== null;
}

/** Half of what the dialler lets out at once, so that logins have the other half. */
const AT_ONCE = 8;
/** Longer than a provider is waited for. */
const HOLD_MS = 60_000;
/** As long as a provider's former definition is kept. */
const GIVE_UP_MS = 10 * 60_000;
const LOOK_MS = 5_000;
