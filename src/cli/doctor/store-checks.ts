// The store, looked at without changing it; opened only when that changes nothing.

import type { Config } from '../../config/config.ts';
import { type Check, fails, passes } from '../../domain/check.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { examineStore, type StoreExamination } from '../../store/examine.ts';
import { moreMasterKeys, readMasterKey } from '../../store/sealing/master-key.ts';
import { openStore } from '../../store/open.ts';

export async function storeChecks(
  { store }: Config,
  now: () => number,
): Promise<Pick<StoreExamination, 'checks' | 'customHosts' | 'behind' | 'acme'>> {
  const { checks, current, ...rest } = await examineStore(store.engine, now);
  return { checks: current ? [...checks, await openingCheck(store, now)] : checks, ...rest };
}

/** Of the newest form, opening it beside a running service writes nothing. */
async function openingCheck({ engine, masterKeyFile }: Config['store'], now: () => number): Promise<Check> {
  try {
    const opened = await openStore({
      engine,
      masterKey: await readMasterKey(masterKeyFile),
      moreMasterKeys: moreMasterKeys(masterKeyFile),
      now,
      exclusive: false,
    });
    await opened.close();
    return passes('opens', 'it opens with the master key');
  } catch (error) {
    const found = error instanceof Error ? error.message : 'an unknown error';
    const hint = error instanceof ServiceError ? error.hint : null;
    return fails('opens', found, hint ?? 'Check store.url and store.master_key_file.');
  }
}
