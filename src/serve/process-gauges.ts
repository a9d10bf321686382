// What a scrape finds by looking: version, workers, certificates of files, the store's last answer and disk,
// and the audit events that wait.

import { X509Certificate } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import type { StoreConfig } from '../config/config.ts';
import type { TlsPair } from '../config/tls-files.ts';
import { type Metric, one } from '../domain/metric.ts';
import { steadyNow } from '../gateway/steady-clock.ts';
import type { Records } from './records.ts';
import type { Running } from './running.ts';
import { firstOf, told } from './service-metrics.ts';

export async function processGauges(
  { config, plane, certificates, storeGoodAt }: Running,
  { auditBacklog }: Pick<Records, 'auditBacklog'>,
): Promise<readonly Metric[]> {
  const disk = await diskOf(config.store);
  const { waiting, lost } = auditBacklog();
  const answeredAt = Date.now() - (steadyNow() - storeGoodAt);
  return [
    told('doorward_build_info', [{ value: 1, labels: { version: packageFile.version } }]),
    told('doorward_gateway_workers', one(plane?.living() ?? 0)),
    told('doorward_audit_waiting_events', one(waiting)),
    told('doorward_audit_lost_events_total', one(lost)),
    told('doorward_store_last_answer_timestamp_seconds', one(answeredAt / 1000)),
    told('doorward_store_disk_free_bytes', one(disk.free)),
    told('doorward_store_disk_size_bytes', one(disk.size)),
    told('doorward_tls_first_expiry_timestamp_seconds', one(firstOf(certificates.map(endOf)))),
  ];
}

async function diskOf({ engine }: StoreConfig): Promise<{ readonly free: number; readonly size: number }> {
  if (engine.kind !== 'sqlite') return UNKNOWN_DISK;
  try {
    // What is kept for root is no room for us.
    const { bavail, blocks, bsize } = await statfs(dirname(engine.file));
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return UNKNOWN_DISK;
  }
}

export function endOf({ certificate }: TlsPair): number {
  return new X509Certificate(certificate).validToDate.getTime();
}

const UNKNOWN_DISK = { free: Number.NaN, size: Number.NaN };
