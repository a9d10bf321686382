// `doorward api-key create NAME`: prints the key, which is shown this once.

import type { Command } from 'commander';
import { KEY_SCOPES, type KeyScope, type Role } from '../../domain/role.ts';
import { alignedRows } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { choiceOption, jsonOption, onceOption, roleOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

type Options = ConnectionOptions & {
  readonly role?: Role;
  readonly scope?: KeyScope;
  readonly expiresIn?: string;
  readonly json?: true;
};

export function addApiKeyCreate(apiKey: Command, terminal: Terminal): void {
  const command = newCommand(apiKey, 'create', [
    'doorward api-key create ci --scope full --expires-in 90d',
    'doorward api-key create kiosk --scope tunnel',
  ])
    .description('create an API key; prints it, only once')
    .argument('<name>', 'a-z, 0-9 and hyphens, unique in the account')
    .addOption(roleOption('what it may do (default: member)'))
    .addOption(
      choiceOption(
        '--scope <scope>',
        'read changes nothing, tunnel may only serve shares (default: full; read with --role auditor)',
        KEY_SCOPES,
      ),
    )
    .addOption(
      onceOption('--expires-in <duration>', 'how long it is valid, such as 90d (default: does not expire)'),
    );
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (name: string, { role, scope, expiresIn, json, ...options }: Options) => {
      const { apiKeys } = await connect(terminal, options);
      const made = await apiKeys.create({ name, role, scope, expiresIn });
      if (json) return printJson(terminal, made);
      terminal.out(`${made.key}\n`);
      terminal.err(
        `\n${alignedRows([
          ['name', made.name],
          ['starts with', made.start ?? ''],
          ['role', made.role],
          ['scope', made.scope],
          ['valid until', made.expiresAt === null ? 'it is deleted' : minuteText(made.expiresAt)],
        ])}\nThis is the key, shown only once.\n`,
      );
    });
}
