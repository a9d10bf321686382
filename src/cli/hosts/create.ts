// `doorward host create HOST --share NAME`: claims a host name of one's own for a share, and says how to
// prove it.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { hostText, nextStepText } from './text.ts';
import { newCommand } from '../command.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & { readonly share: string; readonly json?: true };

export function addHostCreate(host: Command, terminal: Terminal): void {
  const command = newCommand(host, 'create', ['doorward host create app.example.com --share wiki'])
    .description('claim your own host name for a share; prints the DNS record that verifies it')
    .argument('<host>', 'such as app.example.com')
    .addOption(onceOption('--share <name>', 'the share that answers there').makeOptionMandatory());
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (named: string, options: Options) => {
      const client = await connect(terminal, options);
      const made = await client.hosts.create({ host: named, share: options.share });
      if (options.json) return printJson(terminal, made);
      terminal.out(hostText(made));
      terminal.err(nextStepText(made));
    });
}
