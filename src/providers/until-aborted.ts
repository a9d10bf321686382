// Waits for work that others may wait for too, so that only the wait has an end, not the work.

import { ServiceError } from '../domain/service-error.ts';

/** What `work` answers, or `provider_unreachable` as soon as `signal`, if given, is aborted. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const over = Promise.withResolvers<never>();
  const abort = () =>
    over.reject(
      new ServiceError('provider_unreachable', 'Cannot ask the provider: it took too long', {
        cause: signal.reason,
      }),
    );
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
