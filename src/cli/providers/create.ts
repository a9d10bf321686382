// `doorward provider create --file F`: a definition as JSON (contract 2.4), since a secret has no place among a
// process's arguments. `-` reads standard input.

import type { Command } from 'commander';
import type { NewProvider } from '../../wire/provider.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { readDefinitionFile } from './definition-file.ts';
import { newCommand } from '../command.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { providerText } from './text.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & { readonly file: string; readonly json?: true };

export function addProviderCreate(provider: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(provider, 'create', ['doorward provider create --file provider.json']).description(
      'define a provider; prints the redirect URL to register there',
    ),
  )
    .addOption(
      onceOption('--file <file>', 'the definition as JSON; - for standard input').makeOptionMandatory(),
    )
    .addOption(jsonOption())
    .action(async (options: Options) => {
      const definition = (await readDefinitionFile(options.file)) as NewProvider;
      const made = await (await connect(terminal, options)).providers.create(definition);
      if (options.json) printJson(terminal, made);
      else terminal.out(`${made.redirectUrl}\n\n${providerText(made)}`);
    });
}
