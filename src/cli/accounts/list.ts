// `doorward account list`: the operator's view of all accounts, read from the store itself.

import type { Command } from 'commander';
import { tableText } from '../columns.ts';
import { newCommand } from '../command.ts';
import { configOption, jsonOption } from '../option-parsers.ts';
import { type ConfigOptions, withStore } from './operator-store.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addAccountList(account: Command, terminal: Terminal): void {
  newCommand(account, 'list', ['doorward account list'])
    .description('list all accounts')
    .addOption(configOption())
    .addOption(jsonOption())
    .action((options: ConfigOptions & { readonly json?: true }) =>
      withStore(options, async (store) => {
        const items = (await store.accounts.list()).map(({ id, name, createdAt, suspended }) => ({
          id,
          name,
          createdAt: new Date(createdAt).toISOString(),
          suspended,
        }));
        if (options.json) return printJson(terminal, { items });
        if (items.length === 0) return terminal.out(NOTHING_YET);
        terminal.out(
          tableText(
            [
              ['NAME', 'STATE', 'CREATED', 'ID'],
              ...items.map(({ id, name, createdAt, suspended }) => [
                name,
                suspended ? 'suspended' : 'active',
                createdAt,
                id,
              ]),
            ],
            terminal,
          ),
        );
      }),
    );
}

const NOTHING_YET = `There are no accounts yet. To create the first:
  doorward account create NAME --admin EMAIL
`;
