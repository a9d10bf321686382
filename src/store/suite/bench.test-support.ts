// What each test of the store's suite stands on: an empty store with a clock that the test moves, and rows to
// put in.

import type { AuditEvent } from '../../domain/audit-event.ts';
import type { SessionFacts } from '../../domain/session-facts.ts';
import { type AccountId, type SessionId, type ShareId, newId } from '../../domain/id.ts';
import { Secret } from '../../domain/secret.ts';
import type { NewAccountCa } from '../certificates/certificate.ts';
import type { NewApiKey } from '../people/people.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { UNSET_SETTINGS } from '../../domain/share-values.ts';
import type { Store } from '../store.ts';
import type { SessionQuery } from '../sessions/choice.ts';
import type { OwedRevocation, RevocationClaim } from '../sessions/owed-revocation.ts';
import type { StoredTokens } from '../sessions/session.ts';
import type { SessionTable } from '../sessions/session-table.ts';
import type { ShareRow, ShareChange } from '../shares/share.ts';

/** Opens an empty store of one engine, whose clock is `now`. */
export type OpenBench = (now: () => number) => Promise<Opened>;

export type Opened = {
  readonly store: Store;
  /** Another connection to the same store, as another process would have. Closed with the first. */
  readonly again: () => Promise<Store>;
  /** Runs a statement past the tables, as someone with access to the database could. */
  readonly raw: (sql: string) => Promise<void>;
  /** As `raw`, of a statement that reads. */
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly close: () => Promise<void>;
};

export type Bench = Opened & { readonly clock: { time: number } } & AsyncDisposable;

export async function benchOf(open: OpenBench): Promise<Bench> {
  const clock = { time: START };
  const opened = await open(() => clock.time);
  return { ...opened, clock, [Symbol.asyncDispose]: opened.close };
}

export async function addAccount(store: Store, name: string = newId('acc')): Promise<AccountId> {
  const id: AccountId = newId('acc');
  await store.accounts.create({
    account: { id, name, createdAt: START, suspended: false },
    adminEmail: 'admin@example.com',
    apiKey: apiKeyOf(id),
  });
  return id;
}

export function caOf(accountId: AccountId, createdAt: number = START): NewAccountCa {
  const ca = {
    id: newId('aca'),
    accountId,
    certificate: Buffer.of(48, 0),
    createdAt,
    notAfter: START + 900 * HOUR_MS,
  };
  return { ca, privateKey: new Secret('key') };
}

export function apiKeyOf(accountId: AccountId, hash: string = newId('key')): NewApiKey {
  return { id: newId('key'), accountId, name: 'first', hash, createdAt: START };
}

export function shareOf(accountId: AccountId, settings: Partial<ShareRow> = {}): ShareRow {
  return {
    id: newId('shr'),
    accountId,
    name: newId('shr').slice(4),
    target: 'http://127.0.0.1:3000',
    tunnel: null,
    ...UNSET_SETTINGS,
    oauthProvider: 'corp',
    oauthEmailAddressPatterns: ['*@corp.com', '"quoted"@*'],
    oauthCheckIntervalMs: 60_000,
    clientCertificate: { subject: 'build-*', unit: null },
    access: 'either',
    allowOrigins: ['https://app.example.com'],
    identity: ['groups', 'name'],
    hostHeader: 'target',
    description: 'Notes of the team',
    icon: 'globe',
    listed: false,
    allowPaths: ['/healthz'],
    hosts: [],
    agentSeenAt: null,
    version: 1,
    createdAt: START,
    updatedAt: START,
    ...settings,
  };
}

/** Settings for `shares.modify()`, refused for a share at another version. */
export function settingsAt(version: number, settings: Partial<ShareChange>) {
  return (share: ShareRow): Partial<ShareChange> => {
    if (share.version === version) return settings;
    throw new ServiceError('precondition_failed', `Cannot change it: it is at version ${share.version}`);
  };
}

export async function addShare(store: Store, settings: Partial<ShareRow> = {}): Promise<ShareRow> {
  const share = shareOf(settings.accountId ?? (await addAccount(store)), settings);
  await store.shares.create(share);
  return share;
}

export type Begin = {
  readonly share: { readonly id: ShareId; readonly accountId: AccountId };
  readonly at: number;
  readonly id?: SessionId;
  readonly browser?: string;
  readonly provider?: string;
  readonly lifetimeMs?: number;
  readonly tokens?: StoredTokens;
  readonly sid?: string;
  readonly email?: string;
  readonly generation?: string;
  readonly subject?: string;
  readonly confirmWithinMs?: number;
  readonly emailVerified?: boolean;
  readonly facts?: SessionFacts;
};

/** A session's start as the callback makes it: cookie of the last minute, two logins in 30 s. */
export function startOf(begin: Begin): Parameters<SessionTable['begin']>[0] {
  const { share, at } = begin;
  return {
    session: {
      id: begin.id ?? newId('ses'),
      shareId: share.id,
      accountId: share.accountId,
      providerName: begin.provider ?? 'corp',
      providerGeneration: begin.generation ?? 'gen1',
      subject: begin.subject ?? 'subject-1',
      email: begin.email ?? 'ann@corp.com',
      browserHash: begin.browser ?? 'browser-1',
      bindingHash: 'binding-1',
      createdAt: at,
      expiresAt: at + (begin.lifetimeMs ?? HOUR_MS),
      checkedAt: at,
      lastSeenAt: at,
      ip: '192.0.2.1',
      userAgent: 'Mozilla/5.0 (test)',
      providerSid: begin.sid ?? null,
    },
    tokens: begin.tokens ?? tokensOf('first'),
    former: [],
    recentSince: at - 60_000,
    loopSince: at - 30_000,
    loopUntil: at,
    loopLimit: 2,
    event: null,
    confirmWithinMs: begin.confirmWithinMs ?? null,
    emailVerified: begin.emailVerified ?? true,
    facts: begin.facts,
  };
}

/** An event of an account, with nothing else in it unless said. */
export function auditEventOf(kind: AuditEvent['kind'], over: Partial<AuditEvent>): AuditEvent {
  const nothing = { accountId: null, shareId: null, sessionId: null, provider: null, email: null };
  const nobody = { actor: null, ip: null, requestId: null, reason: null };
  return { id: newId('evt'), at: START, kind, ...nothing, ...nobody, ...over };
}

/** Begins a session and answers its id. */
export async function addSession(store: Store, begin: Begin): Promise<SessionId> {
  const start = startOf(begin);
  await store.sessions.begin(start);
  return start.session.id;
}

export function tokensOf(name: string, refreshable = true): StoredTokens {
  return {
    accessToken: new Secret(`access-${name}`),
    refreshToken: refreshable ? new Secret(`refresh-${name}`) : null,
    idToken: new Secret(`id-${name}`),
    subject: 'subject-1',
  };
}

/** What is due to be revoked, for whoever asks first. */
export async function claimAll({ sessions }: Store): Promise<readonly OwedRevocation[]> {
  const claimed: OwedRevocation[] = [];
  for (;;) {
    const more = await sessions.claimRevocations(CLAIM);
    if (more === null || more.length === 0) return claimed;
    claimed.push(...more);
  }
}

export const CLAIM: RevocationClaim = { most: 2, holdMs: 60_000, butOf: { providers: [], accounts: [] } };

/** Tokens as plain text, so that they can be compared. */
export function revealed(tokens: StoredTokens): readonly (string | null)[] {
  const { accessToken, refreshToken, idToken, subject } = tokens;
  return [accessToken.reveal(), refreshToken?.reveal() ?? null, idToken?.reveal() ?? null, subject];
}

/** All sessions of an account, the newest first. */
export const ANY_SESSION: Omit<SessionQuery, 'accountId'> = {
  email: null,
  text: null,
  shareId: null,
  providerName: null,
  ip: null,
  state: null,
  after: null,
  limit: 100,
};
export const START = 1_700_000_000_000;
export const HOUR_MS = 60 * 60 * 1000;
