// What the service keeps, as the rooms above see it. One folder file a table; `open.ts` makes it on an engine.
// Every write is durable before its promise resolves. Times are milliseconds since the epoch. A store that cannot be
// reached throws `ServiceError('store_unavailable')`.

import type { ClientCredential } from '../domain/client-credential.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import type {
  AccountCaId,
  AccountId,
  ApiKeyId,
  MemberId,
  AttemptId,
  CertificateId,
  ProviderDefinitionId,
  RevokedSerialId,
  SessionId,
  ShareId,
} from '../domain/id.ts';
import type { CertificateRule } from '../domain/client-certificate.ts';
import type { DefinitionConfig, DefinitionType, ProviderDefinition } from '../domain/provider-definition.ts';
import type { ShareAccess } from '../domain/share-access.ts';
import type { TunnelKind } from '../domain/tunnel-kind.ts';
import type { SessionState } from '../domain/session.ts';
import type { Secret } from '../domain/secret.ts';
import type { ConsoleSessionTable } from './people/console-session.ts';
import type { ApiKeyTable, MemberTable, NewApiKey } from './people/people.ts';
import type { LoginCounts } from './audit/logins.ts';
import type { AuditPage, AuditQuery } from './audit/query.ts';
import type { Bulletin } from './bulletin.ts';
import type { ChosenEnding, FoundSession, ProviderLogout, SessionQuery } from './sessions/choice.ts';
import type { ActivityTable } from './activity/query.ts';
import type { DeviceLoginTable } from './people/device-login.ts';
import type { GatewayTable } from './gateways.ts';
import type { OwnTable } from './people/own-table.ts';
import type { ShareHostTable } from './shares/host.ts';
import type {
  AccountCaTable,
  CertificateRequestTokenTable,
  CertificateTable,
  NewAccountCa,
  RevocationListTable,
} from './certificates/certificate.ts';
import type { RevokedSerialTable } from './certificates/revoked-serial.ts';
import type { ShareStates } from './shares/states.ts';
import type { DeliveryTable, WebhookTable } from './webhooks/webhook.ts';
import type { WriteTrouble } from './write-trouble.ts';

export interface Store {
  readonly accounts: AccountTable;
  readonly members: MemberTable;
  readonly consoleSessions: ConsoleSessionTable;
  readonly apiKeys: ApiKeyTable;
  readonly deviceLogins: DeviceLoginTable;
  readonly shares: ShareTable;
  readonly hosts: ShareHostTable;
  readonly providerDefinitions: ProviderDefinitionTable;
  readonly sessions: SessionTable;
  readonly own: OwnTable;
  readonly attempts: AttemptTable;
  readonly audit: AuditTable;
  readonly webhooks: WebhookTable;
  readonly deliveries: DeliveryTable;
  readonly cas: AccountCaTable;
  readonly certificateRequestTokens: CertificateRequestTokenTable;
  readonly certificates: CertificateTable;
  readonly revokedSerials: RevokedSerialTable;
  readonly gateways: GatewayTable;
  readonly activity: ActivityTable;
  readonly revocationLists: RevocationListTable;
  readonly changes: ChangeFeed;
  readonly bulletin: Bulletin;
  /**
   * What `work` writes to this store is one transaction: all of it is kept, or nothing. It waits for nothing but the store, reads what
   * was committed before, and may run again, as any transaction.
   */
  together<T>(work: () => Promise<T>): Promise<T>;
  /** Throws `store_unavailable` when the store does not answer. */
  ping(): Promise<void>;
  /** What the last write met: null unless the store took nothing then. */
  writeTrouble(): WriteTrouble | null;
  /** The store's clock, in milliseconds since the epoch: by it goes what gateways share. Throws as `ping()`. */
  clock(): Promise<number>;
  /** Deletes what is over: attempts and sessions that ended or expired before `before`. */
  sweep(before: number): Promise<void>;
  /** Whether this gateway is the one to sweep; no other is for so many milliseconds. */
  takeSweep(holdMs: number): Promise<boolean>;
  close(): Promise<void>;
}

export type Account = {
  readonly id: AccountId;
  readonly name: string;
  readonly createdAt: number;
  readonly suspended: boolean;
};

export interface AccountTable {
  /**
   * Account, its first admin, that admin's API key and its authority in one transaction. One without an authority gets it
   * when it is first needed. Throws `account_exists`.
   */
  create(account: {
    readonly account: Account;
    readonly adminEmail: string;
    readonly apiKey: NewApiKey;
    readonly authority?: NewAccountCa;
  }): Promise<void>;
  list(): Promise<readonly Account[]>;
  find(id: AccountId): Promise<Account | null>;
  /** Each of its shares, providers and authorities is announced as changed. False when there is no such account. */
  suspend(id: AccountId, suspended: boolean): Promise<boolean>;
}

export type ShareRow = {
  readonly id: ShareId;
  readonly accountId: AccountId;
  readonly name: string;
  /** Null exactly when agents serve it. */
  readonly target: string | null;
  readonly tunnel: TunnelKind | null;
  readonly enabled: boolean;
  readonly oauthProvider: string | null;
  readonly oauthEmailAddressPatterns: readonly string[];
  readonly oauthCheckIntervalMs: number | null;
  readonly clientCertificate: CertificateRule | null;
  readonly access: ShareAccess;
  readonly allowOrigins: readonly string[];
  /** Host names of its own that are proved, beside the one under the public base. They change in `hosts` alone. */
  readonly hosts: readonly string[];
  /** When an agent was last seen to serve it, to the minute; changes without a new version. */
  readonly agentSeenAt: number | null;
  /** Starts at 1 and grows by one with each change: the ETag. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};
export type ShareSettings = Pick<
  ShareRow,
  | 'target'
  | 'enabled'
  | 'oauthProvider'
  | 'oauthEmailAddressPatterns'
  | 'oauthCheckIntervalMs'
  | 'clientCertificate'
  | 'access'
  | 'allowOrigins'
>;

export const SHARE_STATES = ['on', 'off', 'open', 'waiting', 'failing', 'down'] as const;
/** Each null to leave it out. */
export type ShareFilter = {
  /** Part of the name, the target or the provider's name, in any case. */
  readonly text: string | null;
  readonly provider: string | null;
  /**
   * `open`: on, with neither a login nor a certificate asked for. `waiting`: on, and no agent serves it. `failing`: on, and
   * the last requests got no answer of the backend. `down`: either of these.
   */
  readonly state: (typeof SHARE_STATES)[number] | null;
  /** For who waits or fails. */
  readonly now: number;
};

export interface ShareTable {
  /** An agent serves it, at this time. No change that gateways are told of. */
  agentSeen(id: ShareId, at: number): Promise<void>;
  /** Deletes the ephemeral ones that no agent served since, as `remove` does; answers how many. */
  removeAbandoned(before: number, at: number): Promise<number>;
  /**
   * Throws `name_taken` when another share has the name, or it once belonged to another account. `definition` names the
   * provider when the account defines it: throws `provider_unknown` when that is gone by now. Throws `limit_reached` when
   * the account has `most` shares.
   */
  create(row: ShareRow, definition?: string | null, most?: number): Promise<void>;
  find(accountId: AccountId, name: string): Promise<ShareRow | null>;
  /** Null, too, when its account is suspended. */
  findById(id: ShareId): Promise<ShareRow | null>;
  /** As `findById`, those that are there, in no order. */
  findByIds(ids: readonly ShareId[]): Promise<readonly ShareRow[]>;
  /**
   * A page of an account's shares by name, after `after`; of those that match, if there is a filter. How many one page looks at
   * is bounded: one of a filter may hold few, or none, and still have a `next`.
   */
  list(
    accountId: AccountId,
    page: { readonly after: string | null; readonly limit: number; readonly filter?: ShareFilter },
  ): Promise<{ readonly shares: readonly ShareRow[]; readonly next: string | null }>;
  count(accountId: AccountId): Promise<{ readonly total: number; readonly enabled: number }>;
  /** How many of an account's shares log in with each provider; those without any are left out. */
  countByProvider(accountId: AccountId): Promise<ReadonlyMap<string, number>>;
  /** How many are up and which are down, by `now`. */
  states(accountId: AccountId, now: number): Promise<ShareStates>;
  /** Every share of every account that is not suspended: the route table's first fill. */
  all(): Promise<readonly ShareRow[]>;
  /**
   * By id: whatever has its name by now is another. Null when there is no such share. `settings` sees the share as it is and
   * says what it becomes, while nobody else can change it; it may be asked more than once, and what it throws stops the
   * change. `definition` as in `create`, when the provider is being set.
   */
  modify(change: {
    readonly accountId: AccountId;
    readonly id: ShareId;
    readonly settings: (share: ShareRow) => Partial<ShareSettings>;
    readonly definition?: string | null;
    readonly at: number;
  }): Promise<ShareRow | null>;
  /** As `modify`: `judge` sees the share as it is. Ends its sessions in the same transaction. False when there is no such share. */
  remove(accountId: AccountId, id: ShareId, judge?: (share: ShareRow) => void): Promise<boolean>;
}

export type StoredDefinition = ClientCredential & { readonly definition: ProviderDefinition };

/** As it is read. Most wait unused: the credential is opened when it is needed. Throws `internal` as any that cannot be opened. */
export type UsableDefinition = {
  readonly definition: ProviderDefinition;
  readonly openCredential: () => ClientCredential;
};

export interface ProviderDefinitionTable {
  /**
   * Throws `name_taken` when another has the name, or it once belonged to another account; `limit_reached` when the account
   * has `most` definitions.
   */
  create(stored: StoredDefinition, most?: number): Promise<void>;
  find(accountId: AccountId, name: string): Promise<ProviderDefinition | null>;
  list(
    accountId: AccountId,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly ProviderDefinition[]>;
  /** Every definition of every account that is not suspended: what logins are made with. */
  all(): Promise<readonly UsableDefinition[]>;
  /** As `all`, those of these that are there, in no order. */
  among(ids: readonly ProviderDefinitionId[]): Promise<readonly UsableDefinition[]>;
  /**
   * By id. Null when there is no such definition. `become` sees it as it is and says what it becomes, as `settings` of
   * `ShareTable.modify`.
   */
  modify(change: {
    readonly accountId: AccountId;
    readonly id: ProviderDefinitionId;
    readonly become: (definition: ProviderDefinition) => ChangedDefinition;
    /** Null keeps it. */
    readonly credential: ClientCredential | null;
    readonly at: number;
  }): Promise<ProviderDefinition | null>;
  /** By id. False when there is none. Throws `provider_in_use` with the shares that use it, and what `judge` throws. */
  remove(
    accountId: AccountId,
    id: ProviderDefinitionId,
    judge?: (definition: ProviderDefinition) => void,
  ): Promise<boolean>;
}

export type ChangedDefinition = {
  readonly type: DefinitionType;
  readonly config: DefinitionConfig;
  /** It is another identity source from now on: sessions made at the former one end in the same transaction. */
  readonly endsSessions: boolean;
};

export type SessionRow = {
  readonly id: SessionId;
  readonly shareId: ShareId;
  readonly accountId: AccountId;
  readonly providerName: string;
  readonly providerGeneration: string;
  readonly subject: string;
  readonly email: string;
  readonly browserHash: string;
  readonly bindingHash: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly checkedAt: number;
  readonly endedAt: number | null;
  readonly endReason: string | null;
  readonly lastSeenAt: number;
  readonly ip: string | null;
  /** The provider's own id of the login there (`sid`), when its id token has one. */
  readonly providerSid: string | null;
  /** `User-Agent` of the login, cut; null where none was sent. */
  readonly userAgent: string | null;
};

/** Encrypted in the store with the master key; table, column, row and account are its associated data. */
export type StoredTokens = {
  readonly accessToken: Secret;
  readonly refreshToken: Secret | null;
  readonly idToken: Secret | null;
  readonly subject: string | null;
  /** When a refresh gave the access token, in milliseconds since the epoch; null or absent for a login's. */
  readonly refreshedAt?: number | null;
};

export interface SessionTable {
  /**
   * One transaction: inserts the session; unless it is still to be confirmed, ends those that the same browser had for the same
   * share (but the same person's that began after `loopUntil`: another tab's, side by side) and those of `former` that are
   * of this share; and answers this browser's living sessions that began since `recentSince` (for the cookie), newest first, the new one among them,
   * and which ended. What it answers as recent is not ended. When this browser began `loopLimit` sessions for this share
   * from `loopSince` to `loopUntil` that no gate saw and nobody logged out of, nothing is written and `login_loop` is thrown. Throws `share_unknown` when
   * the account has no such share (any more), or is suspended.
   */
  begin(start: {
    readonly session: Omit<SessionRow, 'endedAt' | 'endReason'>;
    readonly tokens: StoredTokens;
    /** Whether the login showed that the address is verified. */
    readonly emailVerified: boolean;
    /** What the browser's cookie named for this share, at most some hundred. */
    readonly former: readonly SessionId[];
    readonly recentSince: number;
    readonly loopSince: number;
    readonly loopUntil: number;
    readonly loopLimit: number;
    /** What the audit says of it, in the same transaction; null for nothing. */
    readonly event: AuditEvent | null;
    /** From now on the store's clock; null for one that counts at once. */
    readonly confirmWithinMs: number | null;
  }): Promise<{ readonly recent: readonly SessionRow[]; readonly ended: readonly SessionId[] }>;
  /**
   * The browser that set out is back, with the binding: the session counts, once and in time, and ends what `begin` says.
   * Answers the session's state, whether or not that was done; null when there is no such session.
   */
  confirm(confirmation: {
    readonly id: SessionId;
    readonly shareId: ShareId;
    readonly bindingHash: string;
    /** As `loopUntil`. */
    readonly setOutAt: number;
    /** What the browser's cookie names for this share. */
    readonly former: readonly SessionId[];
    readonly at: number;
  }): Promise<SessionState | null>;
  /** Ends sessions that nobody confirmed in time, some at a time; their tokens are owed. */
  endUnconfirmed(ending: {
    readonly reason: string;
    readonly at: number;
    /** What the audit says of each, in the same transaction. */
    readonly eventOf: (row: SessionRow) => AuditEvent;
  }): Promise<readonly SessionRow[]>;
  find(id: SessionId): Promise<SessionRow | null>;
  /** The gate's view; null when it never was or was swept. */
  state(id: SessionId): Promise<SessionState | null>;
  /** As `state`, those that are there, in no order. */
  states(ids: readonly SessionId[]): Promise<readonly SessionState[]>;
  /** Living sessions of a browser at a provider, with their tokens. */
  ofBrowser(
    browserHash: string,
    providerName: string,
  ): Promise<readonly { readonly row: SessionRow; readonly tokens: StoredTokens }[]>;
  /** Living sessions of a browser that began since, newest first, at most a hundred. */
  recent(browserHash: string, since: number): Promise<readonly SessionRow[]>;
  /**
   * A page of an account's sessions, newest first. How many one page looks at is bounded: one of a search may hold few, or
   * none, and still have a `next`.
   */
  list(
    query: SessionQuery,
  ): Promise<{ readonly sessions: readonly FoundSession[]; readonly next: SessionQuery['after'] }>;
  /** Neither ended nor expired. */
  countActive(accountId: AccountId): Promise<number>;
  /** Ends those of an account that the choice names, in one transaction, their tokens owed; answers which were living. */
  endChosen(ending: ChosenEnding): Promise<readonly SessionRow[]>;
  /** Ends those that a provider says are over. Null, and nothing is done, when the message was used before. */
  endAtProvider(logout: ProviderLogout): Promise<readonly SessionRow[] | null>;
  /** Ends those that are not ended, and writes the event of each of these in the same transaction; answers which. */
  end(ids: readonly SessionId[], ending: SessionEnding): Promise<readonly SessionId[]>;
  /** One conditional UPDATE on the store's clock; null when another holds the lease, or it is ended or expired. */
  lease(id: SessionId, leaseMs: number): Promise<SessionLease | null>;
  /** Stores new tokens under a lease, before they are used. False when the lease was lost (another fence). */
  storeTokens(lease: SessionLease, tokens: StoredTokens): Promise<boolean>;
  /**
   * A check succeeded: sets `checkedAt` to the store's clock, gives the lease back and writes the event, if given, in the same
   * transaction. Null, and nothing is done, when the lease was lost.
   */
  checked(lease: SessionLease, event?: AuditEvent): Promise<SessionState | null>;
  /** Gives the lease back without a result. */
  release(lease: SessionLease): Promise<void>;
  seen(seen: readonly { readonly id: SessionId; readonly at: number }[]): Promise<void>;
  /**
   * Sessions that are over, whose tokens are to be revoked now: some of one provider, for this caller alone for `holdMs`. Null says that
   * none is due but what is left out; none, that others have them, or a check has.
   */
  claimRevocations(claim: RevocationClaim): Promise<readonly OwedRevocation[] | null>;
  /** What is over loses its tokens, and so does what failed when the session ended `giveUpMs` ago; the rest is due again. */
  settleRevocations(settled: {
    readonly owed: readonly {
      readonly id: SessionId;
      readonly fence: number;
      readonly outcome: RevocationOutcome;
    }[];
    readonly giveUpMs: number;
  }): Promise<void>;
}

export type RevocationClaim = {
  readonly most: number;
  readonly holdMs: number;
  /** Names of providers, and accounts, that are left out. */
  readonly butOf: { readonly providers: readonly string[]; readonly accounts: readonly AccountId[] };
};

/** `wait`: looked at again later, the more so the longer it has waited. */
export type RevocationOutcome = 'over' | 'failed' | 'wait';

export type OwedRevocation = {
  readonly row: SessionRow;
  /** Null when they cannot be opened. */
  readonly tokens: StoredTokens | null;
  readonly fence: number;
  /** Whether the same person has a living session at the provider. */
  readonly hasOthers: boolean;
};

export type SessionEnding = {
  readonly reason: string;
  readonly at: number;
  /** As in `endSessions()`: their tokens are revoked later. */
  readonly owesTokens?: boolean;
  /** What the audit says of each of them, should it end by this. */
  readonly events?: ReadonlyMap<SessionId, AuditEvent>;
};

export type SessionLease = {
  readonly row: SessionRow;
  readonly tokens: StoredTokens;
  readonly fence: number;
};

export interface AttemptTable {
  /**
   * Uses an attempt up. False when it was used before, or may have been: when it was made before the store was restored. Unless
   * `madeAt` says when, that was a minute before its end.
   */
  claim(id: AttemptId, expiresAt: number, madeAt?: number): Promise<boolean>;
}

export interface AuditTable {
  append(events: readonly AuditEvent[]): Promise<void>;
  /** A page of an account's events, in the order in which they were committed. */
  page(query: AuditQuery): Promise<AuditPage>;
  /** Logins to shares since then, by provider. */
  logins(accountId: AccountId, since: number): Promise<readonly LoginCounts[]>;
  /** The retention sweep: the only way that events go. Deletes those older than `before`. */
  forget(before: number): Promise<void>;
}

export type Change =
  | { readonly kind: 'share'; readonly id: ShareId }
  | { readonly kind: 'provider'; readonly id: ProviderDefinitionId }
  | { readonly kind: 'session'; readonly id: SessionId }
  /** A member was removed. */
  | { readonly kind: 'member'; readonly id: MemberId }
  /** An API key went, or may do something else. */
  | { readonly kind: 'api-key'; readonly id: ApiKeyId }
  /** An authority came, or issues nothing more. */
  | { readonly kind: 'ca'; readonly id: AccountCaId }
  /** It was revoked. */
  | { readonly kind: 'certificate'; readonly id: CertificateId | RevokedSerialId };

export interface ChangeFeed {
  /** The number of the last committed change. */
  latest(): Promise<number>;
  /**
   * Changes after `number`, in commit order. With `gap`, they are not all kept (or too many): read everything again,
   * sessions included, and go on from `upTo`.
   */
  since(
    number: number,
  ): Promise<{ readonly upTo: number; readonly changes: readonly Change[]; readonly gap: boolean }>;
  /** Called after a commit in this process, so that nobody needs to wait for the next poll. Returns how to stop. */
  onCommit(listener: () => void): () => void;
}
