// Waits for work that others may wait for too, so that only the wait has an end, not the work.

import { unlessAborted } from '../domain/in-time.ts';
import { ServiceError } from '../domain/service-error.ts';

/** What `work` answers, or `provider_unreachable` as soon as `signal`, if given, is aborted. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await unlessAborted(work, signal);
  } catch (cause) {
    if (signal?.aborted !== true || cause !== signal.reason) throw cause;
    throw new ServiceError('provider_unreachable', 'Cannot reach the provider: it took too long', { cause });
  }
}
