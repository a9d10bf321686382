// The columns of the tables of shares and their hosts, as the database has them.

import type { RuledColumns } from './ruled-columns.ts';
import type { SettingColumns } from './setting-columns.ts';

export type SharesTable = {
  id: string;
  account_id: string;
  name: string;
  /** Empty exactly when `tunnel` or `behind` is set. */
  target: string;
  tunnel: string | null;
  agent_seen_at: number | null;
  version: number;
  created_at: number;
  updated_at: number;
  /** JSON: the proved ones of `share_hosts`, which is where they change. */
  custom_hosts: string;
} & SettingColumns &
  RuledColumns;

export type ShareHostsTable = {
  id: string;
  account_id: string;
  share_id: string;
  host: string;
  created_at: number;
  /** Null until it is proved, as `proof`. One row of a host at most has it. */
  proved_at: number | null;
  proof: string | null;
};

export type HostGrantsTable = { host: string; account_id: string; created_at: number };

/** Whose a name is, for ever: rows stay when the share goes. */
export type ShareNamesTable = { name: string; account_id: string };
