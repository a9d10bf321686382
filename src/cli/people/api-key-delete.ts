// `doorward api-key delete NAME`: the next call with it is refused.

import { deletion } from '../delete-command.ts';

export const addApiKeyDelete = deletion({
  description: 'delete an API key; it stops working with the next call',
  examples: ['doorward api-key delete ci', 'doorward api-key delete ci --yes'],
  argument: ['name', 'name or id'],
  what: (named) => `the API key ${named}`,
  remove: ({ apiKeys }, named) => apiKeys.remove(named),
});
