// `doorward cert token delete TOKEN`: by its id; it is good for nothing from now on.

import type { Command } from 'commander';
import { addDeletion } from '../delete-command.ts';
import type { Terminal } from '../terminal.ts';

export function addCertTokenDelete(token: Command, terminal: Terminal): void {
  addDeletion(token, terminal, {
    description: 'delete a token; a certificate that it was redeemed for stays',
    argument: ['token', 'its id (crq_…)'],
    what: (named) => `the certificate request token ${named}`,
    remove: ({ certificates }, named) => certificates.removeToken(named),
  });
}
