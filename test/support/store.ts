// A store for a test: a real file in a temporary folder that goes with it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccountId, newId } from '../../src/domain/id.ts';
import { Secret } from '../../src/domain/secret.ts';
import { UNSET_SETTINGS } from '../../src/domain/share-values.ts';
import { parseMasterKey, newMasterKeyText } from '../../src/store/sealing/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import type { ShareRow } from '../../src/store/shares/share.ts';
import { noteEngine } from './note-engine.ts';
import { layFormedFile } from './sqlite-form.ts';

export type TestStore = Store & {
  readonly sqliteFile: string;
  readonly masterKey: Secret;
  /** Closes the store and deletes its folder. `await using` calls it too. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** An empty store, opened as `serve` does. `now` is its clock. */
export async function openTestStore(now: () => number = Date.now): Promise<TestStore> {
  noteEngine('SQLite');
  const folder = await mkdtemp(join(tmpdir(), 'doorward-store-'));
  const sqliteFile = join(folder, 'data', 'doorward.db');
  await layFormedFile(sqliteFile);
  const masterKey = parseMasterKey(newMasterKeyText()) ?? new Secret('');
  const store = await openStore({
    engine: { kind: 'sqlite', file: sqliteFile },
    masterKey,
    now,
    exclusive: true,
  });
  const dispose = async (): Promise<void> => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...store, sqliteFile, masterKey, dispose, [Symbol.asyncDispose]: dispose };
}

/** An account with an admin and an API key, whose hash is the key's id in hex. Answers the account's id. */
export async function addAccount(
  store: Store,
  name = `account-${newId('acc').slice(4)}`,
): Promise<AccountId> {
  const id: AccountId = newId('acc');
  const keyId = newId('key');
  await store.accounts.create({
    account: { id, name, createdAt: Date.now(), suspended: false },
    adminEmail: 'admin@example.com',
    apiKey: {
      id: keyId,
      accountId: id,
      name: 'first',
      hash: Buffer.from(keyId).toString('hex'),
      createdAt: Date.now(),
    },
  });
  return id;
}

/** A share, of a new account unless `settings` names one. A session begins only for a share that is there. */
export async function addShare(store: Store, settings: Partial<ShareRow> = {}): Promise<ShareRow> {
  const id = settings.id ?? newId('shr');
  const share: ShareRow = {
    name: `share-${id.slice(4)}`,
    target: 'http://127.0.0.1:9',
    tunnel: null,
    ...UNSET_SETTINGS,
    hosts: [],
    agentSeenAt: null,
    version: 1,
    createdAt: Date.now(),
    updatedAt: Date.now(),
    ...settings,
    id,
    accountId: settings.accountId ?? (await addAccount(store)),
  };
  await store.shares.create(share);
  return share;
}
