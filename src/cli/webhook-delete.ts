// `doorward webhook delete ID`: with what was still to be delivered to it.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { jsonOption } from './option-parsers.ts';
import { plain, printJson, type Terminal } from './terminal.ts';

export function addWebhookDelete(webhook: Command, terminal: Terminal): void {
  addConnectionOptions(webhook.command('delete').description('delete a webhook').argument('<id>', 'its id'))
    .addOption(jsonOption())
    .action(async (id: string, options: ConnectionOptions & { readonly json?: true }) => {
      await (await connect(terminal, options)).webhooks.remove(id);
      if (options.json) printJson(terminal, { deleted: id });
      else terminal.err(`Deleted ${plain(id)}.\n`);
    });
}
