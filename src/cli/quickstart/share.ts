// The quick start's account and its one protected share, made on the first start and found again on later
// ones.

import { createNodeClient } from '../../client/node-client.ts';
import { hashApiKey } from '../../domain/api-key.ts';
import { newId } from '../../domain/id.ts';
import type { Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { loadConfig } from '../../config/load.ts';
import { readMasterKey } from '../../store/sealing/master-key.ts';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { createAccount } from '../accounts/create.ts';
import { controlUrlAt, DEV_PROVIDER } from './config.ts';
import { keepKey, type QuickstartFiles, readKeptKey } from './files.ts';
import type { Ports } from './ports.ts';

/**
 * The key of the folder's account, which is made when there is none. Throws `store_in_use` when another quick
 * start runs from the folder.
 */
export async function ensureAccount(files: QuickstartFiles): Promise<Secret> {
  const { store: at } = await loadConfig(files.config);
  const masterKey = await readMasterKey(at.masterKeyFile);
  const store = await openStore({ engine: at.engine, masterKey, now: Date.now, exclusive: true });
  try {
    const kept = await readKeptKey(files);
    if (kept !== null && (await store.apiKeys.findByHash(hashApiKey(kept))) !== null) return kept;
    const apiKey = await makeAccount(store);
    await keepKey(files, apiKey);
    return apiKey;
  } finally {
    await store.close();
  }
}

/**
 * The share `hello`, protected by the test provider. Its owner's changes stay, but it follows the sample's
 * port.
 */
export async function ensureHello(ports: Ports, apiKey: Secret): Promise<void> {
  const { shares } = createNodeClient({ url: new URL(controlUrlAt(ports)), apiKey });
  const target = `http://127.0.0.1:${ports.sample}`;
  try {
    const hello = await shares.show(HELLO);
    if (hello.target !== null && hello.target !== target && SAMPLE_TARGET.test(hello.target))
      await shares.modify(hello.id, { target });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'share_unknown') throw error;
    await shares.create({
      name: HELLO,
      target,
      oauthProvider: DEV_PROVIDER,
      oauthEmailAddressPatterns: [HELLO_PATTERN],
    });
  }
}

async function makeAccount(store: Store): Promise<Secret> {
  const account = { name: ACCOUNT, adminEmail: ADMIN, now: Date.now() };
  try {
    return (await createAccount(store, account)).apiKey;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'account_exists') throw error;
    // A former start ended before it could keep the key, or the key's file is gone: that account is out of
    // reach.
    const suffix = newId('acc').slice(-6);
    return (await createAccount(store, { ...account, name: `${ACCOUNT}-${suffix}` })).apiKey;
  }
}

export const HELLO = 'hello';
/**
 * Lets the test provider's first people in, and keeps `someone@elsewhere.test` out, so that a refusal can be
 * seen.
 */
export const HELLO_PATTERN = '*@example.com';
/** The admin of the account; one of the test provider's first people. */
export const ADMIN = 'ada@example.com';
const ACCOUNT = 'quickstart';
const SAMPLE_TARGET = /^http:\/\/127\.0\.0\.1:\d+\/?$/;
