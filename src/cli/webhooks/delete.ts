// `doorward webhook delete ID`: with what was still to be delivered to it.

import type { Command } from 'commander';
import { addDeletion } from '../delete-command.ts';
import type { Terminal } from '../terminal.ts';

export function addWebhookDelete(webhook: Command, terminal: Terminal): void {
  addDeletion(webhook, terminal, {
    description: 'delete a webhook',
    argument: ['id', 'its id'],
    what: (named) => `the webhook ${named}, with what is still to be delivered to it`,
    remove: ({ webhooks }, named) => webhooks.remove(named),
  });
}
