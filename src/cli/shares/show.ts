// `doorward share show NAME`.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { shareText } from './text.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addShareShow(share: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(share, 'show', ['doorward share show wiki'])
      .description('show a share')
      .argument('<name>', 'the share’s name or id'),
  )
    .addOption(jsonOption())
    .action(async (name: string, options: ConnectionOptions & { readonly json?: true }) => {
      const found = await (await connect(terminal, options)).shares.show(name);
      if (options.json) printJson(terminal, found);
      else terminal.out(shareText(found));
    });
}
