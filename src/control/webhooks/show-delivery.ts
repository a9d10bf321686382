// GET /v1/webhook-deliveries/{delivery}: what was sent, and what was answered.

import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { deliveryDetailSchema, deliveryParamsSchema } from './delivery-schema.ts';
import { deliveryDetail } from './delivery-view.ts';
import { findDelivery } from './find.ts';

export const showWebhookDelivery = operation({
  needs: 'webhooks.read',
  route: {
    method: 'get',
    path: '/v1/webhook-deliveries/{delivery}',
    operationId: 'showWebhookDelivery',
    summary: 'Show a delivery of a webhook',
    description: 'Shows a delivery of the log, with its payload and its last attempts.',
    request: { params: deliveryParamsSchema },
    responses: {
      200: {
        description: 'The delivery.',
        content: { 'application/json': { schema: deliveryDetailSchema } },
      },
      ...problems('delivery_unknown'),
    },
  },
  make: (deps) => async (c) => {
    const named = c.req.valid('param').delivery;
    const delivery = await findDelivery(deps.store.deliveryLog, c.get('caller').accountId, named);
    return c.json(deliveryDetailSchema.parse(deliveryDetail(delivery)), 200);
  },
});
