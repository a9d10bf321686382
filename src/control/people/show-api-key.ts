// GET /v1/api-keys/{apiKey}: what the key is, never the key itself.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { etagHeader, problems } from '../answers.ts';
import { apiKeyObject, apiKeyParamsSchema, apiKeySchema, apiKeyVersion } from './api-key-schema.ts';
import { needs } from '../authorize.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { etagOf } from '../etag.ts';
import { findApiKey } from './find-api-key.ts';

export const showApiKeyRoute = createRoute({
  method: 'get',
  path: '/v1/api-keys/{apiKey}',
  operationId: 'showApiKey',
  summary: 'Show an API key',
  description: 'One API key, by id or name, without the key itself.',
  ...needs('api_keys.read'),
  request: { params: apiKeyParamsSchema },
  responses: {
    200: {
      description: 'What the key is.',
      headers: etagHeader,
      content: { 'application/json': { schema: apiKeySchema } },
    },
    ...problems('api_key_unknown'),
  },
});

export function showApiKey({ store }: ControlDeps): RouteHandler<typeof showApiKeyRoute, ControlEnv> {
  return async (c) => {
    const row = await findApiKey(store.apiKeys, c.get('caller').accountId, c.req.valid('param').apiKey);
    c.header('etag', etagOf(apiKeyVersion(row)));
    return c.json(apiKeySchema.parse(apiKeyObject(row)), 200);
  };
}
