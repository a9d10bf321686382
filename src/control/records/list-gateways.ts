// GET /v1/gateways: every gateway that lives, and where agents open their tunnels to it (DESIGN "Tunnel").
// All that serve from this store are listed, whichever of them answers. They are the service's, not an
// account's: any key may ask.

import { z } from '@hono/zod-openapi';
import { GATEWAY_SILENT_MS } from '../../domain/beat.ts';
import type { GatewayList } from '../../wire/gateway.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { timeText } from '../time-text.ts';

const gatewaySchema = z
  .object({
    id: z.string(),
    tunnelUrl: z.url().openapi({
      description: 'The origin where agents open their tunnels. Gateways behind one load balancer share it.',
    }),
    workers: z.int().min(1).openapi({ description: 'An agent opens a connection to each worker.' }),
    version: z.string(),
    startedAt: z.iso.datetime(),
  })
  .openapi('Gateway');

const gatewayListSchema = z
  .object({ items: z.array(gatewaySchema) })
  .openapi('GatewayList') satisfies z.ZodType<GatewayList>;

export const listGateways = operation({
  needs: 'gateways.read',
  route: {
    method: 'get',
    path: '/v1/gateways',
    operationId: 'listGateways',
    summary: 'List gateways',
    description:
      'Lists every gateway that reported within the last 30 seconds, and where agents connect to it.',
    responses: {
      200: {
        description: 'The gateways, the longest running first.',
        content: { 'application/json': { schema: gatewayListSchema } },
      },
      ...problems(),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const rows = await store.gateways.living(GATEWAY_SILENT_MS);
      const items = rows.map(({ id, tunnelUrl, workers, version, startedAt }) => ({
        id,
        tunnelUrl,
        workers,
        version,
        startedAt: timeText(startedAt),
      }));
      return c.json(gatewayListSchema.parse({ items }), 200);
    },
});
