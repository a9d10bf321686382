// When the cores have time to spare. Many test files wait for most of their time, for a browser, a clock or
// another process: beside them others run, for as long as that takes nobody's time.

import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** All cores' time since the machine started. */
export type CoreTime = { readonly idleMs: number; readonly totalMs: number };

/**
 * Each call resolves once the cores were idle for a while, or nobody `needs` it any more. One after the
 * other, since a file that starts changes what the next one is judged by.
 */
export function createIdleCores(
  needs: () => boolean,
  read: () => CoreTime = coreTime,
  lookMs = LOOK_MS,
): () => Promise<void> {
  let turn = Promise.resolve();
  const wait = async (): Promise<void> => {
    for (let last = read(); needs();) {
      await delay(lookMs);
      const now = read();
      if (now.idleMs - last.idleMs >= (now.totalMs - last.totalMs) * IDLE_SHARE) return;
      last = now;
    }
  };
  return () => (turn = turn.then(wait));
}

function coreTime(): CoreTime {
  const all = cpus().map(({ times }) => times);
  const idleMs = all.reduce((sum, { idle }) => sum + idle, 0);
  return {
    idleMs,
    totalMs: all.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idleMs),
  };
}

const LOOK_MS = 500;
/** Half a core of two. */
const IDLE_SHARE = 0.25;
