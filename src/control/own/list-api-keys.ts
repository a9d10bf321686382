// GET /v1/me/api-keys: the member's own keys, those of devices that they logged in among them. What they are
// is shown, never the keys themselves.

import { problems } from '../answers.ts';
import { MAX_PAGE } from '../cursor.ts';
import { operation } from '../operation.ts';
import { ownApiKeyListSchema } from './schema.ts';
import { ownApiKeyObject } from './view.ts';

export const listOwnApiKeys = operation({
  needs: 'member',
  route: {
    method: 'get',
    path: '/v1/me/api-keys',
    operationId: 'listOwnApiKeys',
    summary: 'List your own API keys',
    description:
      'Lists the API keys that the member who is logged in created, and those of the devices that they logged in (RFC 8628). The keys themselves are never shown again.',
    responses: {
      200: {
        description: 'API keys of the member, at most 200, the newest first.',
        content: { 'application/json': { schema: ownApiKeyListSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => async (c) => {
    const { accountId, memberId } = c.get('caller');
    const found =
      memberId === null ? [] : await deps.store.apiKeys.ofMember(accountId, memberId, MAX_PAGE + 1);
    const items = found.slice(0, MAX_PAGE).map(ownApiKeyObject);
    return c.json(ownApiKeyListSchema.parse({ items, more: found.length > MAX_PAGE }), 200);
  },
});
