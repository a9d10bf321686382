// `doorward webhook enable ID` and `disable ID`: one that was switched off for failing is switched on again
// here.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { webhookText } from './text.ts';

export function addWebhookSwitches(webhook: Command, terminal: Terminal): void {
  addSwitch(
    newCommand(webhook, 'enable', ['doorward webhook enable whk_8k2m5p7r9t3w6y8a']).description(
      'switch a webhook on',
    ),
    true,
    terminal,
  );
  addSwitch(
    newCommand(webhook, 'disable', ['doorward webhook disable whk_8k2m5p7r9t3w6y8a']).description(
      'switch a webhook off, and drop its pending deliveries',
    ),
    false,
    terminal,
  );
}

function addSwitch(command: Command, enabled: boolean, terminal: Terminal): void {
  addConnectionOptions(command.argument('<id>', 'its id'))
    .addOption(jsonOption())
    .action(async (id: string, options: ConnectionOptions & { readonly json?: true }) => {
      const after = await (await connect(terminal, options)).webhooks.modify(id, { enabled });
      if (options.json) printJson(terminal, after);
      else terminal.out(webhookText(after));
    });
}
