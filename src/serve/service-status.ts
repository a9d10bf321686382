// How this process of the service does, for `GET /v1/status`.

import packageFile from '../../package.json' with { type: 'json' };
import type { ServiceStatus } from '../control/control-deps.ts';

/**
 * `livingWorkers` and `configuredWorkers` are of the data plane; `startedAt` is in milliseconds since the
 * epoch.
 */
export function serviceStatus(facts: {
  readonly startedAt: number;
  readonly livingWorkers: number;
  readonly configuredWorkers: number;
}): ServiceStatus {
  const { startedAt, livingWorkers, configuredWorkers } = facts;
  return {
    version: packageFile.version,
    startedAt,
    workers: { running: livingWorkers, configured: configuredWorkers },
  };
}
