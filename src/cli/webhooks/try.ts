// `doorward webhook test ID`: posts the event of the test at once, and says how it went.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { type ExitWith, newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

export function addWebhookTest(webhook: Command, terminal: Terminal, exitWith: ExitWith): void {
  addConnectionOptions(
    newCommand(webhook, 'test', ['doorward webhook test whk_8k2m5p7r9t3w6y8a'])
      .description('post a test event to a webhook')
      .argument('<id>', 'its id'),
  )
    .addOption(jsonOption())
    .action(async (id: string, options: ConnectionOptions & { readonly json?: true }) => {
      const result = await (await connect(terminal, options)).webhooks.test(id);
      if (options.json) printJson(terminal, result);
      else if (result.delivered) terminal.err(`Delivered: it answered ${result.status ?? ''}.\n`);
      else terminal.err(`error: Cannot deliver the test event: ${plain(result.reason ?? '')}\n`);
      if (!result.delivered) exitWith(FAILED);
    });
}

const FAILED = 1;
