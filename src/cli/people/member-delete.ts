// `doorward member delete MEMBER`: their API keys and logins go with them.

import { deletion } from '../delete-command.ts';

export const addMemberDelete = deletion({
  description: 'delete a member, with their API keys and logins',
  examples: ['doorward member delete bob@example.com'],
  argument: ['member', 'address or id'],
  what: (named) => `${named}, with their API keys and logins`,
  remove: ({ members }, named) => members.remove(named),
  effect: ', with their API keys and logins.',
});
