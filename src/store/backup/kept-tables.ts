// What a backup holds: every table, in an order in which their rows can be put into an empty store.

import type { Tables } from '../tables.ts';

/** A table that no table type names, since the database alone writes to it. */
type OwnTables = 'audit_counter';
/**
 * Made by the migrations themselves; changes are told to the gateways of one store only, which say that they
 * live; words of events and of certificates and addresses of sessions are found again by
 * themselves; a revocation list of then is out of date, and so is a test of a provider; no login of then is
 * in progress; what was delivered lately, and figures of
 * the last days tell nothing of another start; a login that waited for somebody to
 * confirm it waits no more; a challenge of then is answered no more, and who ordered certificates orders them
 * no more.
 */
type LeftOut =
  | 'migrations'
  | 'audit_retention'
  | 'changes'
  | 'gateways'
  | 'revocation_lists'
  | 'activity'
  | 'device_logins'
  | 'access_endings'
  | 'provider_findings'
  | 'share_activity'
  | 'share_hours'
  | 'audit_words'
  | 'audit_searched'
  | 'certificate_words'
  | 'certificates_unsearched'
  | 'search_words'
  | 'search_parts'
  | 'search_counter'
  | 'session_emails'
  | 'session_email_parts'
  | 'session_emails_filled'
  | 'search_positions'
  | 'webhook_log'
  | 'acme_challenges'
  | 'acme_leases';

/**
 * Each with its key: one column. Rows that others refer to come first. A table that is missing here is a
 * fault of types.
 */
const KEYS: Readonly<Record<Exclude<keyof Tables, LeftOut> | OwnTables, string>> = {
  meta: 'name',
  accounts: 'id',
  members: 'id',
  invitations: 'id',
  console_sessions: 'hash',
  visitor_sessions: 'hash',
  api_keys: 'id',
  key_sessions: 'hash',
  service_tokens: 'id',
  share_names: 'name',
  provider_names: 'name',
  provider_definitions: 'id',
  shares: 'id',
  access_requests: 'id',
  share_hosts: 'id',
  host_grants: 'host',
  account_cas: 'id',
  certificate_policies: 'account_id',
  certificate_request_tokens: 'id',
  client_certificates: 'id',
  restores: 'id',
  compromised_keys: 'id',
  revoked_serials: 'id',
  sessions: 'id',
  attempts: 'id',
  audit_events: 'id',
  // After the events, whose numbers the database has written again by then.
  audit_order: 'number',
  audit_counter: 'id',
  webhooks: 'id',
  webhook_former_secrets: 'id',
  webhook_deliveries: 'id',
  acme_accounts: 'id',
  acme_names: 'id',
  change_counter: 'id',
};

export const KEPT_TABLES = Object.entries(KEYS).map(([name, key]) => ({ name, key }));

export type KeptTable = (typeof KEPT_TABLES)[number];
