// `doorward share list`: every share of the account.

import type { Command } from 'commander';
import type { ShareObject } from '../client/share-object.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { jsonOption } from './option-parsers.ts';
import { everyPage } from './pages.ts';
import { shareTable } from './share-text.ts';
import { printJson, type Terminal } from './terminal.ts';

export function addShareList(share: Command, terminal: Terminal): void {
  addConnectionOptions(share.command('list').description('list the shares of the account'))
    .addOption(jsonOption())
    .action(async (options: ConnectionOptions & { readonly json?: true }) => {
      const { shares } = await connect(terminal, options);
      const items = await everyPage<ShareObject>(shares.list);
      if (options.json) return printJson(terminal, { items, nextCursor: null });
      terminal.out(items.length === 0 ? NOTHING_YET : shareTable(items));
    });
}

const NOTHING_YET = `There are no shares yet. To make one of something that runs on port 3000, here or where the gateway reaches it:
  doorward share public 3000 --oauth-provider NAME
  doorward share create hello --target http://127.0.0.1:3000 --oauth-provider NAME
`;
