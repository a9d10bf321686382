// A change is live when its answer is sent (DESIGN 2.5): the answer waits for the data plane.

import { inTime } from '../domain/in-time.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { ControlDeps } from './control-deps.ts';

/**
 * Throws `store_unavailable` with `stored: true` when the change is kept, and nobody can tell that it is
 * live.
 */
export async function confirmLive({ caughtUp, log }: Pick<ControlDeps, 'caughtUp' | 'log'>): Promise<void> {
  try {
    await inTime(caughtUp(), LIVE_WITHIN_MS, () => {
      throw new Error('the data plane took too long');
    });
  } catch (cause) {
    log.warn({ err: cause }, 'Cannot confirm that a change is live');
    throw new ServiceError('store_unavailable', 'Cannot confirm that the change is live', {
      cause,
      extra: { stored: true },
    });
  }
}

/** Ten polls: what is not live by then waits for something that is broken. */
const LIVE_WITHIN_MS = 5000;
