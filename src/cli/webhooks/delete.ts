// `doorward webhook delete ID`: with what was still to be delivered to it.

import { deletion } from '../delete-command.ts';

export const addWebhookDelete = deletion({
  description: 'delete a webhook',
  examples: ['doorward webhook delete whk_8k2m5p7r9t3w6y8a'],
  argument: ['id', 'its id'],
  what: (named) => `the webhook ${named}, with its pending deliveries`,
  remove: ({ webhooks }, named) => webhooks.remove(named),
});
