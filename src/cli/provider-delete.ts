// `doorward provider delete NAME`: refused while shares use it.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { jsonOption } from './option-parsers.ts';
import { plain, printJson, type Terminal } from './terminal.ts';

export function addProviderDelete(provider: Command, terminal: Terminal): void {
  addConnectionOptions(
    provider
      .command('delete')
      .description('delete a provider that no share uses')
      .argument('<name>', 'its name'),
  )
    .addOption(jsonOption())
    .action(async (name: string, options: ConnectionOptions & { readonly json?: true }) => {
      await (await connect(terminal, options)).providers.remove(name);
      if (options.json) printJson(terminal, { deleted: name });
      else terminal.err(`Deleted ${plain(name)}. The name stays your account's.\n`);
    });
}
