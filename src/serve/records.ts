// The store with what is always done beside it: audit events and what shares get are counted and written,
// what is over is swept.

import type { Config } from '../config/config.ts';
import type { ShareActivity } from '../domain/activity.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import { moreMasterKeys, readMasterKey } from '../store/sealing/master-key.ts';
import { type OpenedStore, openStore } from '../store/open.ts';
import { createActivityWriter } from './activity-writer.ts';
import { type AuditWriter, createAuditWriter } from './audit-writer.ts';
import { nameCertificates } from './certificate-names.ts';
import { startAuditIndexer } from './audit-indexer.ts';
import { createServiceMetrics, type ServiceMetrics } from './service-metrics.ts';
import { startSweeper, type SweeperDeps } from './sweeper.ts';

export type Records = {
  readonly store: OpenedStore;
  readonly metrics: ServiceMetrics;
  readonly audit: (events: readonly AuditEvent[]) => void;
  /** How many audit events are not written yet, and how many were dropped. */
  readonly auditBacklog: AuditWriter['backlog'];
  readonly count: (shares: readonly ShareActivity[]) => void;
  readonly close: () => Promise<void>;
};

type RecordsDeps = Pick<SweeperDeps, 'log' | 'now' | 'retention'> & {
  /** Those of the configuration, as it is now. */
  readonly providerNames: () => readonly string[];
};

/** Throws what `openStore` and `readMasterKey` throw. */
export async function openRecords(config: Config, deps: RecordsDeps): Promise<Records> {
  const { log, now, providerNames } = deps;
  const { engine, masterKeyFile } = config.store;
  const store = await openStore({
    engine,
    masterKey: await readMasterKey(masterKeyFile),
    moreMasterKeys: moreMasterKeys(masterKeyFile),
    now,
    exclusive: true,
  });
  const metrics = createServiceMetrics(providerNames);
  const { audit, certificates, sessions } = store;
  const append = async (events: readonly AuditEvent[]) =>
    audit.append(await nameCertificates(certificates, events));
  const writer = createAuditWriter({ append }, log);
  const activity = createActivityWriter({ table: store.activity, now, log });
  const stopSweeping = startSweeper({ store, ...deps });
  const stopIndexing = startAuditIndexer(
    {
      index: async () =>
        [await audit.index(), await sessions.index(), await certificates.index()].includes(true),
    },
    log,
  );
  return {
    store,
    metrics,
    audit(events) {
      metrics.countEvents(events);
      writer.write(events);
    },
    auditBacklog: writer.backlog,
    count: activity.add,
    async close() {
      stopSweeping();
      stopIndexing();
      await activity.close();
      await writer.close();
      await store.close();
    },
  };
}
