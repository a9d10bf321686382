// `doorward host delete HOST`.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { jsonOption } from './option-parsers.ts';
import { plain, printJson, type Terminal } from './terminal.ts';

export function addHostDelete(host: Command, terminal: Terminal): void {
  addConnectionOptions(
    host
      .command('delete')
      .description('give a host up; its share answers there no more')
      .argument('<host>', 'the host or its id'),
  )
    .addOption(jsonOption())
    .action(async (named: string, options: ConnectionOptions & { readonly json?: true }) => {
      await (await connect(terminal, options)).hosts.remove(named);
      if (options.json) printJson(terminal, { deleted: named });
      else terminal.err(`Deleted ${plain(named)}. No share of yours answers there any more.\n`);
    });
}
