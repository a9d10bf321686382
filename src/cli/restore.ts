// `doorward restore FILE`: the records of a backup into the store of the configuration, while no service runs.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { configOption, DEFAULT_CONFIG_FILE, jsonOption } from './option-parsers.ts';
import type { ConfigOptions } from './operator-store.ts';
import { createProgress } from './progress.ts';
import { printJson, type Terminal } from './terminal.ts';

type Options = ConfigOptions & { readonly keepSessions?: boolean; readonly json?: true };

export function addRestore(program: Command, terminal: Terminal): void {
  program
    .command('restore')
    .description('put a backup in the place of the records; the service must not run')
    .argument('<file>', 'what doorward backup wrote')
    .option('--keep-sessions', 'do not end the sessions of the backup, not even those that ended since')
    .addOption(configOption())
    .addOption(jsonOption())
    .action((file: string, options: Options) => restore(file, options, terminal));
}

async function restore(
  name: string,
  { config: configFile = DEFAULT_CONFIG_FILE, keepSessions = false, json }: Options,
  terminal: Terminal,
): Promise<void> {
  const [{ loadConfig }, { readMasterKeys }, { restoreStore }] = await Promise.all([
    import('../config/load.ts'),
    import('../store/master-key.ts'),
    import('../store/backup/stores.ts'),
  ]);
  const { store } = await loadConfig(configFile);
  const file = resolve(name);
  const restored = await restoreStore(store.engine, {
    file,
    masterKeys: await readMasterKeys(store.masterKeyFile),
    keepSessions,
    now: Date.now,
    progress: createProgress(terminal, (rows) => `${rows} rows restored`),
  });
  const { header, rows, endedSessions, unreadable, keptAside } = restored;
  if (json)
    return printJson(terminal, {
      file,
      madeAt: header.madeAt,
      engine: header.engine,
      rows,
      endedSessions,
      unreadable,
      keptAside,
    });
  const lines = [
    `restored ${file}: ${rows} rows, as of ${header.madeAt}`,
    keepSessions
      ? 'Its sessions go on, those too that were ended since.'
      : `${endedSessions} sessions were ended: everybody logs in again.`,
    ...(keptAside === null ? [] : [`The former store is kept in ${keptAside}`]),
    ...(unreadable === 0 ? [] : [`${unreadable} secrets could not be read with any master key at hand.`]),
  ];
  terminal.err(`${lines.join('\n')}\n`);
}
