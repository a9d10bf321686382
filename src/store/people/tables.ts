// The columns of the tables of accounts, and who may act for them, as the database has them.

import type { LoginColumns } from './login-columns.ts';

export type AccountsTable = { id: string; name: string; created_at: number; suspended: number };

/** `email` in lower case, or a `loginName`; `ended_at` by the store's clock. */
export type AccessEndingsTable = { account_id: string; email: string; ended_at: number };

export type MembersTable = {
  id: string;
  account_id: string;
  email: string;
  role: string;
  created_at: number;
  /** Null until the first login, with its generation and the subject. */
  provider: string | null;
  provider_generation: string | null;
  subject: string | null;
  invited_by: string | null;
  accepted_at: number | null;
  last_login_at: number | null;
};

export type InvitationsTable = {
  id: string;
  account_id: string;
  member_id: string;
  hash: string;
  created_at: number;
  expires_at: number;
};

export type ConsoleSessionsTable = {
  hash: string;
  account_id: string;
  member_id: string;
  provider: string;
  provider_generation: string;
  created_at: number;
  expires_at: number;
  ip: string | null;
  /** Null, as the two below, for one that was begun before there were these. */
  subject: string | null;
  email: string | null;
  email_verified: number | null;
};

/** Of a person who is no member. */
export type VisitorSessionsTable = {
  hash: string;
  /** Whose definition the provider is; null for one of the configuration. */
  account_id: string | null;
  provider: string;
  provider_generation: string;
  subject: string;
  email: string;
  email_verified: number;
  created_at: number;
  expires_at: number;
  ip: string | null;
};

export type KeySessionsTable = {
  hash: string;
  key_id: string;
  created_at: number;
  expires_at: number;
  ip: string | null;
};

/** With the login that the key came from. */
export type ApiKeysTable = LoginColumns & {
  id: string;
  account_id: string;
  member_id: string | null;
  name: string;
  hash: string;
  /** Null for one of before these were kept. */
  start: string | null;
  created_at: number;
  last_used_at: number | null;
  role: string;
  scope: string;
  expires_at: number | null;
  created_by: string | null;
};

export type DeviceLoginsTable = {
  id: string;
  device_hash: string;
  user_hash: string;
  name: string;
  scope: string;
  network: string;
  ip: string;
  created_at: number;
  expires_at: number;
  /** `allowed` or `denied`, with whose it is; null while nobody decided. */
  decision: string | null;
  account_id: string | null;
  member_id: string | null;
  /** Of the session that decided it. */
  session_hash: string | null;
};
