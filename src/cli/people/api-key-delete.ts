// `doorward api-key delete NAME`: the next call with it is refused. Service tokens that it made are the
// account's, and stay: they are named, for whoever deletes a key that was stolen.

import type { Client } from '../../client/client.ts';
import type { ServiceTokenObject } from '../../wire/service-token.ts';
import { deletion } from '../delete-command.ts';
import { everyPage } from '../pages.ts';
import { isMadeBy } from '../tokens/list.ts';

export const addApiKeyDelete = deletion({
  description: 'delete an API key; it stops working with the next call',
  examples: ['doorward api-key delete ci', 'doorward api-key delete ci --yes'],
  argument: ['name', 'name or id'],
  what: (named) => `the API key ${named}`,
  remove: async (client, named) => {
    const left = await tokensOf(client, named).catch(() => []);
    await client.apiKeys.remove(named);
    if (left.length === 0) return undefined;
    const names = left.map(({ name }) => name).join(', ');
    return `Service tokens that it made still work: ${names}. Delete those that should not: doorward token delete NAME`;
  },
});

/** Whoever may not read them is not told. */
async function tokensOf(
  { apiKeys, serviceTokens }: Client,
  named: string,
): Promise<readonly ServiceTokenObject[]> {
  const keys = await everyPage(apiKeys.list);
  const key = keys.find(({ id, name }) => id === named || name === named);
  if (key === undefined) return [];
  const tokens = await everyPage(serviceTokens.list);
  const now = Date.now();
  return tokens.filter((each) => isMadeBy(each, key.id) && Date.parse(each.expiresAt) > now);
}
