// GET /v1/webhooks/{webhook}: without its secret, with how its deliveries fare.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { etagHeader, problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { etagOf } from '../etag.ts';
import { webhookParamsSchema, webhookSchema } from './schema.ts';
import { webhookObject, webhookVersion } from './view.ts';
import { findWebhook } from './find.ts';

export const showWebhookRoute = createRoute({
  method: 'get',
  path: '/v1/webhooks/{webhook}',
  operationId: 'showWebhook',
  summary: 'Show a webhook',
  description: 'One webhook, without its secret.',
  ...needs('webhooks.read'),
  request: { params: webhookParamsSchema },
  responses: {
    200: {
      description: 'The webhook.',
      headers: etagHeader,
      content: { 'application/json': { schema: webhookSchema } },
    },
    ...problems('webhook_unknown'),
  },
});

export function showWebhook(deps: ControlDeps): RouteHandler<typeof showWebhookRoute, ControlEnv> {
  return async (c) => {
    const { accountId } = c.get('caller');
    const found = await findWebhook(deps.store.webhooks, accountId, c.req.valid('param').webhook);
    c.header('etag', etagOf(webhookVersion(found)));
    return c.json(webhookSchema.parse(webhookObject(found)), 200);
  };
}
