// GET /v1/shares/{share}.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { etagHeader, problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { etagOf } from '../etag.ts';
import { shareParamsSchema, shareSchema } from './schema.ts';
import { shareObject } from './view.ts';
import { findShare } from './find.ts';

export const showShareRoute = createRoute({
  method: 'get',
  path: '/v1/shares/{share}',
  operationId: 'showShare',
  summary: 'Show a share',
  description: 'One share, by id or name.',
  ...needs('shares.read'),
  request: { params: shareParamsSchema },
  responses: {
    200: {
      description: 'The share.',
      headers: etagHeader,
      content: { 'application/json': { schema: shareSchema } },
    },
    ...problems('share_unknown'),
  },
});

export function showShare(deps: ControlDeps): RouteHandler<typeof showShareRoute, ControlEnv> {
  return async (c) => {
    const row = await findShare(deps.store.shares, c.get('caller').accountId, c.req.valid('param').share);
    c.header('etag', etagOf(row));
    return c.json(shareSchema.parse(shareObject(row, deps.settings().shareBase)), 200);
  };
}
