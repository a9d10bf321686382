// `doorward api-key list`: what keys there are, and which of them nobody uses any more.

import type { Command } from 'commander';
import { API_KEY_ORDERS, type ApiKeyOrder, type SortName } from '../../domain/list-orders.ts';
import type { ApiKeyObject } from '../../wire/api-key.ts';
import { tableText } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption, sortOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

type Options = ConnectionOptions & {
  readonly sort?: SortName<ApiKeyOrder>;
  readonly json?: true;
};

export function addApiKeyList(apiKey: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(apiKey, 'list', [
      'doorward api-key list',
      'doorward api-key list --sort -last_used',
    ]).description('list the API keys of the account'),
  )
    .addOption(sortOption(API_KEY_ORDERS))
    .addOption(jsonOption())
    .action(async ({ sort, ...options }: Options) => {
      const { apiKeys } = await connect(terminal, options);
      const items = await everyPage<ApiKeyObject>((page) => apiKeys.list({ ...page, sort }));
      if (options.json) printJson(terminal, { items, nextCursor: null });
      else terminal.out(apiKeyTable(items, Date.now(), terminal));
    });
}

function apiKeyTable(keys: readonly ApiKeyObject[], now: number, terminal: Pick<Terminal, 'width'>): string {
  return tableText(
    [
      ['NAME', 'STARTS WITH', 'ROLE', 'SCOPE', 'EXPIRES', 'LAST USED', 'CREATED', 'ID'],
      ...keys.map((key) => [
        key.name,
        key.start ?? '',
        key.role,
        key.scope,
        expiryText(key, now),
        key.lastUsedAt === null ? 'never' : minuteText(key.lastUsedAt),
        minuteText(key.createdAt),
        key.id,
      ]),
    ],
    terminal,
  );
}

function expiryText({ expiresAt }: ApiKeyObject, now: number): string {
  if (expiresAt === null) return 'never';
  return Date.parse(expiresAt) > now ? minuteText(expiresAt) : `${minuteText(expiresAt)} (expired)`;
}
