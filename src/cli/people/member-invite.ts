// `doorward member invite MEMBER`: a new invitation, for one that was lost or a login that was.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { tellInvitation } from './member-text.ts';
import { newCommand } from '../command.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & { readonly expiresIn?: string; readonly json?: true };

export function addMemberInvite(member: Command, terminal: Terminal): void {
  const command = newCommand(member, 'invite', ['doorward member invite bob@example.com --expires-in 2d'])
    .description('create a new invitation for a member; the login that accepts it replaces any previous one')
    .argument('<member>', 'address or id')
    .addOption(onceOption('--expires-in <duration>', 'how long the invitation is valid (default: 7d)'));
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (named: string, { expiresIn, json, ...options }: Options) => {
      const invited = await (await connect(terminal, options)).members.invite(named, { expiresIn });
      if (json) printJson(terminal, invited);
      else tellInvitation(terminal, invited);
    });
}
