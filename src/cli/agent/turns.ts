// Work that many want at once, a few at a time.

/** At most `most` at a time; the others wait in the order in which they came. */
export function createTurns(most: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    } else running += 1;
    try {
      return await work();
    } finally {
      // Whoever waits takes this place.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
