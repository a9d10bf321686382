// `doorward provider delete NAME`: refused while shares use it.

import type { Command } from 'commander';
import { addDeletion } from '../delete-command.ts';
import type { Terminal } from '../terminal.ts';

export function addProviderDelete(provider: Command, terminal: Terminal): void {
  addDeletion(provider, terminal, {
    description: 'delete a provider that no share uses',
    argument: ['name', 'its name'],
    what: (named) => `the provider ${named}`,
    remove: ({ providers }, named) => providers.remove(named),
    effect: ". The name stays your account's.",
  });
}
