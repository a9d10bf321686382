// Adds up what the workers counted, and writes it to the store in one transaction at a time: what arrives meanwhile goes with the
// next. What cannot be written now is kept, within bounds. What was not written when the process dies, a few seconds, is lost.

import { setTimeout as pause } from 'node:timers/promises';
import { type ShareActivity, sumOf } from '../domain/activity.ts';
import type { ShareId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import type { ActivityTable } from '../store/activity-query.ts';

export type ActivityWriter = {
  readonly add: (shares: readonly ShareActivity[]) => void;
  /** Resolves once everything was written, or the store refused it. */
  readonly close: () => Promise<void>;
};

export type ActivityWriterOptions = {
  readonly table: Pick<ActivityTable, 'add'>;
  readonly now: () => number;
  readonly log: Log;
};

export function createActivityWriter({ table, now, log }: ActivityWriterOptions): ActivityWriter {
  let waiting = new Map<ShareId, ShareActivity>();
  let running: Promise<void> | null = null;
  const closing = new AbortController();

  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const shares = waiting;
      waiting = new Map();
      try {
        // Also what waited for the store to come back is counted now: nobody has to be told when it was.
        await table.add(now(), [...shares.values()]);
      } catch (error) {
        log.warn({ err: error, shares: shares.size }, 'Cannot write how many requests shares got');
        if (closing.signal.aborted) return;
        merge(shares.values());
        // Whoever closes waits for one more try, not for the time between two.
        await pause(RETRY_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {});
      }
    }
  }

  function merge(shares: Iterable<ShareActivity>): void {
    for (const share of shares) {
      const former = waiting.get(share.shareId);
      if (former !== undefined) waiting.set(share.shareId, { ...share, ...sumOf(former, share) });
      else if (waiting.size < MAX_WAITING) waiting.set(share.shareId, share);
    }
  }

  function start(): void {
    running ??= writeAll().finally(() => {
      running = null;
    });
  }

  return {
    add(shares) {
      merge(shares);
      start();
    },
    async close() {
      closing.abort();
      start();
      await running;
    },
  };
}

/** Shares with traffic while the store is away: some megabytes. Others of that time are not counted. */
const MAX_WAITING = 20_000;
const RETRY_MS = 1_000;
