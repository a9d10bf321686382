// GET /v1/api-keys: the account's keys by name, a page at a time. What they are is shown, never the keys themselves.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { problems } from '../answers.ts';
import { apiKeyObject, apiKeyPageSchema } from './api-key-schema.ts';
import { needs } from '../authorize.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { pageQuerySchema } from '../shares/schema.ts';

export const listApiKeysRoute = createRoute({
  method: 'get',
  path: '/v1/api-keys',
  operationId: 'listApiKeys',
  summary: 'List API keys',
  description: 'API keys by name, a page at a time. The keys themselves are never shown again.',
  ...needs('api_keys.read'),
  request: { query: pageQuerySchema },
  responses: {
    200: {
      description: 'A page of keys by name.',
      content: { 'application/json': { schema: apiKeyPageSchema } },
    },
    ...problems(),
  },
});

export function listApiKeys({ store }: ControlDeps): RouteHandler<typeof listApiKeysRoute, ControlEnv> {
  return async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const rows = await store.apiKeys.list(c.get('caller').accountId, {
      after: readCursor(cursor),
      limit: limit + 1,
    });
    const page = pageOf(rows, limit, ({ name }) => name);
    return c.json(apiKeyPageSchema.parse({ ...page, items: page.items.map(apiKeyObject) }), 200);
  };
}
