// Work on one thing after the other that leaves the event loop to others between them.

import { setImmediate as nextTurn } from 'node:timers/promises';

export async function inSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let since = performance.now();
  for (const item of items) {
    if (performance.now() - since > SLICE_MS) {
      await nextTurn();
      since = performance.now();
    }
    results.push(work(item));
  }
  return results;
}

/** A login or a call that waits meanwhile is not held up noticeably. */
const SLICE_MS = 5;
