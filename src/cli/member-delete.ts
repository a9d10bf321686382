// `doorward member delete MEMBER`: their API keys and logins go with them.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { jsonOption } from './option-parsers.ts';
import { plain, printJson, type Terminal } from './terminal.ts';

export function addMemberDelete(member: Command, terminal: Terminal): void {
  addConnectionOptions(
    member
      .command('delete')
      .description('delete a member, with their API keys and logins')
      .argument('<member>', 'address or id'),
  )
    .addOption(jsonOption())
    .action(async (named: string, options: ConnectionOptions & { readonly json?: true }) => {
      await (await connect(terminal, options)).members.remove(named);
      if (options.json) printJson(terminal, { deleted: named });
      else terminal.err(`Deleted ${plain(named)}, with their API keys and logins.\n`);
    });
}
