// `doorward restore FILE`: the records of a backup into the store of the configuration, while no service
// runs.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { newCommand } from '../command.ts';
import { configOption, DEFAULT_CONFIG_FILE, jsonOption } from '../option-parsers.ts';
import type { Restored } from '../../store/backup/restore.ts';
import type { ConfigOptions } from '../accounts/operator-store.ts';
import { createProgress } from '../progress.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

type Options = ConfigOptions & {
  readonly keepSessions?: boolean;
  readonly revokeKeys?: boolean;
  readonly json?: true;
};

export function addRestore(program: Command, terminal: Terminal): void {
  newCommand(program, 'restore', ['doorward restore /var/backups/doorward.backup --revoke-keys'])
    .description('replace the database with a backup; the service must not run')
    .argument('<file>', 'a file that "doorward backup" wrote')
    .option('--keep-sessions', 'keep the sessions of the backup, including those that ended since')
    .option(
      '--revoke-keys',
      'delete all API keys and service tokens of the backup; otherwise those that were deleted since work again',
    )
    .addOption(configOption())
    .addOption(jsonOption())
    .action((file: string, options: Options) => restore(file, options, terminal));
}

async function restore(
  name: string,
  { config: configFile = DEFAULT_CONFIG_FILE, keepSessions = false, revokeKeys = false, json }: Options,
  terminal: Terminal,
): Promise<void> {
  const [{ loadConfig }, { readMasterKeys }, { restoreStore }] = await Promise.all([
    import('../../config/load.ts'),
    import('../../store/sealing/master-key.ts'),
    import('../../store/backup/stores.ts'),
  ]);
  const { store } = await loadConfig(configFile);
  const file = resolve(name);
  const restored = await restoreStore(store.engine, {
    file,
    masterKeys: await readMasterKeys(store.masterKeyFile),
    keepSessions,
    revokeKeys,
    now: Date.now,
    progress: createProgress(terminal, (rows) => `${rows} rows restored`),
  });
  const { header, unreadable, keptAside, ...counts } = restored;
  if (json)
    return printJson(terminal, {
      file,
      madeAt: header.madeAt,
      engine: header.engine,
      ...counts,
      unreadable,
      keptAside,
    });
  const lines = [
    `restored ${file}: ${counts.rows} rows, as of ${header.madeAt}`,
    keepSessions
      ? 'Its sessions continue, including those that ended since.'
      : `${counts.endedSessions} sessions were ended: everybody logs in again.`,
    `${counts.endedTokens} certificate request tokens and ${counts.endedInvitations} invitations were ended: create new ones.`,
    'Certificates issued since the backup are refused: their holders need new ones.',
    ...keyLines(restored),
    ...tokenLines(restored),
    'Members, shares, hosts and revocations are as they were then: see docs/how-to/back-up-and-restore.md.',
    ...(keptAside === null ? [] : [`The previous database is kept in ${keptAside}`]),
    ...(unreadable === 0 ? [] : [`${unreadable} secrets could not be read with any available master key.`]),
  ];
  terminal.err(`${lines.join('\n')}\n`);
}

/** Whoever had a key deleted since must learn that it works again. */
function keyLines({ revokedKeys, apiKeys }: Restored): readonly string[] {
  if (revokedKeys > 0)
    return [`${revokedKeys} API keys were deleted. To create new ones, run "doorward account key".`];
  if (apiKeys.length === 0) return [];
  return [
    `${apiKeys.length} API keys work, including those that were deleted since (--revoke-keys deletes all):`,
    ...apiKeys
      .slice(0, MOST_SHOWN)
      .map(({ account, id, name, role }) => `  ${plain(account)}  ${plain(name)}  ${role}  ${id}`),
    ...(apiKeys.length > MOST_SHOWN
      ? [`  and ${apiKeys.length - MOST_SHOWN} more: --json has all of them`]
      : []),
  ];
}

/** Likewise. */
function tokenLines({ revokedServiceTokens, serviceTokens }: Restored): readonly string[] {
  if (revokedServiceTokens > 0)
    return [
      `${revokedServiceTokens} service tokens were deleted: create new ones with "doorward token create".`,
    ];
  if (serviceTokens === 0) return [];
  return [
    `${serviceTokens} service tokens work, including those that were deleted since (--revoke-keys deletes all).`,
  ];
}

/** A page of a terminal. */
const MOST_SHOWN = 20;
