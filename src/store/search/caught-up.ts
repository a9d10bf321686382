// Words of an index follow what they are of. Whoever looks for some waits a moment until it has caught up.

import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Brings an index up to date where that takes a moment; false where it takes longer, or cannot be done.
 * `indexBatch` adds the words of the next, and says false when none is left.
 */
export async function isCaughtUp(indexBatch: () => Promise<boolean>): Promise<boolean> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    try {
      if (!(await indexBatch())) return true;
    } catch {
      // A database that takes no writes is read all the same.
      return false;
    }
    await nextTurn();
  }
  return false;
}

/** What somebody who searches waits for; the rest comes by itself. */
const MOST_TURNS = 4;
