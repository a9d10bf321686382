// The clock for how long ago something was. Unlike the time of day it never jumps, and unlike
// `performance.now()` it is the same in every thread of the process.

/**
 * Milliseconds since some moment in the past, the same for all threads; never set, never running backwards.
 */
export function steadyNow(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
