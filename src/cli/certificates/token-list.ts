// `doorward cert token list`: which tokens are good, and which were used.

import type { Command } from 'commander';
import { REQUEST_TOKEN_ORDERS, type RequestTokenOrder, type SortName } from '../../domain/list-orders.ts';
import type { TokenObject } from '../../wire/certificate.ts';
import { tokenTable } from './text.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption, sortOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & {
  readonly sort?: SortName<RequestTokenOrder>;
  readonly json?: true;
};

export function addCertTokenList(token: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(token, 'list', [
      'doorward cert token list',
      'doorward cert token list --sort expires',
    ]).description('list the certificate request tokens of the account'),
  )
    .addOption(sortOption(REQUEST_TOKEN_ORDERS))
    .addOption(jsonOption())
    .action(async ({ sort, ...options }: Options) => {
      const { certificates } = await connect(terminal, options);
      const items = await everyPage<TokenObject>((page) => certificates.listTokens({ ...page, sort }));
      if (options.json) return printJson(terminal, { items, nextCursor: null });
      terminal.out(items.length === 0 ? NOTHING_YET : tokenTable(items, terminal));
    });
}

const NOTHING_YET = `There are no certificate request tokens. To create one:
  doorward cert token create --common-name ann --email-address ann@example.com
`;
