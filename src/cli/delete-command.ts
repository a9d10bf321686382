// What all `doorward <noun> delete <name>` have in common: the question on a terminal, the call, and what is said of it.

import type { Command } from 'commander';
import type { Client } from '../client/client.ts';
import { addYesOption, confirm, type ConfirmOptions } from './confirm.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from './login/connection.ts';
import { jsonOption } from './option-parsers.ts';
import { plain, printJson, type Terminal } from './terminal.ts';

export type Deletion = {
  readonly description: string;
  readonly argument: readonly [name: string, description: string];
  /** What goes, and with it what: `the share wiki and end its sessions`. */
  readonly what: (named: string) => string;
  readonly remove: (client: Client, named: string) => Promise<void>;
  /** Said after `Deleted wiki`. */
  readonly effect?: string;
};

type Options = ConnectionOptions & ConfirmOptions & { readonly json?: true };

export function addDeletion(noun: Command, terminal: Terminal, deletion: Deletion): void {
  const { description, argument, what, remove, effect = '.' } = deletion;
  const [name, about] = argument;
  const command = noun.command('delete').description(description).argument(`<${name}>`, about);
  addYesOption(addConnectionOptions(command))
    .addOption(jsonOption())
    .action(async (named: string, options: Options) => {
      const client = await connect(terminal, options);
      await confirm(terminal, options, `Delete ${what(named)}?`);
      await remove(client, named);
      if (options.json) printJson(terminal, { deleted: named });
      else terminal.err(`Deleted ${plain(named)}${effect}\n`);
    });
}
