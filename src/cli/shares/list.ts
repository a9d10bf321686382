// `doorward share list`: the shares of the account, every one or those that are asked for.

import type { Command } from 'commander';
import { SHARE_ORDERS } from '../../domain/list-orders.ts';
import type { ShareObject, ShareSearch } from '../../wire/share.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { choiceOption, jsonOption, onceOption, sortOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { shareTable } from './text.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions &
  Omit<ShareSearch, 'q'> & { readonly containing?: string; readonly json?: true };

export function addShareList(share: Command, terminal: Terminal): void {
  const command = newCommand(share, 'list', [
    'doorward share list',
    'doorward share list --state down --sort -changed',
  ])
    .description('list the shares of the account')
    .addOption(onceOption('--containing <text>', 'only shares with this in name, target or provider'))
    .addOption(onceOption('--provider <name>', 'only shares with this provider'))
    .addOption(onceOption('--owner <email>', 'only shares with this owner'))
    .addOption(
      choiceOption(
        '--state <state>',
        'only shares in this state; `open`: open to everyone; `down`: no agent serves it (`waiting`), or its target does not answer (`failing`); `unanswered`: with unanswered requests in the last 24 hours',
        ['on', 'off', 'open', 'waiting', 'failing', 'down', 'up', 'unanswered'],
      ),
    )
    .addOption(sortOption(SHARE_ORDERS));
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async ({ containing: q, provider, owner, state, sort, json, ...options }: Options) => {
      const { shares } = await connect(terminal, options);
      const items = await everyPage<ShareObject>((page) =>
        shares.list({ ...page, q, provider, owner, state, sort }),
      );
      if (json) return printJson(terminal, { items, nextCursor: null });
      if (items.length > 0) return terminal.out(shareTable(items, terminal));
      const isAll = [q, provider, owner, state].every((value) => value === undefined);
      terminal.out(isAll ? NOTHING_YET : 'No matching shares.\n');
    });
}

const NOTHING_YET = `There are no shares yet. To share port 3000 of this machine, or of a machine that the gateway reaches:
  doorward share public 3000 --oauth-provider NAME
  doorward share create hello --target http://127.0.0.1:3000 --oauth-provider NAME
`;
