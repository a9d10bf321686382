// `doorward host list`: the host names of their own that shares have or claim.

import type { Command } from 'commander';
import { HOST_ORDERS, type HostOrder, type SortName } from '../../domain/list-orders.ts';
import type { HostObject } from '../../wire/host.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { hostTable } from './text.ts';
import { newCommand } from '../command.ts';
import { jsonOption, onceOption, sortOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & {
  readonly share?: string;
  readonly sort?: SortName<HostOrder>;
  readonly json?: true;
};

export function addHostList(host: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(host, 'list', [
      'doorward host list --share wiki',
      'doorward host list --sort -created',
    ]).description('list your own host names'),
  )
    .addOption(onceOption('--share <name>', 'only of this share'))
    .addOption(sortOption(HOST_ORDERS))
    .addOption(jsonOption())
    .action(async ({ share, sort, ...options }: Options) => {
      const { hosts } = await connect(terminal, options);
      const items = await everyPage<HostObject>((page) => hosts.list({ ...page, share, sort }));
      if (options.json) return printJson(terminal, { items, nextCursor: null });
      terminal.out(items.length === 0 ? NOTHING_YET : hostTable(items, terminal));
    });
}

const NOTHING_YET = `There are no host names yet. To claim one:
  doorward host create app.example.com --share NAME
`;
