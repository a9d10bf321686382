// `doorward token list`: what service tokens there are, and which of them nobody uses any more.

import type { Command } from 'commander';
import type { ServiceTokenObject } from '../../wire/service-token.ts';
import { tableText } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';
import { expiryText, lastUseText, sharesText } from './text.ts';

export function addTokenList(token: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(token, 'list', ['doorward token list']).description('list the service tokens of the account'),
  )
    .addOption(jsonOption())
    .action(async (options: ConnectionOptions & { readonly json?: true }) => {
      const { serviceTokens } = await connect(terminal, options);
      const items = await everyPage<ServiceTokenObject>(serviceTokens.list);
      if (options.json) printJson(terminal, { items, nextCursor: null });
      else terminal.out(tokenTable(items, Date.now(), terminal));
    });
}

function tokenTable(
  tokens: readonly ServiceTokenObject[],
  now: number,
  terminal: Pick<Terminal, 'width'>,
): string {
  return tableText(
    [
      ['NAME', 'SHARES', 'EXPIRES', 'LAST USED', 'CREATED', 'ID'],
      ...tokens.map((token) => [
        token.name,
        sharesText(token),
        expiryText(token, now),
        lastUseText(token),
        minuteText(token.createdAt),
        token.id,
      ]),
    ],
    terminal,
  );
}
