// This process as a gateway, for `GET /v1/gateways`, and how it does, for operators.

import packageFile from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import { newId } from '../domain/id.ts';
import { steadyNow } from '../gateway/steady-clock.ts';
import type { GatewayHealth, GatewayRow } from '../store/gateways.ts';
import { tunnelUrl } from './gate-settings.ts';
import { endOf } from './process-gauges.ts';
import type { Records } from './records.ts';
import type { Running } from './running.ts';

/** Another one with each start. `startedAt` in milliseconds since the epoch. */
export function ownGateway(config: Config, startedAt: number): GatewayRow {
  return {
    id: newId('gtw'),
    tunnelUrl: tunnelUrl(config).origin,
    workers: config.gateway.workers,
    version: packageFile.version,
    startedAt,
  };
}

export function ownHealth(
  { plane, certificates, storeGoodAt }: Running,
  { auditBacklog }: Pick<Records, 'auditBacklog'>,
): GatewayHealth {
  const ends = certificates.map(endOf);
  return {
    workersRunning: plane?.living() ?? 0,
    feedAgeMs: Math.max(0, Math.round(steadyNow() - storeGoodAt)),
    auditWaiting: auditBacklog().waiting,
    certificateEndsAt: ends.length === 0 ? null : Math.min(...ends),
  };
}
