// What the operator's configuration means for the caller's account, as the control API tells it. Durations
// are as people write them: `6h`. Nothing of the machine is in it: no folder, listener, proxy, database or
// key; of the configuration's file, its name and lines for admins alone.

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
  /** Of each value above, in this order. */
  readonly origins: readonly SettingOrigin[];
  /** Null for whoever is no admin. */
  readonly configuration: ConfigurationObject | null;
};

/** Where a value was read. */
export type SettingOrigin = {
  /** Its place in this answer: `lifetimes.sessions`, `limits.shares`, `providers.corp`. */
  readonly setting: string;
  /** The key of `doorward.yaml` that sets it; null where none does. */
  readonly key: string | null;
  readonly from: OriginKind;
  /** Null where there is no default. */
  readonly isDefault: boolean | null;
  /** Where the file has the key; null where it has not, and for whoever is no admin. */
  readonly line: number | null;
};

/**
 * `file`: the file has the key. `default`: it has not. `program`: the same in every installation. `start`:
 * the file had another value when the service started, and a change of this key takes a restart.
 */
export type OriginKind = (typeof ORIGIN_KINDS)[number];

export const ORIGIN_KINDS = ['file', 'default', 'program', 'start'] as const;

export type ConfigurationObject = {
  /** Without its folder. */
  readonly file: string;
  readonly chosenBy: ConfigChoice;
  /** RFC 3339. */
  readonly readAt: string;
};

/** `--config`, `DOORWARD_CONFIG`, or neither. */
export type ConfigChoice = (typeof CONFIG_CHOICES)[number];

export const CONFIG_CHOICES = ['option', 'environment', 'default'] as const;

/** `used` is null for what is no number of things, or is not counted. */
export type LimitObject = { readonly limit: string; readonly used: number | null; readonly allowed: number };

export type SettingsProvider = {
  readonly name: string;
  readonly displayName: string;
  /** The name of a sign, or a `data:` URL; null without one. */
  readonly icon: string | null;
  readonly type: DefinitionType;
};
