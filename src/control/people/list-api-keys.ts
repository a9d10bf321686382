// GET /v1/api-keys: the account's keys by name, a page at a time. What they are is shown, never the keys
// themselves.

import { problems } from '../answers.ts';
import { apiKeyObject, apiKeyPageSchema } from './api-key-schema.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { pageQuerySchema } from '../shares/schema.ts';

export const listApiKeys = operation({
  needs: 'api_keys.read',
  route: {
    method: 'get',
    path: '/v1/api-keys',
    operationId: 'listApiKeys',
    summary: 'List API keys',
    description: 'Lists API keys, one page at a time, without the keys themselves.',
    request: { query: pageQuerySchema },
    responses: {
      200: {
        description: 'A page of keys, sorted by name.',
        content: { 'application/json': { schema: apiKeyPageSchema } },
      },
      ...problems(),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const rows = await store.apiKeys.list(c.get('caller').accountId, {
        after: readCursor(cursor),
        limit: limit + 1,
      });
      const page = pageOf(rows, limit, ({ name }) => name);
      return c.json(apiKeyPageSchema.parse({ ...page, items: page.items.map(apiKeyObject) }), 200);
    },
});
