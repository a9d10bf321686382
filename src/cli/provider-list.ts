// `doorward provider list`: every provider that the account defines.

import type { Command } from 'commander';
import type { ProviderObject } from '../client/provider-object.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { jsonOption } from './option-parsers.ts';
import { everyPage } from './pages.ts';
import { providerTable } from './provider-text.ts';
import { printJson, type Terminal } from './terminal.ts';

export function addProviderList(provider: Command, terminal: Terminal): void {
  addConnectionOptions(provider.command('list').description('list the providers that the account defines'))
    .addOption(jsonOption())
    .action(async (options: ConnectionOptions & { readonly json?: true }) => {
      const { providers } = await connect(terminal, options);
      const items = await everyPage<ProviderObject>(providers.list);
      if (options.json) return printJson(terminal, { items, nextCursor: null });
      terminal.out(items.length === 0 ? NOTHING_YET : providerTable(items));
    });
}

const NOTHING_YET = `This account defines no providers yet; its shares can use those of the configuration. To define one:
  doorward provider create --file provider.json
`;
