// `doorward provider presets`: the products whose settings `provider create --preset` fills in, and what to
// register there.

import { type Command, Argument } from 'commander';
import { PRESET_IDS, type PresetId, PROVIDER_PRESETS } from '../../domain/provider-presets.ts';
import { newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { presetTable, presetText } from './preset-text.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addProviderPresets(provider: Command, terminal: Terminal): void {
  newCommand(provider, 'presets', ['doorward provider presets', 'doorward provider presets keycloak'])
    .description('list the presets of common products, or show what to register at one')
    .addArgument(new Argument('[preset]', 'one of them').choices(PRESET_IDS))
    .addOption(jsonOption())
    .action((preset: PresetId | undefined, options: { readonly json?: true }) => {
      if (options.json)
        return printJson(terminal, preset === undefined ? PROVIDER_PRESETS : PROVIDER_PRESETS[preset]);
      terminal.out(preset === undefined ? presetTable(terminal) : presetText(preset));
    });
}
