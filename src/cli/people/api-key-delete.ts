// `doorward api-key delete NAME`: the next call with it is refused.

import type { Command } from 'commander';
import { addDeletion } from '../delete-command.ts';
import type { Terminal } from '../terminal.ts';

export function addApiKeyDelete(apiKey: Command, terminal: Terminal): void {
  addDeletion(apiKey, terminal, {
    description: 'delete an API key; the next call with it is refused',
    argument: ['name', 'name or id'],
    what: (named) => `the API key ${named}`,
    remove: ({ apiKeys }, named) => apiKeys.remove(named),
  });
}
