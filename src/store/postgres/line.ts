// Those who wait for one of a pool's connections, in order. A pool's own limit of time is that for reaching
// the server, and too short to wait for many others.

import { ServiceError } from '../../domain/service-error.ts';

export type Line = {
  /**
   * Resolves when there is a connection for one more, with how to give it back. Throws `store_unavailable`
   * after too long.
   */
  readonly enter: () => Promise<() => void>;
};

export function createLine(places: number, limitMs: number): Line {
  let free = places;
  const waiting = new Set<() => void>();
  const leave = () => {
    const [next] = waiting;
    if (next === undefined) free++;
    else {
      waiting.delete(next);
      next();
    }
  };
  return {
    async enter() {
      if (free > 0) free--;
      else await turn(waiting, limitMs);
      return leave;
    },
  };
}

function turn(waiting: Set<() => void>, limitMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    if (waiting.delete(go))
      reject(new ServiceError('store_unavailable', 'Cannot use the database: it is busy'));
  }, limitMs);
  const go = () => {
    clearTimeout(timer);
    resolve();
  };
  waiting.add(go);
  return promise;
}
