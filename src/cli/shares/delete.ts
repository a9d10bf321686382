// `doorward share delete NAME`: its sessions end with it.

import type { Command } from 'commander';
import { addDeletion } from '../delete-command.ts';
import type { Terminal } from '../terminal.ts';

export function addShareDelete(share: Command, terminal: Terminal): void {
  addDeletion(share, terminal, {
    description: 'delete a share and end its sessions',
    argument: ['name', 'its name or id'],
    what: (named) => `the share ${named} and end its sessions`,
    remove: ({ shares }, named) => shares.remove(named),
    effect: ". The name stays your account's.",
  });
}
