// `doorward provider show NAME`.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { providerText } from './text.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addProviderShow(provider: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(provider, 'show', ['doorward provider show corp'])
      .description('show a provider, without its secret')
      .argument('<name>', 'its name'),
  )
    .addOption(jsonOption())
    .action(async (name: string, options: ConnectionOptions & { readonly json?: true }) => {
      const found = await (await connect(terminal, options)).providers.show(name);
      if (options.json) printJson(terminal, found);
      else terminal.out(providerText(found));
    });
}
