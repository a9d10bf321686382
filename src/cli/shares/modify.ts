// `doorward share modify NAME`: changes what is given and leaves the rest.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { addShareOptions, shareChanges, type ShareOptions } from './options.ts';
import { withFiles } from './said-files.ts';
import { shareText } from './text.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & ShareOptions & { readonly target?: string; readonly json?: true };

export function addShareModify(share: Command, terminal: Terminal): void {
  const command = newCommand(share, 'modify', [
    "doorward share modify wiki --oauth-email-address-pattern '*@example.com'",
    'doorward share modify wiki --disabled',
  ])
    .description('change a share; the change is live at once')
    .argument('<name>', 'the share’s name or id')
    .addOption(
      onceOption(
        '--target <url>',
        'the backend, such as http://127.0.0.1:3000, or h2c://127.0.0.1:50051 for gRPC',
      ),
    );
  addConnectionOptions(addShareOptions(command, 'change'))
    .addOption(jsonOption())
    .action(async (name: string, options: Options) => {
      const changes = await withFiles(shareChanges(options));
      const changed = await (await connect(terminal, options)).shares.modify(name, changes);
      if (options.json) printJson(terminal, changed);
      else terminal.out(shareText(changed));
    });
}
