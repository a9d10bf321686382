// GET /v1/api-keys/{apiKey}: what the key is, never the key itself.

import { etagHeader, problems } from '../answers.ts';
import { apiKeyObject, apiKeyParamsSchema, apiKeySchema, apiKeyVersion } from './api-key-schema.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { findApiKey } from './find-api-key.ts';

export const showApiKey = operation({
  needs: 'api_keys.read',
  route: {
    method: 'get',
    path: '/v1/api-keys/{apiKey}',
    operationId: 'showApiKey',
    summary: 'Show an API key',
    description: 'Shows one API key, by id or name, without the key itself.',
    request: { params: apiKeyParamsSchema },
    responses: {
      200: {
        description: 'The API key, without the key itself.',
        headers: etagHeader,
        content: { 'application/json': { schema: apiKeySchema } },
      },
      ...problems('api_key_unknown'),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const row = await findApiKey(store.apiKeys, c.get('caller').accountId, c.req.valid('param').apiKey);
      c.header('etag', etagOf(apiKeyVersion(row)));
      return c.json(apiKeySchema.parse(apiKeyObject(row)), 200);
    },
});
