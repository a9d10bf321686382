// `doorward member list`: everybody who may manage the account.

import type { Command } from 'commander';
import { MEMBER_ORDERS, type MemberOrder, type SortName } from '../../domain/list-orders.ts';
import type { MemberObject } from '../../wire/member.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { memberTable } from './member-text.ts';
import { newCommand } from '../command.ts';
import { jsonOption, sortOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & {
  readonly sort?: SortName<MemberOrder>;
  readonly json?: true;
};

export function addMemberList(member: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(member, 'list', [
      'doorward member list',
      'doorward member list --sort -last_login',
    ]).description('list the members of the account'),
  )
    .addOption(sortOption(MEMBER_ORDERS))
    .addOption(jsonOption())
    .action(async ({ sort, ...options }: Options) => {
      const { members } = await connect(terminal, options);
      const items = await everyPage<MemberObject>((page) => members.list({ ...page, sort }));
      if (options.json) printJson(terminal, { items, nextCursor: null });
      else terminal.out(memberTable(items, terminal));
    });
}
