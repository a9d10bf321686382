// `doorward share delete NAME`: its sessions end with it.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { jsonOption } from './option-parsers.ts';
import { plain, printJson, type Terminal } from './terminal.ts';

export function addShareDelete(share: Command, terminal: Terminal): void {
  addConnectionOptions(
    share
      .command('delete')
      .description('delete a share and end its sessions')
      .argument('<name>', 'its name or id'),
  )
    .addOption(jsonOption())
    .action(async (name: string, options: ConnectionOptions & { readonly json?: true }) => {
      await (await connect(terminal, options)).shares.remove(name);
      if (options.json) printJson(terminal, { deleted: name });
      else terminal.err(`Deleted ${plain(name)}. The name stays your account's.\n`);
    });
}
