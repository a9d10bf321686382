// Makes the store: opens the engine, brings it to the newest form, checks the master key, puts the tables on
// it.

import { sql } from 'kysely';
import type { Secret } from '../domain/secret.ts';
import type { Store } from './store.ts';
import { createAccessRequestTable } from './access/access-requests.ts';
import { createAccountCaTable } from './certificates/account-cas.ts';
import { createAcmeTable } from './acme/acme-table.ts';
import { createActivityTable } from './activity/activity.ts';
import { createAccountTable } from './people/accounts.ts';
import { createApiKeyTable } from './people/api-keys.ts';
import { createAttemptTable } from './sessions/attempts.ts';
import { createDeviceLoginTable } from './people/device-logins.ts';
import { createAuditTable } from './audit/audit.ts';
import { createCertificateRequestTokenTable } from './certificates/request-tokens.ts';
import { createCertificateTable } from './certificates/certificates.ts';
import { createChangeFeed } from './changes.ts';
import { createColumnSeal } from './sealing/column-seal.ts';
import { createConsoleSessionTable } from './people/console-sessions.ts';
import type { Engine } from './engine.ts';
import { createGatewayTable } from './gateways.ts';
import { createMemberTable } from './people/members.ts';
import { checkMasterKey } from './meta.ts';
import { migrate } from './migrations/run.ts';
import { createOwnTable } from './people/own-table.ts';
import { createPersonTable } from './people/persons.ts';
import { createRecords, type Records } from './records.ts';
import { createSessionTable } from './sessions/sessions.ts';
import { createProviderDefinitionTable } from './providers/definitions.ts';
import { createProviderFindingTable } from './providers/findings.ts';
import { createShareHostTable } from './shares/hosts.ts';
import { createShareTable } from './shares/shares.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { createRevocationListTable } from './certificates/revocation-lists.ts';
import { createRevokedSerialTable } from './certificates/revoked-serials.ts';
import { sweep, takeSweep } from './sweep.ts';
import { createDeliveryLogTable } from './webhooks/delivery-log.ts';
import { createDeliveryTable } from './webhooks/queue.ts';
import { createServiceTokenTable } from './tokens/service-tokens.ts';
import { createWebhookTable } from './webhooks/webhooks.ts';
import { watchWrites } from './write-trouble.ts';

export type StoreOptions = {
  readonly engine: StoreEngine;
  /** From `readMasterKey`. */
  readonly masterKey: Secret;
  /** `moreMasterKeys` of the same file: asked when the store holds what `masterKey` does not open. */
  readonly moreMasterKeys?: () => readonly Secret[];
  /**
   * Milliseconds since the epoch: the clock of a store on SQLite. PostgreSQL has its own, for all that share
   * it.
   */
  readonly now: () => number;
  /**
   * True for `serve`: no second one may open a SQLite file. False for the operator's commands, which work
   * beside it. Any number may serve from one PostgreSQL.
   */
  readonly exclusive: boolean;
};

export type StoreEngine =
  /** `file` is absolute. It and its folder are made when missing, for their owner only. */
  | { readonly kind: 'sqlite'; readonly file: string }
  /** `url` as `parsePostgresAddress` takes it. The database exists; its tables are made. */
  | { readonly kind: 'postgres'; readonly url: Secret };

/** `forCalls` is the same store for the control API, whose callers may be many: see `Engine.forCalls`. */
export type OpenedStore = Store & { readonly forCalls: Store };

/**
 * Throws `store_in_use` when another process serves from the file, `store_unusable` when a newer version made
 * it, `config_invalid` when the master key is another or the address cannot be, `store_unavailable` when the
 * file cannot be used or the server not be reached.
 */
export async function openStore(options: StoreOptions): Promise<OpenedStore> {
  const { masterKey, moreMasterKeys } = options;
  return storeOn(await openEngine(options), masterKey, moreMasterKeys);
}

export async function openEngine({
  engine,
  exclusive,
  now,
}: Pick<StoreOptions, 'engine' | 'exclusive' | 'now'>): Promise<Engine> {
  if (engine.kind === 'sqlite') return openSqlite({ file: engine.file, exclusive, now });
  // The driver is loaded only where it is used: it takes a tenth of the start.
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  return openPostgres(engine.url);
}

/** The store on an engine, which closes with it, or when it cannot be made. */
export async function storeOn(
  engine: Engine,
  masterKey: Secret,
  moreMasterKeys?: () => readonly Secret[],
): Promise<OpenedStore> {
  const seal = createColumnSeal(masterKey, moreMasterKeys);
  try {
    await migrate(engine);
    await checkMasterKey(engine, seal);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const watched = watchWrites(engine);
  const { feed, wake } = createChangeFeed(engine);
  const rest = {
    changes: feed,
    bulletin: engine.bulletin,
    ping: async () => void (await feed.latest()),
    writeTrouble: watched.trouble,
    clock: () => storeTime(engine),
    close: () => engine.close(),
  };
  const own = createRecords(watched.engine, seal, wake);
  const calls = createRecords({ ...watched.engine, ...watched.engine.forCalls }, seal, wake);
  return { ...tablesOn(own), ...rest, forCalls: { ...tablesOn(calls), ...rest } };
}

async function storeTime({ read, clock }: Engine): Promise<number> {
  const { rows } = await sql<{ readonly time: number }>`SELECT ${clock()} AS time`.execute(read);
  return Number(rows[0]?.time);
}

function tablesOn(
  records: Records,
): Omit<Store, 'changes' | 'bulletin' | 'ping' | 'writeTrouble' | 'clock' | 'close'> {
  return {
    accounts: createAccountTable(records),
    members: createMemberTable(records),
    consoleSessions: createConsoleSessionTable(records),
    apiKeys: createApiKeyTable(records),
    serviceTokens: createServiceTokenTable(records),
    shares: createShareTable(records),
    accessRequests: createAccessRequestTable(records),
    hosts: createShareHostTable(records),
    providerDefinitions: createProviderDefinitionTable(records),
    providerFindings: createProviderFindingTable(records),
    sessions: createSessionTable(records),
    own: createOwnTable(records),
    persons: createPersonTable(records),
    deviceLogins: createDeviceLoginTable(records),
    attempts: createAttemptTable(records),
    audit: createAuditTable(records),
    webhooks: createWebhookTable(records),
    deliveries: createDeliveryTable(records),
    deliveryLog: createDeliveryLogTable(records),
    cas: createAccountCaTable(records),
    certificateRequestTokens: createCertificateRequestTokenTable(records),
    certificates: createCertificateTable(records),
    revokedSerials: createRevokedSerialTable(records),
    gateways: createGatewayTable(records),
    activity: createActivityTable(records),
    revocationLists: createRevocationListTable(records),
    acme: createAcmeTable(records),
    together: records.together,
    sweep: (before) => sweep(records, before),
    takeSweep: (holdMs) => takeSweep(records, holdMs),
  };
}
