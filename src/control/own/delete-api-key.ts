// DELETE /v1/me/api-keys/{apiKey}: a member's own word that the key opens nothing from now on, such as that
// of a laptop that was lost.

import { problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import { operation } from '../operation.ts';
import { findApiKey, unknownApiKey } from '../people/find-api-key.ts';
import { apiKeyParamsSchema } from '../people/api-key-schema.ts';
import { apiKeyDeleted } from '../people/note.ts';

export const deleteOwnApiKey = operation({
  needs: 'member',
  route: {
    method: 'delete',
    path: '/v1/me/api-keys/{apiKey}',
    operationId: 'deleteOwnApiKey',
    summary: 'Delete one of your own API keys',
    description:
      'Deletes an API key of the member who is logged in. It stops working with the next call, and tunnels that it opened end.',
    request: { params: apiKeyParamsSchema },
    responses: {
      204: { description: 'The API key was deleted.' },
      ...problems('api_key_unknown', 'last_admin'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').apiKey;
    const { apiKeys } = deps.store;
    const found = await findApiKey(apiKeys, caller.accountId, named);
    // Of another member, and of nobody: they read as none.
    if (found.memberId === null || found.memberId !== caller.memberId) throw unknownApiKey(named);
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
