// Work on one thing after the other that leaves the event loop to others between them, and ends early when it
// took long.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** At least the first; the rest only while all before took less than `mostMs`. */
export async function inSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
  mostMs = Infinity,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let [sliceMs, allMs] = [0, 0];
  for (const item of items) {
    if (allMs >= mostMs) break;
    if (sliceMs > SLICE_MS) {
      await nextTurn();
      sliceMs = 0;
    }
    const since = performance.now();
    results.push(work(item));
    const tookMs = performance.now() - since;
    sliceMs += tookMs;
    allMs += tookMs;
  }
  return results;
}

/** A login or a call that waits meanwhile is not held up noticeably. */
const SLICE_MS = 5;
