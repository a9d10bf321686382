// DELETE /v1/api-keys/{apiKey}: the next call with it is refused.

import { ifMatchParameter, problems } from '../answers.ts';
import { apiKeyParamsSchema, apiKeyVersion } from './api-key-schema.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import { checkIfMatch } from '../etag.ts';
import { operation } from '../operation.ts';
import { findApiKey, unknownApiKey } from './find-api-key.ts';
import { apiKeyDeleted } from './note.ts';

export const deleteApiKey = operation({
  needs: 'api_keys.write',
  route: {
    method: 'delete',
    path: '/v1/api-keys/{apiKey}',
    operationId: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'Deletes the key. It stops working with the next call, and its tunnels close.',
    parameters: [ifMatchParameter],
    request: { params: apiKeyParamsSchema },
    responses: {
      204: { description: 'The key is deleted.' },
      ...problems('api_key_unknown', 'last_admin', 'precondition_failed'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').apiKey;
    const { apiKeys } = deps.store;
    const found = await findApiKey(apiKeys, caller.accountId, named);
    checkIfMatch(c.req.header('if-match'), apiKeyVersion(found));
    // By its id: what may have taken its name meanwhile is another.
    const removed = await recordedChange(
      deps,
      caller,
      () => apiKeys.remove(caller.accountId, found.id),
      (key) => key && apiKeyDeleted(key),
    );
    if (removed === null) throw unknownApiKey(named);
    await confirmLive(deps);
    return c.body(null, 204);
  },
});
