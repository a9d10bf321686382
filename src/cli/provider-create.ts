// `doorward provider create --file F`: a definition as JSON (contract 2.4), since a secret has no place among a
// process's arguments. `-` reads standard input.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { NewProvider } from '../client/provider-object.ts';
import { ServiceError } from '../domain/service-error.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.ts';
import { jsonOption, onceOption } from './option-parsers.ts';
import { providerText } from './provider-text.ts';
import { printJson, type Terminal } from './terminal.ts';

type Options = ConnectionOptions & { readonly file: string; readonly json?: true };

export function addProviderCreate(provider: Command, terminal: Terminal): void {
  addConnectionOptions(
    provider.command('create').description('define a provider; prints the redirect URL to register there'),
  )
    .addOption(
      onceOption('--file <file>', 'the definition as JSON; - for standard input').makeOptionMandatory(),
    )
    .addOption(jsonOption())
    .action(async (options: Options) => {
      const definition = await readDefinition(options.file);
      const made = await (await connect(terminal, options)).providers.create(definition);
      if (options.json) printJson(terminal, made);
      else terminal.out(`${made.redirectUrl}\n\n${providerText(made)}`);
    });
}

/** What is in it is the API's to judge. Throws `usage` for a file that cannot be read or is no JSON object. */
async function readDefinition(file: string): Promise<NewProvider> {
  let value: unknown;
  try {
    value = JSON.parse(file === '-' ? await text(process.stdin) : await readFile(file, 'utf8'));
  } catch (cause) {
    const found = (cause as NodeJS.ErrnoException).code ?? 'it is no JSON';
    throw new ServiceError('usage', `Cannot read the definition ${file}: ${found}`, { cause, hint: HINT });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('usage', `Cannot read the definition ${file}: it is no object`, { hint: HINT });
  return value as NewProvider;
}

const HINT = 'See examples/providers/ for definitions of each type.';
