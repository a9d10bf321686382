// Adds up what the workers counted, and writes it to the store in one transaction at a time: what arrives
// meanwhile goes with the next. What cannot be written now is kept, within bounds. What was not written when
// the process dies, a few seconds, is lost.

import { type ShareActivity, sumOf, sumOfFigures } from '../domain/activity.ts';
import type { ShareId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import type { ActivityTable } from '../store/activity/query.ts';
import { createWriter } from './store-writer.ts';

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
  const writer = createWriter<ReadonlyMap<ShareId, ShareActivity>>({
    take() {
      const shares = waiting;
      waiting = new Map();
      return shares.size === 0 ? null : shares;
    },
    // Also what waited for the store to come back is counted now: nobody has to be told when it was.
    write: (shares) => table.add(now(), [...shares.values()]),
    refused: (shares, error) =>
      log.warn({ err: error, shares: shares.size }, 'Cannot write how many requests shares got'),
    giveBack: (shares) => merge(shares.values()),
  });

  function merge(shares: Iterable<ShareActivity>): void {
    for (const share of shares) {
      const former = waiting.get(share.shareId);
      if (former !== undefined)
        waiting.set(share.shareId, { ...share, ...sumOf(former, share), ...sumOfFigures(former, share) });
      else if (waiting.size < MAX_WAITING) waiting.set(share.shareId, share);
    }
  }

  return {
    add(shares) {
      merge(shares);
      writer.start();
    },
    close: writer.close,
  };
}

/** Shares with traffic while the store is away: some megabytes. Others of that time are not counted. */
const MAX_WAITING = 20_000;
