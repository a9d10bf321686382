// `doorward backup --to FILE`: one moment of the store as a file, while the service runs.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { newCommand } from '../command.ts';
import { configOption, DEFAULT_CONFIG_FILE, jsonOption, onceOption } from '../option-parsers.ts';
import type { ConfigOptions } from '../accounts/operator-store.ts';
import { createProgress } from '../progress.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConfigOptions & { readonly to: string; readonly force?: boolean; readonly json?: true };

export function addBackup(program: Command, terminal: Terminal): void {
  newCommand(program, 'backup', ['doorward backup --to /var/backups/doorward.backup'])
    .description('write a backup of the database while the service runs; it does not contain the master key')
    .addOption(
      onceOption('--to <file>', 'where to write it, readable by its owner only').makeOptionMandatory(),
    )
    .option('--force', 'replace that file if it exists')
    .addOption(configOption())
    .addOption(jsonOption())
    .action((options: Options) => backup(options, terminal));
}

async function backup(
  { config: configFile = DEFAULT_CONFIG_FILE, to, force = false, json }: Options,
  terminal: Terminal,
): Promise<void> {
  const [{ loadConfig }, { backUpStore }] = await Promise.all([
    import('../../config/load.ts'),
    import('../../store/backup/stores.ts'),
  ]);
  const { store } = await loadConfig(configFile);
  const file = resolve(to);
  const made = await backUpStore(store.engine, {
    to: file,
    force,
    now: Date.now,
    progress: createProgress(terminal, (rows) => `${rows} rows written`),
  });
  if (json) return printJson(terminal, { file, ...made });
  const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0);
  terminal.err(
    `wrote ${file}: ${rows} rows, ${made.bytes} bytes, as of ${made.madeAt}
Also keep the master key, elsewhere: without ${store.masterKeyFile} the secrets in the backup cannot be read.
${made.noted ? '' : NOT_NOTED}`,
  );
}

const NOT_NOTED = 'The audit log has no event for it: this user cannot write to the database.\n';
