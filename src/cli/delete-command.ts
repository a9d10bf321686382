// What all `doorward <noun> delete <name>` have in common: the question on a terminal, the call, and what is
// said of it.

import type { Client } from '../client/client.ts';
import { type AddCommand, newCommand } from './command.ts';
import { addYesOption, confirm, type ConfirmOptions } from './confirm.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from './login/connection.ts';
import { jsonOption } from './option-parsers.ts';
import { plain, printJson } from './terminal.ts';

type Deletion = {
  readonly description: string;
  readonly examples: readonly string[];
  readonly argument: readonly [name: string, description: string];
  /** What goes, and with it what: `the share wiki and end its sessions`. */
  readonly what: (named: string) => string;
  /** May answer what is left behind, which is said in a line of its own. */
  readonly remove: (client: Client, named: string) => Promise<string | undefined | void>;
  /** Said after `Deleted wiki`. */
  readonly effect?: string;
};

type Options = ConnectionOptions & ConfirmOptions & { readonly json?: true };

export function deletion(of: Deletion): AddCommand {
  const [name, about] = of.argument;
  return (noun, terminal) => {
    const command = newCommand(noun, 'delete', of.examples)
      .description(of.description)
      .argument(`<${name}>`, about);
    addYesOption(addConnectionOptions(command))
      .addOption(jsonOption())
      .action(async (named: string, options: Options) => {
        const client = await connect(terminal, options);
        await confirm(terminal, options, `Delete ${of.what(named)}?`);
        const left = await of.remove(client, named);
        if (options.json) return printJson(terminal, { deleted: named });
        terminal.err(`Deleted ${plain(named)}${of.effect ?? '.'}\n`);
        if (left !== undefined) terminal.err(`${plain(left)}\n`);
      });
  };
}
