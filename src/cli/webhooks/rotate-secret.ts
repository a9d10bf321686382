// `doorward webhook rotate-secret ID`: another secret signs from now on, and is printed this once. The one
// before signs too for a while.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';
import { webhookText } from './text.ts';

type Options = ConnectionOptions & { readonly overlap?: string; readonly json?: true };

export function addWebhookRotateSecret(webhook: Command, terminal: Terminal): void {
  const command = newCommand(webhook, 'rotate-secret', [
    'doorward webhook rotate-secret whk_8k2m5p7r9t3w6y8a --overlap 2d',
  ])
    .description('rotate the secret of a webhook; prints the new one')
    .argument('<id>', 'its id')
    .addOption(
      onceOption(
        '--overlap <duration>',
        'how long the previous secret also signs, at most 7d; none ends it at once (default: 24h)',
      ),
    );
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (id: string, { overlap, ...options }: Options) => {
      const rotated = await (await connect(terminal, options)).webhooks.rotateSecret(id, { overlap });
      if (options.json) return printJson(terminal, rotated);
      terminal.out(`${plain(rotated.secret)}\n\n${webhookText(rotated)}`);
      const { formerSecretsUntil: until } = rotated;
      const former = until === null ? 'no longer signs' : `also signs until ${minuteText(until)}`;
      terminal.err(
        `\nSave the secret: it is not shown again. Give it to the receiver; the previous one ${former}.\n`,
      );
    });
}
