// `doorward token list`: what service tokens there are, and which of them nobody uses any more.

import type { Command } from 'commander';
import type { ServiceTokenObject } from '../../wire/service-token.ts';
import { tableText } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';
import { expiryText, lastUseText, sharesText } from './text.ts';

export function addTokenList(token: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(token, 'list', [
      'doorward token list',
      'doorward token list --made-by key_01jd3b2v9k6w8y4n5q7r0t1s2x',
    ])
      .description('list the service tokens of the account')
      .addOption(onceOption('--made-by <id>', 'only tokens that this API key or member made')),
  )
    .addOption(jsonOption())
    .action(async ({ madeBy, ...options }: Options) => {
      const { serviceTokens } = await connect(terminal, options);
      const all = await everyPage<ServiceTokenObject>(serviceTokens.list);
      const items = madeBy === undefined ? all : all.filter((each) => isMadeBy(each, madeBy));
      if (options.json) printJson(terminal, { items, nextCursor: null });
      else terminal.out(tokenTable(items, Date.now(), terminal));
    });
}

type Options = ConnectionOptions & { readonly madeBy?: string; readonly json?: true };

/** `key_…`, or as it is shown: `api-key:key_…`. */
export function isMadeBy({ createdBy }: Pick<ServiceTokenObject, 'createdBy'>, by: string): boolean {
  return createdBy === by || createdBy.endsWith(`:${by}`);
}

function tokenTable(
  tokens: readonly ServiceTokenObject[],
  now: number,
  terminal: Pick<Terminal, 'width'>,
): string {
  return tableText(
    [
      ['NAME', 'STARTS WITH', 'SHARES', 'EXPIRES', 'LAST USED', 'CREATED', 'MADE BY', 'ID'],
      ...tokens.map((token) => [
        token.name,
        token.start ?? '',
        sharesText(token),
        expiryText(token, now),
        lastUseText(token),
        minuteText(token.createdAt),
        token.createdBy,
        token.id,
      ]),
    ],
    terminal,
  );
}
