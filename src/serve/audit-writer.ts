// Appends audit events to the store in the order they came, in one write at a time: what arrives while a
// write runs goes with the next. An event that cannot be written now is kept, within bounds, and tried again.

import type { AuditEvent } from '../domain/audit-event.ts';
import type { Log } from '../domain/log.ts';
import type { AuditTable } from '../store/audit/query.ts';
import { createWriter } from './store-writer.ts';

export type AuditWriter = {
  readonly write: (events: readonly AuditEvent[]) => void;
  /** `waiting`: not in the store yet. `lost`: dropped since the start because too many waited. */
  readonly backlog: () => { readonly waiting: number; readonly lost: number };
  /** Resolves once everything was written, or the store refused it twice. */
  readonly close: () => Promise<void>;
};

export function createAuditWriter(table: Pick<AuditTable, 'append'>, log: Log): AuditWriter {
  let waiting: AuditEvent[] = [];
  /** Taken last; 0 once nothing is left to take. */
  let writing = 0;
  let lost = 0;
  const writer = createWriter<readonly AuditEvent[]>({
    take() {
      const events = waiting;
      waiting = [];
      writing = events.length;
      return events.length === 0 ? null : events;
    },
    write: (events) => table.append(events),
    refused: (events, error) => log.error({ err: error, events: events.length }, 'Cannot write audit events'),
    giveBack(events) {
      waiting = [...events, ...waiting];
      writing = 0;
    },
  });
  return {
    write(events) {
      const room = Math.max(0, MAX_WAITING - waiting.length);
      if (events.length > room) {
        lost += events.length - room;
        log.error({ lost: events.length - room }, 'Cannot keep audit events: too many wait');
      }
      waiting.push(...events.slice(0, room));
      writer.start();
    },
    backlog: () => ({ waiting: waiting.length + writing, lost }),
    close: writer.close,
  };
}

/** While the store is away no login succeeds, so this many refusals are minutes of them. */
const MAX_WAITING = 10_000;
