// `doorward api-key delete NAME`: the next call with it is refused.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { jsonOption } from './option-parsers.ts';
import { plain, printJson, type Terminal } from './terminal.ts';

export function addApiKeyDelete(apiKey: Command, terminal: Terminal): void {
  addConnectionOptions(
    apiKey
      .command('delete')
      .description('delete an API key; the next call with it is refused')
      .argument('<name>', 'name or id'),
  )
    .addOption(jsonOption())
    .action(async (name: string, options: ConnectionOptions & { readonly json?: true }) => {
      await (await connect(terminal, options)).apiKeys.remove(name);
      if (options.json) printJson(terminal, { deleted: name });
      else terminal.err(`Deleted ${plain(name)}.\n`);
    });
}
