// `doorward host delete HOST`.

import type { Command } from 'commander';
import { addDeletion } from '../delete-command.ts';
import type { Terminal } from '../terminal.ts';

export function addHostDelete(host: Command, terminal: Terminal): void {
  addDeletion(host, terminal, {
    description: 'give a host up; its share answers there no more',
    argument: ['host', 'the host or its id'],
    what: (named) => `the host ${named}, so that no share of yours answers there`,
    remove: ({ hosts }, named) => hosts.remove(named),
    effect: '. No share of yours answers there any more.',
  });
}
