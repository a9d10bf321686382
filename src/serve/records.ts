// The store with what is always done beside it: audit events are counted and written, what is over is swept.

import type { Config } from '../config/config.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import type { Log } from '../domain/log.ts';
import { readMasterKey } from '../store/master-key.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { createAuditWriter } from './audit-writer.ts';
import { createServiceMetrics, type ServiceMetrics } from './service-metrics.ts';

export type Records = {
  readonly store: Store;
  readonly metrics: ServiceMetrics;
  readonly audit: (events: readonly AuditEvent[]) => void;
  readonly close: () => Promise<void>;
};

/** Throws what `openStore` and `readMasterKey` throw. */
export async function openRecords(
  config: Config,
  deps: { readonly log: Log; readonly now: () => number },
): Promise<Records> {
  const { log, now } = deps;
  const masterKey = await readMasterKey(config.store.masterKeyFile);
  const store = await openStore({ engine: config.store.engine, masterKey, now, exclusive: true });
  const metrics = createServiceMetrics();
  const writer = createAuditWriter(store.audit, log);
  const sweeper = setInterval(() => void sweepOnce(), SWEEP_INTERVAL_MS).unref();
  async function sweepOnce(): Promise<void> {
    try {
      await store.sweep(now() - KEEP_ENDED_MS);
    } catch (error) {
      log.warn({ err: error }, 'Cannot sweep what is over');
    }
  }
  return {
    store,
    metrics,
    audit(events) {
      metrics.countEvents(events);
      writer.write(events);
    },
    async close() {
      clearInterval(sweeper);
      await writer.close();
      await store.close();
    },
  };
}

const SWEEP_INTERVAL_MS = 10 * 60_000;
/** Ended sessions and spent attempts stay this long, so that an operator can see who was in last week. */
const KEEP_ENDED_MS = 7 * 24 * 60 * 60_000;
