// This process as a gateway, for `GET /v1/gateways`.

import packageFile from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import { newId } from '../domain/id.ts';
import type { GatewayRow } from '../store/gateways.ts';
import { tunnelUrl } from './gate-settings.ts';

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
