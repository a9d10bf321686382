// GET /v1/webhooks/{webhook}/deliveries: what was delivered lately, and what came of it.

import type { LoggedDelivery } from '../../store/webhooks/logged-delivery.ts';
import { problems } from '../answers.ts';
import { pageOf, readCursor, unknownCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { deliveryPageSchema, deliveryQuerySchema } from './delivery-schema.ts';
import { deliveryObject } from './delivery-view.ts';
import { findWebhook, isDeliveryId } from './find.ts';
import { webhookParamsSchema } from './schema.ts';

export const listWebhookDeliveries = operation({
  needs: 'webhooks.read',
  route: {
    method: 'get',
    path: '/v1/webhooks/{webhook}/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries of a webhook',
    description:
      'Lists the last deliveries of a webhook with their last attempts, one page at a time. The log keeps the last 100 deliveries or more, for seven days. A delivery is in the log after its first attempt.',
    request: { params: webhookParamsSchema, query: deliveryQuerySchema },
    responses: {
      200: {
        description: 'A page of deliveries, the last attempt first.',
        content: { 'application/json': { schema: deliveryPageSchema } },
      },
      ...problems('webhook_unknown'),
    },
  },
  make: (deps) => async (c) => {
    const { accountId } = c.get('caller');
    const { limit, cursor, state = null } = c.req.valid('query');
    const { webhooks, deliveryLog } = deps.store;
    const { id: webhookId } = await findWebhook(webhooks, accountId, c.req.valid('param').webhook);
    const found = await deliveryLog.list(
      { accountId, webhookId },
      { state, before: placeOf(readCursor(cursor)), limit: limit + 1 },
    );
    const page = pageOf(found, limit, ({ lastAt, id }) => `${lastAt}-${id}`);
    return c.json(deliveryPageSchema.parse({ ...page, items: page.items.map(deliveryObject) }), 200);
  },
});

/** Throws `validation_failed`. */
function placeOf(cursor: string | null): Pick<LoggedDelivery, 'lastAt' | 'id'> | null {
  if (cursor === null) return null;
  const [, lastAt, id = ''] = /^(\d{1,15})-(\w+)$/.exec(cursor) ?? [];
  if (!isDeliveryId(id)) throw unknownCursor();
  return { lastAt: Number(lastAt), id };
}
