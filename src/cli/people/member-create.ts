// `doorward member create EMAIL`: invites somebody into the account; prints the address where they accept it.

import type { Command } from 'commander';
import type { Role } from '../../domain/role.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { tellInvitation } from './member-text.ts';
import { newCommand } from '../command.ts';
import { jsonOption, onceOption, roleOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & {
  readonly role?: Role;
  readonly expiresIn?: string;
  readonly json?: true;
};

export function addMemberCreate(member: Command, terminal: Terminal): void {
  const command = newCommand(member, 'create', ['doorward member create bob@example.com --role admin'])
    .description('invite somebody into the account; prints the invitation, only once')
    .argument('<email>', 'the address that they log in with')
    .addOption(roleOption('what they may do (default: member)'))
    .addOption(onceOption('--expires-in <duration>', 'how long the invitation is valid (default: 7d)'));
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (email: string, { role, expiresIn, json, ...options }: Options) => {
      const { members } = await connect(terminal, options);
      const invited = await members.create({ email, role, expiresIn });
      if (json) printJson(terminal, invited);
      else tellInvitation(terminal, invited);
    });
}
