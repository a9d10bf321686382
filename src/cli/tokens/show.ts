// `doorward token show NAME`: what a service token is, never the token itself.

import type { Command } from 'commander';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { tokenText } from './text.ts';

export function addTokenShow(token: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(token, 'show', ['doorward token show deploy-bot'])
      .description('show a service token, without the token itself')
      .argument('<name>', 'name or id'),
  )
    .addOption(jsonOption())
    .action(async (named: string, options: ConnectionOptions & { readonly json?: true }) => {
      const found = await (await connect(terminal, options)).serviceTokens.show(named);
      if (options.json) printJson(terminal, found);
      else terminal.out(tokenText(found));
    });
}
