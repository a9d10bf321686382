// GET /v1/hosts/{host}.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { etagHeader, problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { etagOf } from '../etag.ts';
import { hostObject, hostParamsSchema, hostSchema, hostVersion } from './schema.ts';
import { findHost } from './find.ts';

export const showHostRoute = createRoute({
  method: 'get',
  path: '/v1/hosts/{host}',
  operationId: 'showHost',
  summary: 'Show a host',
  description: 'One host, by id or name, with the DNS record that proves it while it is not verified.',
  ...needs('shares.read'),
  request: { params: hostParamsSchema },
  responses: {
    200: {
      description: 'The host.',
      headers: etagHeader,
      content: { 'application/json': { schema: hostSchema } },
    },
    ...problems('host_unknown'),
  },
});

export function showHost({ store }: ControlDeps): RouteHandler<typeof showHostRoute, ControlEnv> {
  return async (c) => {
    const row = await findHost(store.hosts, c.get('caller').accountId, c.req.valid('param').host);
    c.header('etag', etagOf(hostVersion(row)));
    return c.json(hostSchema.parse(hostObject(row)), 200);
  };
}
