// `doorward member delete MEMBER`: their API keys and logins go with them.

import type { Command } from 'commander';
import { addDeletion } from '../delete-command.ts';
import type { Terminal } from '../terminal.ts';

export function addMemberDelete(member: Command, terminal: Terminal): void {
  addDeletion(member, terminal, {
    description: 'delete a member, with their API keys and logins',
    argument: ['member', 'address or id'],
    what: (named) => `${named}, with their API keys and logins`,
    remove: ({ members }, named) => members.remove(named),
    effect: ', with their API keys and logins.',
  });
}
