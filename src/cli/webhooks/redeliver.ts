// `doorward webhook redeliver DELIVERY`: sends it once more, at once, and says how it went.

import type { Command } from 'commander';
import { type ExitWith, newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

export function addWebhookRedeliver(webhook: Command, terminal: Terminal, exitWith: ExitWith): void {
  addConnectionOptions(
    newCommand(webhook, 'redeliver', ['doorward webhook redeliver dlv_3n5q7r0t1s2x4v6b'])
      .description('send a delivery again, once: same id and payload, new signature time')
      .argument('<delivery>', 'its id'),
  )
    .addOption(jsonOption())
    .action(async (delivery: string, options: ConnectionOptions & { readonly json?: true }) => {
      const result = await (await connect(terminal, options)).webhooks.redeliver(delivery);
      if (options.json) printJson(terminal, result);
      else if (result.delivered) terminal.err(`Delivered: it answered ${result.status ?? ''}.\n`);
      else terminal.err(`error: Cannot redeliver ${plain(delivery)}: ${plain(result.reason ?? '')}\n`);
      if (!result.delivered) exitWith(FAILED);
    });
}

const FAILED = 1;
