// What the operator's configuration means for the caller's account, as the control API tells it. Durations
// are as people write them: `6h`. Nothing of the machine is in it: no file, listener, proxy, database or key.

import type { DefinitionType } from '../domain/provider-kinds.ts';

export type SettingsObject = {
  readonly addresses: {
    /** `https://*.share.example.com`. */
    readonly shares: string;
    readonly login: string;
    readonly console: string;
    /** The domain that custom hosts of shares with a login must lie in; null where any host may have one. */
    readonly customHostsWithin: string | null;
    /** Whether certificates of public hosts come by ACME. */
    readonly automaticCertificates: boolean;
  };
  readonly lifetimes: {
    readonly sessions: string;
    readonly consoleSessions: string;
  };
  readonly retention: {
    readonly auditEvents: string;
    readonly endedSessions: string;
    readonly webhookDeliveries: string;
  };
  readonly limits: readonly LimitObject[];
  readonly brand: {
    readonly name: string;
    /** A `data:` URL. */
    readonly logo: string | null;
    readonly contact: string | null;
  };
  /** Of the configuration: every account may use them. */
  readonly providers: readonly SettingsProvider[];
};

/** `used` is null for what is no number of things, or is not counted. */
export type LimitObject = { readonly limit: string; readonly used: number | null; readonly allowed: number };

export type SettingsProvider = {
  readonly name: string;
  readonly displayName: string;
  readonly type: DefinitionType;
};
