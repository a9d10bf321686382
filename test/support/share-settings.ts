// The settings of a share for tests that are about others of them: nothing is set.

import type { Share } from '../../src/domain/share.ts';
import { routedSettings, UNSET_SETTINGS } from '../../src/domain/share-values.ts';

/** As the gate has them. */
export function unsetSettings(): Omit<Share, 'id' | 'accountId' | 'name' | 'hosts' | 'target' | 'login'> {
  const {
    oauthProvider: _provider,
    oauthEmailAddressPatterns: _patterns,
    ...settings
  } = routedSettings(UNSET_SETTINGS);
  const { oauthCheckIntervalMs: _interval, ...others } = settings;
  return others;
}
