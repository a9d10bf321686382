// GET /v1/webhooks: the account's webhooks, without their secrets.

import { WEBHOOK_ORDERS } from '../../domain/list-orders.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { sortedPage, sortedPageSchema, totalOf } from '../sorting.ts';
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
    request: { query: sortedPageSchema(WEBHOOK_ORDERS) },
    responses: {
      200: {
        description: 'A page of webhooks, the oldest first unless `sort` says otherwise.',
        content: { 'application/json': { schema: webhookPageSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => async (c) => {
    const query = c.req.valid('query');
    const { accountId } = c.get('caller');
    const { webhooks } = deps.store;
    const { sort, after, cursorAt } = sortedPage(WEBHOOK_ORDERS, query);
    const page = { sort, after, limit: query.limit };
    const { rows, next } = await webhooks.list(accountId, page);
    const total = await totalOf({ after, next, count: rows.length }, (most) =>
      webhooks.count(accountId, most),
    );
    const items = rows.map(webhookObject);
    return c.json(webhookPageSchema.parse({ items, nextCursor: cursorAt(next), total }), 200);
  },
});
