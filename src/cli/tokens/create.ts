// `doorward token create NAME`: prints the token, which is shown this once.

import type { Command } from 'commander';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { gatheringOption, jsonOption, onceOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { tokenText } from './text.ts';

type Options = ConnectionOptions & {
  readonly share: readonly string[];
  readonly expires: string;
  readonly json?: true;
};

export function addTokenCreate(token: Command, terminal: Terminal): void {
  const command = newCommand(token, 'create', [
    'doorward token create deploy-bot --share wiki --expires 90d',
    'doorward token create backup --share wiki --share files --expires 30d',
  ])
    .description('create a service token; prints it, only once')
    .argument('<name>', 'a-z, 0-9 and hyphens, unique in the account')
    .addOption(
      gatheringOption(
        '--share <share>',
        'name or id of a share that it opens; repeatable',
      ).makeOptionMandatory(),
    )
    .addOption(
      onceOption(
        '--expires <duration>',
        'how long it is valid, such as 90d; at most 397d',
      ).makeOptionMandatory(),
    );
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (name: string, { share, expires, json, ...options }: Options) => {
      const { serviceTokens } = await connect(terminal, options);
      const made = await serviceTokens.create({ name, shares: share, expiresIn: expires });
      if (json) return printJson(terminal, made);
      terminal.out(`${made.token}\n`);
      terminal.err(`\n${tokenText(made)}This is the token, shown only once.\n`);
    });
}
