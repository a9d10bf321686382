// The OAuth frontend on a loopback port with real providers and a real store, and a server in the place of
// the shares that shows whether a visitor came back. Its clock can be set ahead, so that checks are due
// without waiting.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuditEvent } from '../../src/domain/audit-event.ts';
import type { ShareId } from '../../src/domain/id.ts';
import type { Session } from '../../src/domain/session.ts';
import type { Share, ShareLogin } from '../../src/domain/share.ts';
import { listen } from '../../src/http/listener.ts';
import { createLoginListener } from '../../src/login/listener.ts';
import { createLogin } from '../../src/login/login.ts';
import type { LoginDeps } from '../../src/login/login-deps.ts';
import { sealLoginRequest } from '../../src/login/login-request.ts';
import { loginUrl, redirectUri } from '../../src/login/login-url.ts';
import { createRecheck, type Recheck } from '../../src/login/recheck.ts';
import { createSeal } from '../../src/login/seal.ts';
import { createOwedEnds } from '../../src/store/sessions/owed-ends.ts';
import type { Store } from '../../src/store/store.ts';
import { openSessions } from '../../src/login/session-cookie.ts';
import { createProviders } from '../../src/providers/create.ts';
import type { ProviderSettings } from '../../src/domain/provider-settings.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { createBrowser, type Browser } from './browser-by-hand.ts';
import type { OpenStore } from './on-engines.ts';
import { addShare, openTestStore } from './store.ts';
import { shareLogin } from './share-login.ts';
import { unsetSettings } from './share-settings.ts';

export type LoginFrontend = {
  readonly origin: string;
  readonly deps: LoginDeps;
  readonly store: Store;
  readonly clock: { aheadMs: number };
  readonly events: readonly AuditEvent[];
  /** The fields of each line of the log. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
  /** To register at a stand-in. */
  readonly redirectUri: (provider: string) => string;
  readonly useProviders: (settings: readonly ProviderSettings[]) => void;
  readonly addShare: (share: {
    readonly provider: string;
    readonly patterns?: readonly string[];
    readonly checkIntervalMs?: number;
  }) => Promise<Share>;
  readonly startUrl: (share: Share) => string;
  readonly shareUrl: (share: Share) => string;
  readonly browser: () => Browser;
  readonly sessions: (browser: Browser) => readonly Session[];
  /** As another gateway or a restarted process has it: what runs is known only through the store. */
  readonly newRecheck: () => Recheck;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startLoginFrontend(openStore: OpenStore = openTestStore): Promise<LoginFrontend> {
  const clock = { aheadMs: 0 };
  const now = () => Date.now() + clock.aheadMs;
  const store = await openStore(now);
  const shares = new Map<ShareId, Share>();
  const events: AuditEvent[] = [];
  const logged: Record<string, unknown>[] = [];
  const log = (fields: object) => void logged.push({ ...fields });
  let providers: ReadonlyMap<string, Provider> = new Map();
  let answer: ReturnType<typeof createLoginListener> | null = null;
  const door = await listen({
    name: 'oauth',
    at: { host: '127.0.0.1', port: 0 },
    certificates: null,
    handle: (request, response) => void answer?.(request, response),
  });
  const backend = await startShares();
  const endpointUrl = new URL(`http://auth.share.localhost:${door.port}`);
  const seal = createSeal([{ signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(24) }]);
  const deps: LoginDeps = {
    oauth: {
      endpointUrl,
      cookieName: 'svc-auth-session',
      cookieDomain: 'share.localhost',
      sessionLifetimeMs: 6 * 60 * 60 * 1000,
      intermediateLifetimeMs: 5 * 60 * 1000,
      logoutRedirectHosts: null,
    },
    controlUrl: new URL('http://control.share.localhost'),
    shareBase: { scheme: 'http', domain: 'share.localhost', port: backend.port },
    provider: (name) => providers.get(name),
    findShare: (id) => shares.get(id),
    sessions: store.sessions,
    attempts: store.attempts,
    accessRequests: store.accessRequests,
    ownerOf: async () => null,
    seal,
    brand: { name: 'Test', logo: null, contact: null },
    audit: (event) => events.push(event),
    audited: (event) => events.push(event),
    owedEnds: createOwedEnds({
      refuse: () => undefined,
      log: { warn: () => undefined, error: () => undefined },
    }),
    tokensOwed: () => undefined,
    now,
    log: { warn: log, error: log },
    jwks: { keys: [] },
  };
  answer = createLoginListener({
    login: createLogin(deps),
    clientIp: (request) => request.socket.remoteAddress ?? null,
    requestId: () => 'req-1',
  });
  const shareUrl = (share: Share) => `http://${share.hosts[0]}:${backend.port}/deep/page?q=1&r=a%20b`;
  return {
    origin: endpointUrl.origin,
    deps,
    store,
    clock,
    events,
    logged,
    shareUrl,
    redirectUri: (provider) => redirectUri(endpointUrl, provider),
    useProviders: (settings) => {
      providers = createProviders(settings, { now });
    },
    addShare: async ({ provider: name, patterns = [], checkIntervalMs = CHECK_INTERVAL_MS }) => {
      const share = await newShare(store, providers.get(name), { emailPatterns: patterns, checkIntervalMs });
      shares.set(share.id, share);
      return share;
    },
    startUrl: (share) => {
      const providerName = share.login?.named[0] ?? '';
      const sealed = sealLoginRequest(seal, {
        shareId: share.id,
        providerName,
        returnUrl: shareUrl(share),
        bindingHash: null,
        selectAccount: false,
        addressKey: null,
        expiresAt: now() + deps.oauth.intermediateLifetimeMs,
      });
      return loginUrl(endpointUrl, providerName, sealed);
    },
    browser: () => createBrowser({ now }),
    sessions: (browser) => openSessions(seal, browser.jar.find('svc-auth-session')?.value ?? '') ?? [],
    newRecheck: () => createRecheck(deps),
    async [Symbol.asyncDispose]() {
      await Promise.all([door.close(0), backend.close()]);
      await store[Symbol.asyncDispose]();
    },
  };
}

async function newShare(
  store: Store,
  provider: Provider | undefined,
  { emailPatterns, checkIntervalMs }: Pick<ShareLogin, 'emailPatterns' | 'checkIntervalMs'>,
): Promise<Share> {
  if (provider === undefined) throw new Error('Cannot add a share: there is no such provider');
  const { name, type, generation } = provider;
  const row = await addShare(store);
  return {
    id: row.id,
    accountId: row.accountId,
    name: row.name,
    hosts: [`${row.name}.share.localhost`],
    target: row.target,
    login: shareLogin({
      providerName: name,
      provider: { name, type, generation, accountId: null, emailPatterns: [] },
      emailPatterns,
      checkIntervalMs,
    }),
    ...unsetSettings(),
  };
}

async function startShares() {
  const server = createServer((request, response) => {
    response.end(`arrived at ${request.headers.host}${request.url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Far below the lifetime of an id token, so that a clock set ahead by it expires nothing. */
export const CHECK_INTERVAL_MS = 60_000;
