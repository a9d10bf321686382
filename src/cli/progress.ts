// What a command that takes longer says meanwhile, on the error stream: nothing in its first second, then a
// line a second.

import type { Terminal } from './terminal.ts';

/** `say` makes the line of a number. */
export function createProgress(
  terminal: Terminal,
  say: (count: number) => string,
  now: () => number = performance.now.bind(performance),
): (count: number) => void {
  let saidAt = now();
  return (count) => {
    const at = now();
    if (at - saidAt < EVERY_MS) return;
    saidAt = at;
    terminal.err(`${say(count)}\n`);
  };
}

const EVERY_MS = 1_000;
