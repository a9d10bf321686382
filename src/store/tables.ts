// The tables as Kysely sees them. Portable columns only: text, and integers for numbers, times (milliseconds
// since the epoch) and booleans (0 or 1; `columns.ts` converts). `migrations/` makes exactly these.

import type {
  AcmeAccountsTable,
  AcmeChallengesTable,
  AcmeLeasesTable,
  AcmeNamesTable,
} from './acme/tables.ts';
import type { AccessRequestsTable } from './access/tables.ts';
import type { ActivityColumns, ShareActivityColumns } from './activity/tables.ts';
import type {
  AuditEventsTable,
  AuditOrderTable,
  AuditRetentionTable,
  AuditSearchedTable,
  AuditWordsTable,
} from './audit/tables.ts';
import type {
  AccountCasTable,
  CertificatePoliciesTable,
  CertificateRequestTokensTable,
  CertificatesUnsearchedTable,
  CertificateWordsTable,
  ClientCertificatesTable,
  CompromisedKeysTable,
  RevocationListsTable,
  RevokedSerialsTable,
} from './certificates/tables.ts';
import type {
  AccessEndingsTable,
  AccountsTable,
  MembersTable,
  InvitationsTable,
  ConsoleSessionsTable,
  VisitorSessionsTable,
  KeySessionsTable,
  ApiKeysTable,
  DeviceLoginsTable,
} from './people/tables.ts';
import type {
  ProviderDefinitionsTable,
  ProviderFindingsTable,
  ProviderNamesTable,
} from './providers/tables.ts';
import type { SearchCounterTable, SearchPartsTable, SearchWordsTable } from './search/tables.ts';
import type {
  SessionsTable,
  AttemptsTable,
  SearchPositionsTable,
  SessionEmailPartsTable,
  SessionEmailsFilledTable,
  SessionEmailsTable,
} from './sessions/tables.ts';
import type { SharesTable, ShareHostsTable, HostGrantsTable, ShareNamesTable } from './shares/tables.ts';
import type { ServiceTokensTable } from './tokens/tables.ts';
import type {
  WebhookDeliveriesTable,
  WebhookFormerSecretsTable,
  WebhookLogTable,
  WebhooksTable,
} from './webhooks/tables.ts';

export type Tables = {
  readonly accounts: AccountsTable;
  readonly members: MembersTable;
  readonly invitations: InvitationsTable;
  readonly console_sessions: ConsoleSessionsTable;
  readonly visitor_sessions: VisitorSessionsTable;
  readonly api_keys: ApiKeysTable;
  readonly key_sessions: KeySessionsTable;
  readonly access_endings: AccessEndingsTable;
  readonly service_tokens: ServiceTokensTable;
  readonly device_logins: DeviceLoginsTable;
  readonly shares: SharesTable;
  readonly access_requests: AccessRequestsTable;
  readonly provider_definitions: ProviderDefinitionsTable;
  readonly provider_findings: ProviderFindingsTable;
  readonly provider_names: ProviderNamesTable;
  readonly share_names: ShareNamesTable;
  readonly share_hosts: ShareHostsTable;
  readonly host_grants: HostGrantsTable;
  readonly sessions: SessionsTable;
  readonly session_emails: SessionEmailsTable;
  readonly session_email_parts: SessionEmailPartsTable;
  readonly session_emails_filled: SessionEmailsFilledTable;
  readonly search_positions: SearchPositionsTable;
  readonly attempts: AttemptsTable;
  readonly audit_events: AuditEventsTable;
  readonly audit_retention: AuditRetentionTable;
  readonly audit_order: AuditOrderTable;
  readonly audit_words: AuditWordsTable;
  readonly audit_searched: AuditSearchedTable;
  readonly search_words: SearchWordsTable;
  readonly search_parts: SearchPartsTable;
  readonly search_counter: SearchCounterTable;
  readonly webhooks: WebhooksTable;
  readonly webhook_former_secrets: WebhookFormerSecretsTable;
  readonly webhook_deliveries: WebhookDeliveriesTable;
  readonly webhook_log: WebhookLogTable;
  readonly account_cas: AccountCasTable;
  readonly certificate_policies: CertificatePoliciesTable;
  readonly certificate_request_tokens: CertificateRequestTokensTable;
  readonly client_certificates: ClientCertificatesTable;
  readonly certificate_words: CertificateWordsTable;
  readonly certificates_unsearched: CertificatesUnsearchedTable;
  readonly restores: RestoresTable;
  readonly compromised_keys: CompromisedKeysTable;
  readonly revoked_serials: RevokedSerialsTable;
  readonly gateways: GatewaysTable;
  readonly revocation_lists: RevocationListsTable;
  readonly activity: ActivityColumns;
  readonly share_activity: ShareActivityColumns;
  readonly share_hours: ShareActivityColumns;
  readonly acme_accounts: AcmeAccountsTable;
  readonly acme_names: AcmeNamesTable;
  readonly acme_challenges: AcmeChallengesTable;
  readonly acme_leases: AcmeLeasesTable;
  readonly changes: ChangesTable;
  readonly change_counter: ChangeCounterTable;
  readonly meta: MetaTable;
  readonly migrations: MigrationsTable;
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
  workers_running: number | null;
  feed_age_ms: number | null;
  audit_waiting: number | null;
  certificate_ends_at: number | null;
};

export type ChangesTable = { number: number; at: number; kind: string; subject_id: string };

/** One row: the last number given, and the highest number that was swept. */
export type ChangeCounterTable = { id: number; number: number; swept_to: number };

export type MetaTable = { name: string; value: string };

/** `works_from`: the lowest form whose version still runs on this one. */
export type MigrationsTable = { number: number; name: string; works_from: number; applied_at: number };
