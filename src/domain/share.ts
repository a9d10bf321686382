// A share: a published address and the backend it reaches, as the gate needs it (plain data,
// structured-cloneable).

import { parseDuration } from './duration.ts';
import type { AccountId, ShareId } from './id.ts';
import type { ProviderRef } from './provider-ref.ts';
import { DEFAULT_CHECK_INTERVAL } from './share-settings.ts';
import type { SettingForPeople, ShareSettings } from './share-values.ts';

/** Its settings as they are kept, but for those of the login, whose provider is looked up. */
export type Share = {
  readonly id: ShareId;
  readonly accountId: AccountId;
  readonly name: string;
  /** Host names it answers at, lower case, without port. The first is the main one. */
  readonly hosts: readonly string[];
  /**
   * The backend: `http://127.0.0.1:3000`, `https://…`; scheme, host and port only. Null when agents serve it,
   * through tunnels, and when it is `behind` a proxy that asks here about each request.
   */
  readonly target: string | null;
  /** Null when no rule asks for a login. */
  readonly login: ShareLogin | null;
} & Omit<ShareSettings, LoginSetting | SettingForPeople>;

type LoginSetting = 'oauthProvider' | 'oauthEmailAddressPatterns' | 'oauthCheckIntervalMs';

export type ShareLogin = {
  /** All at which a login may count: those that the share names itself, then those of its rules. */
  readonly providers: readonly ShareProvider[];
  /** Names of those that the share itself asks for (contract 2.3 `--oauth-provider`). */
  readonly named: readonly string[];
  /** For those alone: email globs, any one of which must match; none means any address (contract 2.3, 3). */
  readonly emailPatterns: readonly string[];
  readonly checkIntervalMs: number;
};

export type ShareProvider = {
  readonly name: string;
  /** Null when that provider does not exist: nobody can log in there, and nobody is logged in. */
  readonly provider: ProviderRef | null;
};

export const DEFAULT_CHECK_INTERVAL_MS = parseDuration(DEFAULT_CHECK_INTERVAL);
