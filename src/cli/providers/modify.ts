// `doorward provider modify NAME`: changes what is given and leaves the rest, the secret too.

import type { Command } from 'commander';
import type { ProviderChanges, ProviderType } from '../../wire/provider.ts';
import { DEFINITION_TYPES } from '../../domain/provider-kinds.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { readDefinitionFile } from './definition-file.ts';
import { newCommand } from '../command.ts';
import { choiceOption, jsonOption, onceOption } from '../option-parsers.ts';
import { addProviderOptions, givenConfig, unsetOption } from './options.ts';
import { providerText } from './text.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & {
  readonly file?: string;
  readonly type?: ProviderType;
  readonly json?: true;
};

export function addProviderModify(provider: Command, terminal: Terminal): void {
  const command = newCommand(provider, 'modify', [
    'doorward provider modify tenant-blue --client-secret-file new-secret.txt',
  ])
    .description('change a provider, such as its client secret; the next login uses it')
    .argument('<name>', 'its name')
    .addOption(onceOption('--file <file>', 'the changes as JSON, as in the API; - for standard input'))
    .addOption(
      choiceOption('--type <type>', 'another type, with all the fields that it needs', DEFINITION_TYPES),
    );
  addConnectionOptions(addProviderOptions(command).addOption(unsetOption()))
    .addOption(jsonOption())
    .action(async (name: string, options: Options) => {
      const changes = await givenChanges(options);
      const changed = await (await connect(terminal, options)).providers.modify(name, changes);
      if (options.json) return printJson(terminal, changed);
      terminal.out(providerText(changed));
      terminal.err(`\nTo check that logins work: doorward provider test ${plain(name)}\n`);
    });
}

/**
 * Options count above the file, which is the API's to judge. Throws `usage` when there is nothing to change.
 */
async function givenChanges({ file, type, ...options }: Options): Promise<ProviderChanges> {
  const ofFile: ProviderChanges = file === undefined ? {} : await readDefinitionFile(file);
  const given = await givenConfig(options);
  const changes = {
    ...ofFile,
    ...(type === undefined ? {} : { type }),
    ...(Object.keys(given).length === 0 ? {} : { config: { ...ofFile.config, ...given } }),
  };
  if (Object.keys(changes).length === 0)
    throw new ServiceError('usage', 'Cannot change the provider: no change is given', {
      hint: 'Name a field, such as --client-secret-file FILE; --help lists them.',
    });
  return changes;
}
