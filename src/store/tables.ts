// The tables as Kysely sees them. Portable columns only: text, and integers for numbers, times (milliseconds since the
// epoch) and booleans (0 or 1; `columns.ts` converts). `migrations/` makes exactly these.

import type { SettingColumns } from './shares/setting-columns.ts';

export type Tables = {
  readonly accounts: AccountsTable;
  readonly members: MembersTable;
  readonly invitations: InvitationsTable;
  readonly console_sessions: ConsoleSessionsTable;
  readonly visitor_sessions: VisitorSessionsTable;
  readonly api_keys: ApiKeysTable;
  readonly key_sessions: KeySessionsTable;
  readonly device_logins: DeviceLoginsTable;
  readonly shares: SharesTable;
  readonly provider_definitions: ProviderDefinitionsTable;
  readonly provider_names: ProviderNamesTable;
  readonly share_names: ShareNamesTable;
  readonly share_hosts: ShareHostsTable;
  readonly host_grants: HostGrantsTable;
  readonly sessions: SessionsTable;
  readonly attempts: AttemptsTable;
  readonly audit_events: AuditEventsTable;
  readonly audit_retention: AuditRetentionTable;
  readonly audit_order: AuditOrderTable;
  readonly webhooks: WebhooksTable;
  readonly webhook_former_secrets: WebhookFormerSecretsTable;
  readonly webhook_deliveries: WebhookDeliveriesTable;
  readonly account_cas: AccountCasTable;
  readonly certificate_policies: CertificatePoliciesTable;
  readonly certificate_request_tokens: CertificateRequestTokensTable;
  readonly client_certificates: ClientCertificatesTable;
  readonly restores: RestoresTable;
  readonly compromised_keys: CompromisedKeysTable;
  readonly revoked_serials: RevokedSerialsTable;
  readonly gateways: GatewaysTable;
  readonly revocation_lists: RevocationListsTable;
  readonly activity: ActivityColumns;
  readonly share_activity: ShareActivityColumns;
  readonly changes: ChangesTable;
  readonly change_counter: ChangeCounterTable;
  readonly meta: MetaTable;
  readonly migrations: MigrationsTable;
};

export type AccountsTable = { id: string; name: string; created_at: number; suspended: number };

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

export type ApiKeysTable = {
  id: string;
  account_id: string;
  member_id: string | null;
  name: string;
  hash: string;
  created_at: number;
  last_used_at: number | null;
  role: string;
  scope: string;
  expires_at: number | null;
  created_by: string | null;
  /** Of the login that the key came from; null for one that came from none. */
  login_provider: string | null;
  login_generation: string | null;
  login_email_verified: number | null;
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

export type SharesTable = {
  id: string;
  account_id: string;
  name: string;
  /** Empty exactly when `tunnel` is set. */
  target: string;
  tunnel: string | null;
  agent_seen_at: number | null;
  version: number;
  created_at: number;
  updated_at: number;
  /** JSON: the proved ones of `share_hosts`, which is where they change. */
  custom_hosts: string;
} & SettingColumns;

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

export type ProviderDefinitionsTable = {
  id: string;
  account_id: string;
  name: string;
  type: string;
  /** JSON: `DefinitionConfig`. */
  config: string;
  /** Sealed. Beside a key, a random one: see `providers/credential.ts`. */
  client_secret: string;
  /** Sealed. */
  client_private_key: string | null;
  version: number;
  created_at: number;
  updated_at: number;
};

/** As `share_names`. */
export type ProviderNamesTable = { name: string; account_id: string };

export type SessionsTable = {
  id: string;
  share_id: string;
  account_id: string;
  provider_name: string;
  provider_generation: string;
  subject: string;
  email: string;
  browser_hash: string;
  binding_hash: string | null;
  created_at: number;
  expires_at: number;
  checked_at: number;
  ended_at: number | null;
  end_reason: string | null;
  last_seen_at: number;
  ip: string | null;
  /** Sealed; null once the session ended and nobody is to revoke them any more. */
  tokens: string | null;
  refreshable: number;
  /** Grows with each lease; a holder of an older one is refused. */
  fence: number;
  /** Null when nobody holds the lease. */
  leased_until: number | null;
  /** `sid` of the id token. */
  provider_sid: string | null;
  /** `User-Agent` of the login, cut. */
  user_agent: string | null;
  /** Until when its browser may confirm it; null once it did, or where none is asked for. */
  confirm_by: number | null;
  /** 1 when the login showed a verified address; null when nobody looked. */
  email_verified: number | null;
  /** When its tokens are to be revoked at the provider; null when there is nothing to do. */
  revoke_at: number | null;
};

export type AttemptsTable = { id: string; expires_at: number };

export type AuditEventsTable = {
  id: string;
  at: number;
  kind: string;
  account_id: string | null;
  share_id: string | null;
  session_id: string | null;
  provider: string | null;
  email: string | null;
  actor: string | null;
  ip: string | null;
  request_id: string | null;
  reason: string | null;
};

/** One row. The guard lets events go that are older than `before`; outside the retention sweep it is 0. */
export type AuditRetentionTable = { id: number; before: number };

/** Each audit event in the order of commits; the database writes it. */
export type AuditOrderTable = { number: number; event_id: string; account_id: string | null };

export type WebhooksTable = {
  id: string;
  account_id: string;
  name: string | null;
  url: string;
  /** JSON. */
  kinds: string;
  /** Sealed. */
  secret: string;
  enabled: number;
  created_at: number;
  failing_since: number | null;
  last_failure: string | null;
  last_delivered_at: number | null;
  /** Null until it is rotated first. */
  secret_rotated_at: number | null;
};

/** A secret of before a rotation. Deliveries carry its signature too, until then. */
export type WebhookFormerSecretsTable = {
  id: string;
  account_id: string;
  webhook_id: string;
  /** Sealed. */
  secret: string;
  signs_until: number;
};

export type WebhookDeliveriesTable = {
  id: string;
  account_id: string;
  webhook_id: string;
  /** JSON: `AuditEvent`. */
  event: string;
  created_at: number;
  /** Not before. Whoever tries it sets this ahead first, which is the lease. */
  next_at: number;
  /** Grows with each try, and tells the one that holds the lease from those that held it. */
  attempts: number;
};

export type AccountCasTable = {
  id: string;
  account_id: string;
  /** Base64 of DER. */
  certificate: string;
  /** Sealed. */
  private_key: string;
  created_at: number;
  not_after: number;
  /** Null for the one of the account that issues. */
  retired_at: number | null;
  crl_number: number;
  /** When the account was told that it ends; null until then. */
  end_noted_at: number | null;
};

/** `policy`: JSON of a `CertificatePolicy`. */
export type CertificatePoliciesTable = { account_id: string; policy: string; version: number };

export type CertificateRequestTokensTable = {
  id: string;
  account_id: string;
  hash: string;
  name: string;
  /** JSON: `CertificateSubject`. */
  subject: string;
  validity_ms: number;
  api_role: string | null;
  created_at: number;
  created_by: string;
  expires_at: number;
  used_at: number | null;
  certificate_id: string | null;
  /** The certificate whose holder asked for it; null for one that an admin made. */
  renews: string | null;
  /** As `CertificateRequestToken.renewableMs`. */
  renewable_ms: number | null;
};

export type ClientCertificatesTable = {
  id: string;
  account_id: string;
  ca_id: string;
  /** Upper-case hex. */
  serial: string;
  /** JSON: `CertificateSubject`. */
  subject: string;
  /** That of the subject, in lower case. */
  email_address: string | null;
  /** SHA-256 in lower-case hex, as `key_hash`. */
  fingerprint: string;
  key_hash: string;
  /** Base64 of DER. */
  certificate: string;
  not_before: number;
  not_after: number;
  api_role: string | null;
  allowed_by: string;
  token_id: string | null;
  renewed_from: string | null;
  created_at: number;
  revoked_at: number | null;
  revocation_reason: string | null;
  revoked_by: string | null;
  last_used_at: number | null;
  last_used_on: string | null;
  last_used_from: string | null;
  /** Null for one that was kept before these two. */
  name: string | null;
  validity_ms: number | null;
  /** Null when nobody is to be told any more. */
  next_notice_at: number | null;
  /** Null for one that was kept before these two: as if it were the first of its line. */
  line_since: number | null;
  renewable_ms: number | null;
};

export type CompromisedKeysTable = {
  /** The account and the hash. */
  id: string;
  account_id: string;
  key_hash: string;
  marked_at: number;
  marked_by: string;
};

/** The newest that was published of each authority; made anew where it is missing. */
export type RevocationListsTable = {
  ca_id: string;
  number: number;
  /** As `CertificateTable.revocationState` was. */
  state: string;
  this_update: number;
  next_update: number;
  /** Base64 of DER. */
  list: string;
};

/** Certificates that were revoked and are not in the store. One authority's serial is there once. */
export type RevokedSerialsTable = {
  id: string;
  account_id: string;
  ca_id: string;
  /** Upper-case hex. */
  serial: string;
  /** By when the certificate is over for sure. */
  not_after: number;
  revoked_at: number;
  reason: string;
  revoked_by: string;
};

/** What happened between the two is not in the store. */
export type RestoresTable = { id: string; backed_up_at: number; restored_at: number };

/** `seen_at` is on the store's clock. */
export type GatewaysTable = {
  id: string;
  tunnel_url: string;
  workers: number;
  version: string;
  started_at: number;
  seen_at: number;
};

/** Of an account in the step that begins `at`; `ActivityCounts`. */
export type ActivityColumns = {
  account_id: string;
  step_ms: number;
  at: number;
  requests: number;
  answered: number;
  refused: number;
  faulted: number;
};

/** Of a share in the minute that begins `at`. */
export type ShareActivityColumns = Omit<ActivityColumns, 'step_ms'> & { share_id: string };

export type ChangesTable = { number: number; at: number; kind: string; subject_id: string };

/** One row: the last number given, and the highest number that was swept. */
export type ChangeCounterTable = { id: number; number: number; swept_to: number };

export type MetaTable = { name: string; value: string };

/** `works_from`: the lowest form whose version still runs on this one. */
export type MigrationsTable = { number: number; name: string; works_from: number; applied_at: number };
