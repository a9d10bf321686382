// `doorward cert token delete TOKEN`: by its id; it is good for nothing from now on.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { jsonOption } from './option-parsers.ts';
import { plain, printJson, type Terminal } from './terminal.ts';

export function addCertTokenDelete(token: Command, terminal: Terminal): void {
  addConnectionOptions(
    token
      .command('delete')
      .description('delete a token; a certificate that it was redeemed for stays')
      .argument('<token>', 'its id (crq_…)'),
  )
    .addOption(jsonOption())
    .action(async (named: string, options: ConnectionOptions & { readonly json?: true }) => {
      await (await connect(terminal, options)).certificates.removeToken(named);
      if (options.json) printJson(terminal, { deleted: named });
      else terminal.err(`Deleted ${plain(named)}.\n`);
    });
}
