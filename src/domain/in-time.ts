// Waits for work no longer than somebody can wait for it. Only the wait ends: the work goes on, and whatever
// becomes of it then is nobody's any more.

/** What the work answers, or else, `limitMs` later, what `late` does: it may throw. */
export async function inTime<Value, Late>(
  work: Promise<Value>,
  limitMs: number,
  late: () => Late,
): Promise<Value | Late> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, limitMs);
  try {
    return await Promise.race([work, limit.promise.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the work answers; rejects with the signal's reason as soon as that is aborted. */
export async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
