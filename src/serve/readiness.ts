// Whether visitors should be sent here (DESIGN 2.5, `/readyz`): a worker listens, and what it knows is not
// too old. While the store is away, or takes nothing new, it says so at once, but stays ready as long as
// known sessions are served (docs/decisions/readiness.md).

import { inTime } from '../domain/in-time.ts';
import type { Readiness } from '../http/metrics-listener.ts';

export type ReadinessFacts = {
  /** How many workers of the data plane listen. */
  readonly livingWorkers: number;
  /** Whether the store answers now. */
  readonly storeAnswers: boolean;
  /** Why it took no write when it was last asked to; it may answer all the same. */
  readonly storeTrouble: 'disk_full' | 'read_only' | null;
  /** Since the last good poll of the store began. */
  readonly storeGoodAgoMs: number;
  readonly outageGraceMs: number;
};

export function readinessOf(facts: ReadinessFacts): Readiness {
  const gateway = facts.livingWorkers > 0;
  const serves = facts.storeGoodAgoMs < facts.outageGraceMs;
  return {
    ready: gateway && serves,
    checks: {
      gateway: gateway ? 'ok' : 'down',
      store: serves && facts.storeAnswers ? (facts.storeTrouble ?? 'ok') : 'away',
    },
  };
}

/** Asks the store whether it answers, once for all who ask meanwhile. Never rejects. */
export function createStoreProbe(
  ping: () => Promise<void>,
  limitMs: number = PROBE_LIMIT_MS,
): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  const probe = async (): Promise<boolean> => {
    const answered = ping().then(
      () => true,
      () => false,
    );
    try {
      return await inTime(answered, limitMs, () => false);
    } finally {
      running = null;
    }
  };
  return () => {
    running ??= probe();
    return running;
  };
}

/**
 * A store that takes longer makes visitors wait, too; below the 5 s after which the listener itself gives up.
 */
const PROBE_LIMIT_MS = 2_000;
