// `doorward member modify MEMBER --role ROLE`: their API keys follow at once.

import type { Command } from 'commander';
import type { Role } from '../../domain/role.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { memberTable } from './member-text.ts';
import { newCommand } from '../command.ts';
import { jsonOption, roleOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & { readonly role: Role; readonly json?: true };

export function addMemberModify(member: Command, terminal: Terminal): void {
  const command = newCommand(member, 'modify', ['doorward member modify bob@example.com --role member'])
    .description('change the role of a member and of their API keys')
    .argument('<member>', 'address or id')
    .addOption(roleOption('what they may do').makeOptionMandatory());
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (named: string, { role, json, ...options }: Options) => {
      const changed = await (await connect(terminal, options)).members.modify(named, { role });
      if (json) printJson(terminal, changed);
      else terminal.out(memberTable([changed], terminal));
    });
}
