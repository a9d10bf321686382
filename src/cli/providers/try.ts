// `doorward provider test NAME`: whether logins with a provider can work, and what to register there.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { type ExitWith, newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { providerTestText, providerVerdict } from './try-text.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addProviderTest(provider: Command, terminal: Terminal, exitWith: ExitWith): void {
  addConnectionOptions(
    newCommand(provider, 'test', ['doorward provider test corp'])
      .description('test a provider: discovery, keys, credentials, what to register there')
      .argument('<name>', 'its name'),
  )
    .addOption(jsonOption())
    .action(async (name: string, options: ConnectionOptions & { readonly json?: true }) => {
      const found = await (await connect(terminal, options)).providers.test(name);
      if (options.json) printJson(terminal, found);
      else {
        terminal.out(providerTestText(found));
        terminal.err(providerVerdict(found));
      }
      if (!found.passed) exitWith(FAILED);
    });
}

const FAILED = 1;
