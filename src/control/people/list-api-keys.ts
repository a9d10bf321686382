// GET /v1/api-keys: the account's keys in the order that was asked for, a page at a time. What they are is
// shown, never the keys themselves.

import { API_KEY_ORDERS } from '../../domain/list-orders.ts';
import { problems } from '../answers.ts';
import { apiKeyObject, apiKeyPageSchema } from './api-key-schema.ts';
import { operation } from '../operation.ts';
import { sortedPage, sortedPageSchema, totalOf } from '../sorting.ts';

export const listApiKeys = operation({
  needs: 'api_keys.read',
  route: {
    method: 'get',
    path: '/v1/api-keys',
    operationId: 'listApiKeys',
    summary: 'List API keys',
    description: 'Lists API keys, one page at a time, without the keys themselves.',
    request: { query: sortedPageSchema(API_KEY_ORDERS) },
    responses: {
      200: {
        description: 'A page of keys, sorted by name unless `sort` says otherwise.',
        content: { 'application/json': { schema: apiKeyPageSchema } },
      },
      ...problems(),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const query = c.req.valid('query');
      const { accountId } = c.get('caller');
      const { sort, after, cursorAt } = sortedPage(API_KEY_ORDERS, query);
      const page = { sort, after, limit: query.limit };
      const { rows, next } = await store.apiKeys.list(accountId, page);
      const total = await totalOf({ after, next, count: rows.length }, (most) =>
        store.apiKeys.count(accountId, most),
      );
      const items = rows.map(apiKeyObject);
      return c.json(apiKeyPageSchema.parse({ items, nextCursor: cursorAt(next), total }), 200);
    },
});
