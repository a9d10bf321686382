// `doorward provider delete NAME`: refused while shares use it.

import { deletion } from '../delete-command.ts';

export const addProviderDelete = deletion({
  description: 'delete a provider that no share uses',
  examples: ['doorward provider delete corp'],
  argument: ['name', 'its name'],
  what: (named) => `the provider ${named}`,
  remove: ({ providers }, named) => providers.remove(named),
  effect: ". The name stays your account's.",
});
