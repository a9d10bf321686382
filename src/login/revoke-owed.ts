// Revokes the tokens of sessions that are over, unless a logout did it: for all gateways by whichever looks
// first, while nobody waits. What is under way when the process dies is due again at the next.
//
// Each account's own providers have a lane, and so has each of the configuration: a few tokens at a time go
// down each, side by side. Whichever provider hangs or fails holds up its own lane alone, and is left alone
// for a while.

import { LRUCache } from 'lru-cache';
import { atMost } from '../domain/at-most.ts';
import type { AccountId } from '../domain/id.ts';
import type { Provider } from '../providers/provider.ts';
import type { OwedRevocation, RevocationClaim } from '../store/sessions/owed-revocation.ts';
import type { SessionTable } from '../store/sessions/session-table.ts';
import { messagesOf } from './fault-log.ts';
import type { LoginLog } from './login-deps.ts';
import { judgeOwed } from './owed-revocation.ts';
import { revokeQuietly } from './revoke.ts';

export type OwedRevokerDeps = {
  readonly sessions: Pick<SessionTable, 'claimRevocations' | 'settleRevocations'>;
  /** As it is now, or was until a few minutes ago. May throw. */
  readonly providerOf: (name: string, generation: string) => Provider | undefined;
  readonly now: () => number;
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
  const failing = createFailing(deps.steadyNow);
  const lanes = new Map<string, Lane>();
  const life = new AbortController();
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  let closedLanes = 0;

  const leftOut = (): RevocationClaim['butOf'] => {
    const busy = [...lanes.values()];
    return {
      providers: [...failing.names(), ...busy.flatMap(({ owner, name }) => (owner === null ? name : []))],
      accounts: busy.flatMap(({ owner }) => owner ?? []),
    };
  };

  const revokeAll = async () => {
    let claimedNone = 0;
    while (!life.signal.aborted) {
      const isFull = lanes.size >= MAX_LANES;
      const closedBefore = closedLanes;
      const claim = { most: AT_ONCE, holdMs: HOLD_MS, butOf: leftOut() };
      const owed = isFull ? null : await deps.sessions.claimRevocations(claim);
      if (owed !== null && owed.length > 0) {
        claimedNone = 0;
        open(owed);
      } else if (closedLanes > closedBefore) {
        // What was left out for a lane that closed meanwhile may be due.
        claimedNone = 0;
      } else if (owed !== null && claimedNone < CLAIMED_NONE) {
        // Another gateway was faster.
        claimedNone++;
      } else if (lanes.size > 0) {
        claimedNone = 0;
        await Promise.race(Array.from(lanes.values(), ({ done }) => done));
      } else if (isAskedAgain) {
        claimedNone = 0;
        isAskedAgain = false;
      } else return;
    }
  };

  const open = (owed: readonly OwedRevocation[]) => {
    const found = owed.map((each) => ({ each, provider: findProvider(deps, failing, each) }));
    const owner = found[0]?.provider?.accountId ?? null;
    const name = owed[0]?.row.providerName ?? '';
    const key = owner ?? name;
    const done = revokeEach(deps, failing, found)
      .catch((error: unknown) => {
        failing.add(name);
        deps.log.warn({ cause: messagesOf(error), provider: name }, CANNOT);
      })
      .finally(() => {
        lanes.delete(key);
        closedLanes++;
      });
    lanes.set(key, { owner, name, done });
  };

  return {
    revokeDue() {
      if (running !== null) isAskedAgain = true;
      running ??= revokeAll()
        .catch((error: unknown) => deps.log.warn({ cause: messagesOf(error) }, CANNOT))
        .finally(() => {
          running = null;
        });
      return running;
    },
    async stop() {
      life.abort();
      await running;
      await Promise.all(Array.from(lanes.values(), ({ done }) => done));
    },
  };
}

/** Looks every few seconds, and when it is asked to, until it is stopped. */
export function startRevokingOwed(deps: OwedRevokerDeps): OwedRevoker {
  const revoker = createOwedRevoker(deps);
  const timer = setInterval(() => void revoker.revokeDue(), LOOK_MS).unref();
  return {
    ...revoker,
    stop() {
      clearInterval(timer);
      return revoker.stop();
    },
  };
}

type Lane = {
  /** Whose provider it is; null for the configuration's, and for one that is no more. */
  readonly owner: AccountId | null;
  readonly name: string;
  readonly done: Promise<unknown>;
};

/** Providers that failed, which are left alone for a while. */
type Failing = { readonly add: (name: string) => void; readonly names: () => readonly string[] };

function createFailing(steadyNow: () => number): Failing {
  const until = new LRUCache<string, number>(atMost(MAX_FAILING));
  return {
    add: (name) => until.set(name, steadyNow() + HOLD_MS),
    names() {
      const now = steadyNow();
      return Array.from(until.entries()).flatMap(([name, end]) => (end > now ? name : []));
    },
  };
}

type Found = { readonly each: OwedRevocation; readonly provider: Provider | undefined };

/** One whose secret does not open holds up no other. */
function findProvider(
  { providerOf, log }: OwedRevokerDeps,
  failing: Failing,
  { row }: OwedRevocation,
): Provider | undefined {
  try {
    return providerOf(row.providerName, row.providerGeneration);
  } catch (error) {
    failing.add(row.providerName);
    log.warn({ cause: messagesOf(error), provider: row.providerName }, CANNOT);
    return undefined;
  }
}

/** Asks the providers, and writes down what came of it. */
async function revokeEach(
  { sessions, now, log }: OwedRevokerDeps,
  failing: Failing,
  found: readonly Found[],
): Promise<void> {
  const at = now();
  const judged = found.map((each) => ({ ...each, outcome: judgeOwed(each.each, each.provider, at) }));
  const asked = judged.filter(({ outcome }) => outcome === 'ask');
  const taken = new Set<OwedRevocation>();
  await Promise.all(
    Array.from(
      Map.groupBy(asked, ({ provider }) => provider),
      async ([provider, group]) => {
        if (provider === undefined) return;
        const grants = group.flatMap(({ each: { tokens } }) => tokens ?? []);
        const answers = await revokeQuietly(provider, grants, log);
        group.forEach(({ each }, index) => answers[index] === true && taken.add(each));
        // One token that it does not take is that token's fault.
        if (!answers.some(Boolean)) failing.add(provider.name);
      },
    ),
  );
  const owed = judged.map(({ each, outcome }) => {
    const { row, fence } = each;
    if (outcome !== 'ask') return { id: row.id, fence, outcome };
    return { id: row.id, fence, outcome: taken.has(each) ? ('over' as const) : ('failed' as const) };
  });
  await sessions.settleRevocations({ owed, giveUpMs: GIVE_UP_MS });
}

const CANNOT = 'Cannot revoke the tokens of sessions that are over';
/**
 * Half of what the dialler of one account or configured provider lets out at once, so that logins have the
 * other half.
 */
const AT_ONCE = 8;
/** Each may be held by a provider that hangs; it is 256 connections at most. */
const MAX_LANES = 32;
/** One that is forgotten is asked once more, and fails again. */
const MAX_FAILING = 1_000;
const CLAIMED_NONE = 3;
/** Longer than a provider is waited for. */
const HOLD_MS = 60_000;
/** As long as a provider's former definition is kept. */
const GIVE_UP_MS = 10 * 60_000;
const LOOK_MS = 5_000;
