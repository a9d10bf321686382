// Appends audit events to the store in the order they came, in one write at a time: what arrives while a write runs
// goes with the next. An event that cannot be written now is kept, within bounds, and tried again.

import { setTimeout as pause } from 'node:timers/promises';
import type { AuditEvent } from '../domain/audit-event.ts';
import type { Log } from '../domain/log.ts';
import type { AuditTable } from '../store/store.ts';

export type AuditWriter = {
  readonly write: (events: readonly AuditEvent[]) => void;
  /** Resolves once everything was written, or the store refused it twice. */
  readonly close: () => Promise<void>;
};

export function createAuditWriter(table: Pick<AuditTable, 'append'>, log: Log): AuditWriter {
  let waiting: AuditEvent[] = [];
  let running: Promise<void> | null = null;
  const closing = new AbortController();

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const events = waiting;
      waiting = [];
      try {
        await table.append(events);
      } catch (error) {
        log.error({ err: error, events: events.length }, 'Cannot write audit events');
        if (closing.signal.aborted) return;
        waiting = [...events, ...waiting];
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
    write(events) {
      const room = Math.max(0, MAX_WAITING - waiting.length);
      if (events.length > room)
        log.error({ lost: events.length - room }, 'Cannot keep audit events: too many wait');
      waiting.push(...events.slice(0, room));
      start();
    },
    async close() {
      closing.abort();
      start();
      await running;
    },
  };
}

/** While the store is away no login succeeds, so this many refusals are minutes of them. */
const MAX_WAITING = 10_000;
const RETRY_MS = 1_000;
