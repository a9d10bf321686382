// `doorward share modify NAME`: changes what is given and leaves the rest.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { addShareOptions, type RemovalOptions, shareChanges, type ShareOptions } from './options.ts';
import { shareText } from './text.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & ShareOptions & RemovalOptions & { readonly json?: true };

export function addShareModify(share: Command, terminal: Terminal): void {
  const command = newCommand(share, 'modify', [
    "doorward share modify wiki --oauth-email-address-pattern '*@example.com'",
    'doorward share modify wiki --disabled',
  ])
    .description('change a share; the change is live at once')
    .argument('<name>', 'its name or id')
    .addOption(onceOption('--target <url>', 'the backend, such as http://127.0.0.1:3000'));
  addConnectionOptions(addShareOptions(command))
    .option(
      '--no-oauth',
      'remove the login, with its patterns and its interval; if nothing else protects the share, add --open',
    )
    .option(
      '--no-oauth-email-address-patterns',
      'remove the patterns: any address of the provider may come in',
    )
    .option('--no-allow-origins', 'remove the other sites')
    .option(
      '--no-client-certificate',
      'ask for no client certificate any more; if nothing else protects the share, add --open',
    )
    .option('--no-certificate-subject', 'take certificates of any name')
    .option('--no-certificate-unit', 'take certificates of any unit, or of none')
    .option('--no-either', 'need both the login and the certificate')
    .option('--enabled', 'let the share answer')
    .option('--disabled', 'let the share answer 404')
    .addOption(jsonOption())
    .action(async (name: string, options: Options) => {
      const changes = shareChanges(options);
      const changed = await (await connect(terminal, options)).shares.modify(name, changes);
      if (options.json) printJson(terminal, changed);
      else terminal.out(shareText(changed));
    });
}
