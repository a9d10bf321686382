// The clock for how long ago something was. Unlike the time of day it never jumps, and unlike `performance.now()` it is the
// same in every thread of the process.

/** Milliseconds since some moment in the past, the same for all threads; never set, never running backwards. */
export function steadyNow(): number {
  return performance.now() + THREAD_BEGAN_MS;
}

/** `performance.now()` counts from the start of the thread, by the clock that `hrtime` tells from its own beginning. */
const THREAD_BEGAN_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();
