// GET /v1/webhooks: the account's webhooks, without their secrets.

import { problems } from '../answers.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { pageQuerySchema } from '../shares/schema.ts';
import { webhookPageSchema } from './schema.ts';
import { webhookObject } from './view.ts';

export const listWebhooks = operation({
  needs: 'webhooks.read',
  route: {
    method: 'get',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Lists webhooks, one page at a time, without their secrets.',
    request: { query: pageQuerySchema },
    responses: {
      200: {
        description: 'A page of webhooks, sorted by id.',
        content: { 'application/json': { schema: webhookPageSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const found = await deps.store.webhooks.list(c.get('caller').accountId, {
      after: readCursor(cursor),
      limit: limit + 1,
    });
    const page = pageOf(found, limit, ({ id }) => id);
    return c.json(webhookPageSchema.parse({ ...page, items: page.items.map(webhookObject) }), 200);
  },
});
