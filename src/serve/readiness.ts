// Whether visitors should be sent here (DESIGN 2.5, `/readyz`): a worker listens, and what it knows is not too old.

import type { Readiness } from '../http/metrics-listener.ts';

export type ReadinessFacts = {
  /** How many workers of the data plane listen. */
  readonly livingWorkers: number;
  /** Since the last good poll of the store began. */
  readonly storeGoodAgoMs: number;
  readonly outageGraceMs: number;
};

export function readinessOf({ livingWorkers, storeGoodAgoMs, outageGraceMs }: ReadinessFacts): Readiness {
  const gateway = livingWorkers > 0;
  const store = storeGoodAgoMs < outageGraceMs;
  return {
    ready: gateway && store,
    checks: { gateway: gateway ? 'ok' : 'down', store: store ? 'ok' : 'away' },
  };
}
