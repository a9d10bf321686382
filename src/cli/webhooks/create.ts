// `doorward webhook create URL`: has audit events posted there. The secret is printed this once.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { gatheringOption, jsonOption, onceOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';
import { webhookText } from './text.ts';

type Options = ConnectionOptions & {
  readonly name?: string;
  readonly kind?: readonly string[];
  readonly json?: true;
};

export function addWebhookCreate(webhook: Command, terminal: Terminal): void {
  const command = newCommand(webhook, 'create', [
    'doorward webhook create https://hooks.example.com/doorward --kind login.refused --kind share.created',
  ])
    .description('send audit events to a webhook; prints the secret that signs them')
    .argument('<url>', 'the receiver’s URL, https')
    .addOption(onceOption('--name <name>', 'for people'))
    .addOption(
      gatheringOption('--kind <kind>', 'only events of this kind, such as login.refused; repeatable'),
    );
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (url: string, { name, kind, ...options }: Options) => {
      const { webhooks } = await connect(terminal, options);
      const made = await webhooks.create({ url, name, kinds: kind });
      if (options.json) return printJson(terminal, made);
      terminal.out(`${plain(made.secret)}\n\n${webhookText(made)}`);
      terminal.err(
        `\nSave the secret: it is not shown again. To test the webhook: doorward webhook test ${plain(made.id)}\n`,
      );
    });
}
