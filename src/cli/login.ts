// `doorward login --url URL`: keeps an address and an API key for later commands. The key comes on standard input, so
// that it is in no history and no process list.

import type { Command } from 'commander';
import { createClient } from '../client/client.ts';
import { checkKey, parseControlUrl } from './connection.ts';
import { credentialsFile, writeCredentials } from './credentials.ts';
import { jsonOption, onceOption } from './option-parsers.ts';
import { printJson, type Terminal } from './terminal.ts';

export function addLogin(program: Command, terminal: Terminal): void {
  program
    .command('login')
    .description('keep an address and an API key, read from standard input, for later commands')
    .addOption(
      onceOption('--url <url>', 'the control API (control.public_url)')
        .env('DOORWARD_URL')
        .makeOptionMandatory(),
    )
    .addOption(jsonOption())
    .action(async (options: { readonly url: string; readonly json?: true }) => {
      const url = parseControlUrl(options.url);
      const apiKey = checkKey((await terminal.readSecret('API key: ')).reveal(), 'standard input');
      // A key that does not work is not kept. This any key may ask, one for tunnels alone as well.
      await createClient({ url, apiKey }).gateways();
      const file = credentialsFile(terminal.env);
      await writeCredentials(file, { url, apiKey });
      if (options.json) printJson(terminal, { url: url.origin, file });
      else terminal.err(`Logged in at ${url.origin}. The key is kept in ${file}.\n`);
    });
}
