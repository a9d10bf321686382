// Waits for what a test cannot be told of. It gives up, so that a test that fails says what it waited for.

import assert from 'node:assert/strict';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';

/** Until it holds; the failure quotes it. Most come about within a few turns. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  limitMs: number = LIMIT_MS,
): Promise<void> {
  const start = performance.now();
  while (!(await holds())) {
    const waited = performance.now() - start;
    if (waited > limitMs) assert.fail(`waited for ${limitMs / 1000} s until ${String(holds)}`);
    await (waited < EAGER_MS ? setImmediate() : pause(LOOK_MS));
  }
}

/** Far more than anything takes on a busy machine, far less than a test file may take. */
const LIMIT_MS = 60_000;
const EAGER_MS = 50;
const LOOK_MS = 5;
