// `doorward member list`: everybody who may manage the account.

import type { Command } from 'commander';
import type { MemberObject } from '../../wire/member.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { memberTable } from './member-text.ts';
import { newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addMemberList(member: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(member, 'list', ['doorward member list']).description('list the members of the account'),
  )
    .addOption(jsonOption())
    .action(async (options: ConnectionOptions & { readonly json?: true }) => {
      const { members } = await connect(terminal, options);
      const items = await everyPage<MemberObject>(members.list);
      if (options.json) printJson(terminal, { items, nextCursor: null });
      else terminal.out(memberTable(items, terminal));
    });
}
