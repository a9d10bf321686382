// GET /v1/operator/health: how the gateways do, whichever of them answers, and what waits in the database.

import { GATEWAY_SILENT_MS } from '../../domain/beat.ts';
import type { AcmeName } from '../../store/acme/acme.ts';
import type { KnownGateway } from '../../store/gateways.ts';
import type { OperatedGateway, ServiceHealth } from '../../wire/operator.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { timeOrNull, timeText } from '../time-text.ts';
import { serviceHealthSchema } from './schema.ts';

export const showServiceHealth = operation({
  needs: 'operator',
  route: {
    method: 'get',
    path: '/v1/operator/health',
    operationId: 'showServiceHealth',
    summary: 'Show the health of the service',
    description:
      'Shows each gateway with its version, last report, workers and certificates, and what waits in the database.',
    responses: {
      200: {
        description: 'The gateways, the longest running first.',
        content: { 'application/json': { schema: serviceHealthSchema } },
      },
      ...problems(),
    },
  },
  make:
    ({ store, settings, now }) =>
    async (c) => {
      const [gateways, webhookDeliveries] = await Promise.all([
        store.gateways.known(),
        store.deliveries.backlog(),
      ]);
      const health: ServiceHealth = {
        gateways: gateways.map(gatewayObject),
        publicCertificates: settings().automaticCertificates
          ? certificatesOf(await store.acme.names(), now())
          : null,
        webhookDeliveries,
      };
      return c.json(serviceHealthSchema.parse(health), 200);
    },
});

function gatewayObject({ id, version, startedAt, workers, silentMs, health }: KnownGateway): OperatedGateway {
  return {
    id,
    version,
    startedAt: timeText(startedAt),
    state: silentMs > GATEWAY_SILENT_MS ? 'silent' : 'running',
    silentSeconds: Math.floor(silentMs / 1000),
    workers: { running: health?.workersRunning ?? null, configured: workers },
    behindSeconds: health === null ? null : health.feedAgeMs / 1000,
    auditWaiting: health?.auditWaiting ?? null,
    certificateExpiresAt: timeOrNull(health?.certificateEndsAt ?? null),
  };
}

function certificatesOf(names: readonly AcmeName[], now: number): ServiceHealth['publicCertificates'] {
  const ends = names.flatMap(({ held }) => (held === null ? [] : [held.notAfter]));
  const valid = ends.filter((end) => end > now).length;
  return {
    valid,
    missing: names.length - valid,
    failing: names.filter(({ failures }) => failures > 0).length,
    firstExpiresAt: timeOrNull(ends.length === 0 ? null : Math.min(...ends)),
  };
}
