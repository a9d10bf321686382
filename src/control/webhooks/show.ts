// GET /v1/webhooks/{webhook}: without its secret, with how its deliveries fare.

import { etagHeader, problems } from '../answers.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { webhookParamsSchema, webhookSchema } from './schema.ts';
import { webhookObject, webhookVersion } from './view.ts';
import { findWebhook } from './find.ts';

export const showWebhook = operation({
  needs: 'webhooks.read',
  route: {
    method: 'get',
    path: '/v1/webhooks/{webhook}',
    operationId: 'showWebhook',
    summary: 'Show a webhook',
    description: 'Shows one webhook, without its secret.',
    request: { params: webhookParamsSchema },
    responses: {
      200: {
        description: 'The webhook.',
        headers: etagHeader,
        content: { 'application/json': { schema: webhookSchema } },
      },
      ...problems('webhook_unknown'),
    },
  },
  make: (deps) => async (c) => {
    const { accountId } = c.get('caller');
    const found = await findWebhook(deps.store.webhooks, accountId, c.req.valid('param').webhook);
    c.header('etag', etagOf(webhookVersion(found)));
    return c.json(webhookSchema.parse(webhookObject(found)), 200);
  },
});
