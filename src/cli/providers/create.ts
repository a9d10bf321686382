// `doorward provider create`: a definition as JSON (contract 2.4), by options, or by a preset; options count
// above the file, and both above the preset. A secret comes in a file, since it has no place among a
// process's arguments.

import type { Command } from 'commander';
import type { NewProvider, ProviderType } from '../../wire/provider.ts';
import { DEFINITION_TYPES, definitionTypeOf } from '../../domain/provider-kinds.ts';
import {
  hasPlaceholder,
  PRESET_IDS,
  PRESET_TYPE,
  type PresetId,
  presetOf,
} from '../../domain/provider-presets.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { readDefinitionFile } from './definition-file.ts';
import { newCommand } from '../command.ts';
import { choiceOption, jsonOption, onceOption } from '../option-parsers.ts';
import { addProviderOptions, givenConfig } from './options.ts';
import { registerText } from './preset-text.ts';
import { providerText } from './text.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & {
  readonly file?: string;
  readonly preset?: PresetId;
  readonly type?: ProviderType;
  readonly json?: true;
};

export function addProviderCreate(provider: Command, terminal: Terminal): void {
  const command = newCommand(provider, 'create', EXAMPLES)
    .description('define a provider; prints the redirect URL to register there')
    .argument('[name]', 'its name; part of the redirect URL')
    .addOption(onceOption('--file <file>', 'the definition as JSON; - for standard input'))
    .addOption(
      choiceOption(
        '--preset <preset>',
        'the settings of a common product; `doorward provider presets` has them',
        PRESET_IDS,
      ).conflicts('type'),
    )
    .addOption(choiceOption('--type <type>', 'which kind of provider it is', DEFINITION_TYPES));
  addConnectionOptions(addProviderOptions(command))
    .addOption(jsonOption())
    .action(async (name: string | undefined, options: Options) => {
      const definition = await givenDefinition(name, options);
      const made = await (await connect(terminal, options)).providers.create(definition);
      if (options.json) return printJson(terminal, made);
      terminal.out(`${made.redirectUrl}\n\n${providerText(made)}`);
      if (options.preset !== undefined) terminal.err(`\n${registerText(options.preset, made.redirectUrl)}`);
      terminal.err(`\nTo check that logins work: doorward provider test ${plain(made.name)}\n`);
    });
}

/** What is in it is the API's to judge. Throws `usage` for what no definition can be made of. */
async function givenDefinition(
  name: string | undefined,
  { file, preset, type, ...options }: Options,
): Promise<NewProvider> {
  if (file === undefined && preset === undefined && type === undefined)
    throw new ServiceError('usage', 'Cannot define the provider: no definition is given', {
      hint: 'Name one: --file FILE, --preset PRESET or --type TYPE; --help lists them.',
    });
  const ofFile: Partial<NewProvider> = file === undefined ? {} : await readDefinitionFile(file);
  const ofPreset = preset === undefined ? {} : presetOf(preset).settings;
  const definition = {
    ...ofFile,
    ...(name === undefined ? {} : { name }),
    ...(preset === undefined ? {} : { type: definitionTypeOf(PRESET_TYPE) }),
    ...(type === undefined ? {} : { type }),
    config: { ...ofPreset, ...ofFile.config, ...(await givenConfig(options)) },
  };
  if (definition.name === undefined)
    throw new ServiceError('usage', 'Cannot define the provider: it has no name', {
      hint: 'Give the name first: doorward provider create NAME.',
    });
  if (preset !== undefined) requireIssuer(preset, definition.config.issuerUrl);
  return definition as NewProvider;
}

function requireIssuer(preset: PresetId, issuer: string | undefined | null): void {
  if (typeof issuer === 'string' && !hasPlaceholder(issuer)) return;
  const { title, issuer: form } = presetOf(preset);
  throw new ServiceError('usage', `Cannot define the provider: ${title} needs its issuer`, {
    hint: `Give --issuer-url ${form}, with your own in place of what is in braces.`,
  });
}

const EXAMPLES: readonly string[] = [
  'doorward provider create --file provider.json',
  'doorward provider create corp --preset keycloak --issuer-url https://id.example.com/realms/staff --client-id doorward --client-secret-file secret.txt',
];
