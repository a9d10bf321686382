// `doorward share create NAME --target URL`: a share of a backend that the gateway reaches itself.

import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { addShareOptions, newShareSettings, type ShareOptions } from './options.ts';
import { withRuleFile } from './rule-file.ts';
import { openingRule } from '../../domain/open-share.ts';
import { shareText } from './text.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & ShareOptions & { readonly target: string; readonly json?: true };

export function addShareCreate(share: Command, terminal: Terminal): void {
  const command = newCommand(share, 'create', [
    'doorward share create wiki --target http://10.0.0.5:8080 --oauth-provider corp',
    'doorward share create api --target http://127.0.0.1:9000 --require-client-certificate',
  ])
    .description('create a share; prints its address first')
    .argument('<name>', 'the first label of its address: a-z, 0-9 and hyphens')
    .addOption(
      onceOption('--target <url>', 'the backend, such as http://127.0.0.1:3000').makeOptionMandatory(),
    );
  addConnectionOptions(addShareOptions(command, 'new'))
    .addOption(jsonOption())
    .action(async (name: string, options: Options) => {
      const settings = await withRuleFile(newShareSettings(options));
      const client = await connect(terminal, options);
      const made = await client.shares.create({ name, target: options.target, ...settings });
      if (options.json) return printJson(terminal, made);
      terminal.out(shareText(made));
      if (!made.open) return;
      const rule = openingRule(made.rules);
      terminal.err(
        rule === null
          ? `\nIt is open to everyone. To require a login: doorward share modify ${made.name} --oauth-provider NAME\n`
          : `\nIt is open to everyone by rule ${rule}. To change its rules: doorward share modify ${made.name} --rule-file FILE\n`,
      );
    });
}
