// `doorward webhook modify ID`: changes what is given and leaves the rest. The secret stays:
// `webhook rotate-secret` is for that.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { gatheringOption, jsonOption, onceOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { webhookText } from './text.ts';

type Options = ConnectionOptions & {
  /** Its address: `url` is the control API's. */
  readonly receiver?: string;
  /** False for `--no-name`. */
  readonly name?: string | false;
  readonly kind?: readonly string[];
  readonly allKinds?: true;
  readonly json?: true;
};

export function addWebhookModify(webhook: Command, terminal: Terminal): void {
  const command = newCommand(webhook, 'modify', [
    'doorward webhook modify whk_8k2m5p7r9t3w6y8a --kind login.refused --kind session.ended',
  ])
    .description('change a webhook; pending deliveries go to its new address')
    .argument('<id>', 'its id')
    .addOption(onceOption('--receiver <url>', 'the receiver’s URL, https'))
    .addOption(onceOption('--name <name>', 'for people'))
    .option('--no-name', 'remove the name')
    .addOption(gatheringOption('--kind <kind>', 'only events of this kind; repeatable').conflicts('allKinds'))
    .option('--all-kinds', 'events of every kind');
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (id: string, { receiver, name, kind, allKinds, ...options }: Options) => {
      const changed = await (
        await connect(terminal, options)
      ).webhooks.modify(id, {
        url: receiver,
        name: name === false ? null : name,
        kinds: allKinds ? [] : kind,
      });
      if (options.json) printJson(terminal, changed);
      else terminal.out(webhookText(changed));
    });
}
