// `doorward provider list`: every provider that the account defines, then those of the service's
// configuration.

import type { Command } from 'commander';
import type { ProviderObject, ProviderPage } from '../../wire/provider.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { configuredText, providerTable } from './text.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addProviderList(provider: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(provider, 'list', ['doorward provider list']).description('list the providers of the account'),
  )
    .addOption(jsonOption())
    .action(async (options: ConnectionOptions & { readonly json?: true }) => {
      const { providers } = await connect(terminal, options);
      const pages: ProviderPage[] = [];
      const items = await everyPage<ProviderObject>(async (input) => {
        const page = await providers.list(input);
        pages.push(page);
        return page;
      });
      if (options.json) return printJson(terminal, { ...pages[0], items, nextCursor: null });
      terminal.out(items.length === 0 ? NOTHING_YET : providerTable(items, terminal));
      terminal.out(configuredText(pages[0]?.configured ?? []));
    });
}

const NOTHING_YET = `This account defines no providers yet. Its shares can use those of the configuration. To define one:
  doorward provider create --file provider.json
For Keycloak, Okta and others there are presets:
  doorward provider presets
`;
