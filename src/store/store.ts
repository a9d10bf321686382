// What the service keeps, as the rooms above see it: the tables, each described with its thing. `open.ts`
// makes it on an engine. Every write is durable before its promise resolves. Times are milliseconds since the
// epoch. A store that cannot be reached throws `ServiceError('store_unavailable')`.

import type { AccessRequestTable } from './access/access-request.ts';
import type { AcmeTable } from './acme/acme.ts';
import type { ActivityTable } from './activity/query.ts';
import type { AuditTable } from './audit/query.ts';
import type { Bulletin } from './bulletin.ts';
import type {
  AccountCaTable,
  CertificateRequestTokenTable,
  CertificateTable,
  RevocationListTable,
} from './certificates/certificate.ts';
import type { RevokedSerialTable } from './certificates/revoked-serial.ts';
import type { ChangeFeed } from './change.ts';
import type { GatewayTable } from './gateways.ts';
import type { AccountTable } from './people/account.ts';
import type { ConsoleSessionTable } from './people/console-session.ts';
import type { DeviceLoginTable } from './people/device-login.ts';
import type { OwnTable } from './people/own-table.ts';
import type { ApiKeyTable, MemberTable } from './people/people.ts';
import type { PersonTable } from './people/person.ts';
import type { ProviderDefinitionTable } from './providers/definition.ts';
import type { ProviderFindingTable } from './providers/findings.ts';
import type { AttemptTable } from './sessions/attempt.ts';
import type { SessionTable } from './sessions/session-table.ts';
import type { ShareHostTable } from './shares/host.ts';
import type { ShareTable } from './shares/share.ts';
import type { ServiceTokenTable } from './tokens/service-token.ts';
import type { DeliveryLogTable } from './webhooks/logged-delivery.ts';
import type { DeliveryTable, WebhookTable } from './webhooks/webhook.ts';
import type { WriteTrouble } from './write-trouble.ts';

export interface Store {
  readonly accounts: AccountTable;
  readonly members: MemberTable;
  readonly consoleSessions: ConsoleSessionTable;
  readonly apiKeys: ApiKeyTable;
  readonly serviceTokens: ServiceTokenTable;
  readonly deviceLogins: DeviceLoginTable;
  readonly shares: ShareTable;
  readonly accessRequests: AccessRequestTable;
  readonly hosts: ShareHostTable;
  readonly providerDefinitions: ProviderDefinitionTable;
  readonly providerFindings: ProviderFindingTable;
  readonly sessions: SessionTable;
  readonly own: OwnTable;
  readonly persons: PersonTable;
  readonly attempts: AttemptTable;
  readonly audit: AuditTable;
  readonly webhooks: WebhookTable;
  readonly deliveries: DeliveryTable;
  readonly deliveryLog: DeliveryLogTable;
  readonly cas: AccountCaTable;
  readonly certificateRequestTokens: CertificateRequestTokenTable;
  readonly certificates: CertificateTable;
  readonly revokedSerials: RevokedSerialTable;
  readonly gateways: GatewayTable;
  readonly activity: ActivityTable;
  readonly revocationLists: RevocationListTable;
  readonly acme: AcmeTable;
  readonly changes: ChangeFeed;
  readonly bulletin: Bulletin;
  /**
   * What `work` writes to this store is one transaction: all of it is kept, or nothing. It waits for nothing
   * but the store, reads what was committed before, and may run again, as any transaction.
   */
  together<T>(work: () => Promise<T>): Promise<T>;
  /** Throws `store_unavailable` when the store does not answer. */
  ping(): Promise<void>;
  /** What the last write met: null unless the store took nothing then. */
  writeTrouble(): WriteTrouble | null;
  /**
   * The store's clock, in milliseconds since the epoch: by it goes what gateways share. Throws as `ping()`.
   */
  clock(): Promise<number>;
  /** Deletes what is over: attempts and sessions that ended or expired before `before`. */
  sweep(before: number): Promise<void>;
  /** Whether this gateway is the one to sweep; no other is for so many milliseconds. */
  takeSweep(holdMs: number): Promise<boolean>;
  close(): Promise<void>;
}
