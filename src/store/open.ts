// Makes the store: opens the engine, brings it to the newest form, checks the master key, puts the tables on it.

import type { Secret } from '../domain/secret.ts';
import type { Store } from './store.ts';
import { createAccountTable } from './accounts.ts';
import { createApiKeyTable } from './api-keys.ts';
import { createAttemptTable } from './attempts.ts';
import { createAuditTable } from './audit.ts';
import { createChangeFeed } from './changes.ts';
import { createColumnSeal } from './column-seal.ts';
import { checkMasterKey } from './meta.ts';
import { migrate } from './migrations/run.ts';
import { createRecords } from './records.ts';
import { createSessionTable } from './sessions.ts';
import { createShareTable } from './shares.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { sweep } from './sweep.ts';

export type StoreOptions = {
  /** Absolute. It and its folder are made when missing, for their owner only. */
  readonly sqliteFile: string;
  /** From `readMasterKey`. */
  readonly masterKey: Secret;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** True for `serve`: no second one may open the file. False for the operator's commands, which work beside it. */
  readonly exclusive: boolean;
};

/**
 * Throws `store_in_use` when another process serves from the file, `store_unusable` when a newer version made it,
 * `config_invalid` when the master key is another, `store_unavailable` when the file cannot be used.
 */
export async function openStore({ sqliteFile, masterKey, now, exclusive }: StoreOptions): Promise<Store> {
  const seal = createColumnSeal(masterKey);
  const engine = await openSqlite({ file: sqliteFile, exclusive, now });
  try {
    await migrate(engine);
    await checkMasterKey(engine, seal);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const { feed, wake } = createChangeFeed(engine.read);
  const records = createRecords(engine, seal, wake);
  return {
    accounts: createAccountTable(records),
    apiKeys: createApiKeyTable(records),
    shares: createShareTable(records),
    sessions: createSessionTable(records),
    attempts: createAttemptTable(records),
    audit: createAuditTable(records),
    changes: feed,
    ping: async () => void (await feed.latest()),
    sweep: (before) => sweep(records, before, now()),
    close: () => engine.close(),
  };
}
