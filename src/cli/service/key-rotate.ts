// `doorward key rotate`: another master key, while the service runs. On PostgreSQL in two steps, since each
// machine has a key file of its own.

import type { Command } from 'commander';
import { newCommand } from '../command.ts';
import { configOption, DEFAULT_CONFIG_FILE, jsonOption } from '../option-parsers.ts';
import type { ConfigOptions } from '../accounts/operator-store.ts';
import { createProgress } from '../progress.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConfigOptions & { readonly only?: boolean; readonly json?: true };

export function addKeyRotate(key: Command, terminal: Terminal): void {
  newCommand(key, 'rotate', ['doorward key rotate --config /etc/doorward/doorward.yaml'])
    .description('reseal all secrets of the database under a new master key, while the service runs')
    .option('--only', 'on PostgreSQL: no gateway has another copy of the key file, so finish in one run')
    .addOption(configOption())
    .addOption(jsonOption())
    .action((options: Options) => rotate(options, terminal));
}

async function rotate(
  { config: configFile = DEFAULT_CONFIG_FILE, only = false, json }: Options,
  terminal: Terminal,
): Promise<void> {
  const [{ loadConfig }, { readMasterKeys }, { rotateMasterKey }] = await Promise.all([
    import('../../config/load.ts'),
    import('../../store/sealing/master-key.ts'),
    import('../../store/sealing/key-rotation.ts'),
  ]);
  const { store } = await loadConfig(configFile);
  const keyFile = store.masterKeyFile;
  const prepared = (await readMasterKeys(keyFile)).next !== null;
  const rotation = await rotateMasterKey({
    engine: store.engine,
    keyFile,
    prepareOnly: store.engine.kind === 'postgres' && !only && !prepared,
    now: Date.now,
    progress: createProgress(terminal, (secrets) => `${secrets} secrets checked`),
  });
  if (json) return printJson(terminal, { keyFile, ...rotation });
  if (rotation.state === 'prepared')
    return terminal.err(`${keyFile} now contains the next master key. Nothing is sealed with it yet.

Next:
  1. Copy ${keyFile} to every machine with a gateway on this database.
  2. Run doorward key rotate again, here.
`);
  const { resealed, unreadable } = rotation;
  terminal.err(`${resealed} secrets are sealed under the new master key, the first one in ${keyFile}
${unreadable === 0 ? '' : `${unreadable} secrets could not be read with any master key at hand, and stay.\n`}${store.engine.kind === 'postgres' ? `Copy it to every other machine with a gateway on this database.\n` : ''}The previous key stays in the file as a line "previous": older backups need it. Make a backup now: doorward backup --to FILE
`);
}
