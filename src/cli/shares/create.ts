// `doorward share create NAME`: a share of a backend that the gateway reaches itself, or that is behind a
// proxy of its own.

import type { Command } from 'commander';
import { ServiceError } from '../../domain/service-error.ts';
import type { SaidSettings } from '../../domain/share-values.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { addShareOptions, newShareSettings, type ShareOptions } from './options.ts';
import { withFiles } from './said-files.ts';
import { openingRule } from '../../domain/open-share.ts';
import { shareText } from './text.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & ShareOptions & { readonly target?: string; readonly json?: true };

export function addShareCreate(share: Command, terminal: Terminal): void {
  const command = newCommand(share, 'create', [
    'doorward share create wiki --target http://10.0.0.5:8080 --oauth-provider corp',
    'doorward share create api --target http://127.0.0.1:9000 --require-client-certificate',
    'doorward share create app --behind --oauth-provider corp',
  ])
    .description('create a share; prints its address first')
    .argument('<name>', 'the first label of its address: a-z, 0-9 and hyphens')
    .addOption(
      onceOption(
        '--target <url>',
        'the backend, such as http://127.0.0.1:3000, or h2c://127.0.0.1:50051 for gRPC; needed unless --behind',
      ),
    );
  addConnectionOptions(addShareOptions(command, 'new'))
    .addOption(jsonOption())
    .action(async (name: string, options: Options) => {
      const settings = await withFiles(newShareSettings(options));
      requireOneBackend(options.target, settings);
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

function requireOneBackend(target: string | undefined, { behind = false }: SaidSettings): void {
  if ((target !== undefined) !== behind) return;
  const found = behind ? '--target and --behind contradict each other' : '--target is missing';
  throw new ServiceError('usage', `Cannot create the share: ${found}`, {
    hint: 'Name the backend: --target URL; or say that the app is behind your own proxy: --behind.',
  });
}
