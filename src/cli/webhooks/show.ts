// `doorward webhook show ID`.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { webhookText } from './text.ts';

export function addWebhookShow(webhook: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(webhook, 'show', ['doorward webhook show whk_8k2m5p7r9t3w6y8a'])
      .description('show a webhook')
      .argument('<id>', 'its id'),
  )
    .addOption(jsonOption())
    .action(async (id: string, options: ConnectionOptions & { readonly json?: true }) => {
      const found = await (await connect(terminal, options)).webhooks.show(id);
      if (options.json) printJson(terminal, found);
      else terminal.out(webhookText(found));
    });
}
