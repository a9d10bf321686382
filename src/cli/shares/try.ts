// `doorward share test NAME --email A`: would this address get in, and why. Exit code 1 when it would not.

import type { Command } from 'commander';
import type { ShareTest } from '../../wire/share-test.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { type ExitWith, newCommand } from '../command.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & { readonly email: string; readonly json?: true };

export function addShareTest(share: Command, terminal: Terminal, exitWith: ExitWith): void {
  const command = newCommand(share, 'test', ['doorward share test wiki --email ann@example.com'])
    .description('check whether an address would get in, and why; exit code 1 if it would not')
    .argument('<name>', 'the share’s name or id')
    .addOption(onceOption('--email <address>', 'the address').makeOptionMandatory());
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (name: string, options: Options) => {
      const found = await (await connect(terminal, options)).shares.test(name, options.email);
      if (options.json) printJson(terminal, found);
      else terminal.out(testText(found));
      if (!found.allowed) exitWith(REFUSED);
    });
}

function testText({ share, email, allowed, detail, needsVerifiedEmail }: ShareTest): string {
  const verified = allowed && needsVerifiedEmail ? ', if the provider says that the address is verified' : '';
  return `${allowed ? 'allowed' : 'refused'}: ${plain(email)} at ${plain(share)}: ${plain(detail)}${verified}\n`;
}

const REFUSED = 1;
