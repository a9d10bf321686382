// The store with what is always done beside it: audit events and what shares get are counted and written,
// what is over is swept.

import type { Config } from '../config/config.ts';
import type { ShareActivity } from '../domain/activity.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import { moreMasterKeys, readMasterKey } from '../store/sealing/master-key.ts';
import { type OpenedStore, openStore } from '../store/open.ts';
import { createActivityWriter } from './activity-writer.ts';
import { createAuditWriter } from './audit-writer.ts';
import { nameCertificates } from './certificate-names.ts';
import { createServiceMetrics, type ServiceMetrics } from './service-metrics.ts';
import { startSweeper, type SweeperDeps } from './sweeper.ts';

export type Records = {
  readonly store: OpenedStore;
  readonly metrics: ServiceMetrics;
  readonly audit: (events: readonly AuditEvent[]) => void;
  readonly count: (shares: readonly ShareActivity[]) => void;
  readonly close: () => Promise<void>;
};

/** Throws what `openStore` and `readMasterKey` throw. */
export async function openRecords(
  config: Config,
  deps: Pick<SweeperDeps, 'log' | 'now' | 'retention'>,
): Promise<Records> {
  const { log, now } = deps;
  const { engine, masterKeyFile } = config.store;
  const store = await openStore({
    engine,
    masterKey: await readMasterKey(masterKeyFile),
    moreMasterKeys: moreMasterKeys(masterKeyFile),
    now,
    exclusive: true,
  });
  const metrics = createServiceMetrics();
  const { audit, certificates } = store;
  const append = async (events: readonly AuditEvent[]) =>
    audit.append(await nameCertificates(certificates, events));
  const writer = createAuditWriter({ append }, log);
  const activity = createActivityWriter({ table: store.activity, now, log });
  const stopSweeping = startSweeper({ store, ...deps });
  return {
    store,
    metrics,
    audit(events) {
      metrics.countEvents(events);
      writer.write(events);
    },
    count: activity.add,
    async close() {
      stopSweeping();
      await activity.close();
      await writer.close();
      await store.close();
    },
  };
}
