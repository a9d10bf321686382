// The store as the operator's commands open it: from the configuration, beside a running service.

import type { Config } from '../../config/config.ts';
import type { Store } from '../../store/store.ts';
import { DEFAULT_CONFIG_FILE } from '../option-parsers.ts';

export type ConfigOptions = { readonly config?: string };

/** Throws `config_invalid` for a faulty configuration, and whatever `work` throws. */
export async function withStore(
  { config: file = DEFAULT_CONFIG_FILE }: ConfigOptions,
  work: (store: Store, config: Config) => Promise<void>,
): Promise<void> {
  // Loaded when needed, so that the commands that call the API start without the store and its engine.
  const [{ loadConfig }, { moreMasterKeys, readMasterKey }, { openStore }] = await Promise.all([
    import('../../config/load.ts'),
    import('../../store/sealing/master-key.ts'),
    import('../../store/open.ts'),
  ]);
  const config = await loadConfig(file);
  const store = await openStore({
    engine: config.store.engine,
    masterKey: await readMasterKey(config.store.masterKeyFile),
    moreMasterKeys: moreMasterKeys(config.store.masterKeyFile),
    now: Date.now,
    exclusive: false,
  });
  try {
    await work(store, config);
  } finally {
    await store.close();
  }
}
