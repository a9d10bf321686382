// DELETE /v1/api-keys/{apiKey}: the next call with it is refused.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { ServiceError } from '../../domain/service-error.ts';
import { problems } from '../answers.ts';
import { apiKeyParamsSchema } from '../api-key-schema.ts';
import { needs } from '../authorize.ts';
import { noteChange } from '../change-note.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';

export const deleteApiKeyRoute = createRoute({
  method: 'delete',
  path: '/v1/api-keys/{apiKey}',
  operationId: 'deleteApiKey',
  summary: 'Delete an API key',
  ...needs('api_keys.write'),
  request: { params: apiKeyParamsSchema },
  responses: {
    204: { description: 'It is gone, and opens nothing any more.' },
    ...problems('api_key_unknown'),
  },
});

export function deleteApiKey(deps: ControlDeps): RouteHandler<typeof deleteApiKeyRoute, ControlEnv> {
  return async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').apiKey;
    const removed = await deps.store.apiKeys.remove(caller.accountId, named);
    if (removed === null)
      throw new ServiceError(
        'api_key_unknown',
        `Cannot find API key "${named}": there is none of that name or id`,
        { hint: 'List them with "doorward api-key list".' },
      );
    await noteChange(deps, caller, { kind: 'api_key.deleted', reason: removed.name });
    return c.body(null, 204);
  };
}
