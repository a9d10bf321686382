// Writes to the store one at a time, beside the requests: what arrives while one runs goes with the next, and
// what the store does not take now is given back and tried again.

import { setTimeout as pause } from 'node:timers/promises';

export type Writing<Batch> = {
  /** All that waits, which does not wait any more; null when nothing does. */
  readonly take: () => Batch | null;
  readonly write: (batch: Batch) => Promise<void>;
  readonly refused: (batch: Batch, error: unknown) => void;
  readonly giveBack: (batch: Batch) => void;
};

export type Writer = {
  /** Something waits. */
  readonly start: () => void;
  /** Resolves once everything was written, or the store refused it again. */
  readonly close: () => Promise<void>;
};

export function createWriter<Batch>({ take, write, refused, giveBack }: Writing<Batch>): Writer {
  let running: Promise<void> | null = null;
  const closing = new AbortController();

  async function writeAll(): Promise<void> {
    for (let batch = take(); batch !== null; batch = take()) {
      try {
        await write(batch);
      } catch (error) {
        refused(batch, error);
        if (closing.signal.aborted) return;
        giveBack(batch);
        // Whoever closes waits for one more try, not for the time between two.
        await pause(RETRY_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {});
      }
    }
  }

  function start(): void {
    running ??= writeAll().finally(() => {
      running = null;
    });
  }

  return {
    start,
    async close() {
      closing.abort();
      start();
      await running;
    },
  };
}

const RETRY_MS = 1_000;
