// `doorward token delete NAME`: the next request with it is refused.

import { deletion } from '../delete-command.ts';

export const addTokenDelete = deletion({
  description: 'delete a service token; it stops working within two seconds',
  examples: ['doorward token delete deploy-bot', 'doorward token delete deploy-bot --yes'],
  argument: ['name', 'name or id'],
  what: (named) => `the service token ${named}`,
  remove: ({ serviceTokens }, named) => serviceTokens.remove(named),
});
