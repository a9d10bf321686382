// `doorward share public TARGET`: a public address for something that runs here, through a tunnel, in the
// foreground until Ctrl+C.

import type { Command } from 'commander';
import { NAME_FLAG } from '../../domain/share-flags.ts';
import { addConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { onceOption } from '../option-parsers.ts';
import { addShareOptions } from './options.ts';
import type { PublicOptions } from './sharing/share-until-stopped.ts';
import type { Terminal } from '../terminal.ts';

export function addSharePublic(share: Command, terminal: Terminal): void {
  const command = newCommand(share, 'public', [
    "doorward share public 3000 --oauth-provider google --oauth-email-address-pattern '*@example.com'",
    'doorward share public http://localhost:8000 --name demo --oauth-provider google --qr',
    'doorward share public unix:/run/app.sock --open',
  ])
    .description('publish something that runs here until Ctrl+C; prints the address first')
    .argument('<target>', 'a port (3000), http://localhost:3000, https://10.0.0.5:8443 or unix:/run/app.sock')
    .addOption(
      onceOption(
        `${NAME_FLAG} <name>`,
        'keep the share under this name, or serve it again; the options that you give are set, others stay',
      ),
    );
  addConnectionOptions(addShareOptions(command, 'agent'))
    .option('--insecure', 'accept any certificate of an https:// target')
    .option('--qr', 'also show the address as a QR code')
    .option('--quiet', 'print only the address, no settings or requests')
    .option('--json', 'print each event as one line of JSON; the first is "ready" with the address')
    .action(async (target: string, options: PublicOptions) => {
      // Loaded only when it runs: no other command needs a tunnel.
      const { shareUntilStopped } = await import('./sharing/share-until-stopped.ts');
      await shareUntilStopped(terminal, target, options);
    });
}
