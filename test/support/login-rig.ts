// The OAuth frontend without sockets: the real login, seal and store, a clock that stands still, browsers
// with a cookie jar, and a provider small enough to say exactly what it answers (the real ones are met in
// test/conformance).

import type { ShareBase } from '../../src/config/config.ts';
import type { AuditEvent } from '../../src/domain/audit-event.ts';
import type { AuditKind } from '../../src/domain/audit-kind.ts';
import type { ShareId } from '../../src/domain/id.ts';
import type { Identity } from '../../src/domain/identity.ts';
import type { ProviderAppearance } from '../../src/domain/provider-appearance.ts';
import type { LoginStrength } from '../../src/domain/login-strength.ts';
import { randomToken, Secret } from '../../src/domain/secret.ts';
import { ServiceError, type FaultCode } from '../../src/domain/service-error.ts';
import type { Share } from '../../src/domain/share.ts';
import type { Answer } from '../../src/http/answer.ts';
import { parseCookies } from '../../src/http/cookies.ts';
import { createLogin, type Login } from '../../src/login/login.ts';
import type { LoginDeps } from '../../src/login/login-deps.ts';
import { sealLoginRequest, type LoginRequest } from '../../src/login/login-request.ts';
import { type LoginChoice, sealLoginChoice } from '../../src/login/login-choice.ts';
import { chooserUrl, loginUrl } from '../../src/login/login-url.ts';
import { createSeal } from '../../src/login/seal.ts';
import { createOwedEnds } from '../../src/store/sessions/owed-ends.ts';
import type { Store } from '../../src/store/store.ts';
import type { Provider, Tokens } from '../../src/providers/provider.ts';
import { createCookieJar, type CookieJar } from './cookie-jar.ts';
import type { OpenStore } from './on-engines.ts';
import { addShare, openTestStore } from './store.ts';
import { shareLogin } from './share-login.ts';
import { unsetSettings } from './share-settings.ts';

type RigProvider = Provider & {
  /** What the next exchanges, identifications and so on do; `answer` is the rule. */
  readonly script: {
    exchange: FaultCode | 'answer';
    identify: FaultCode | 'answer' | 'stall';
    refresh: FaultCode | 'answer' | 'invalid_grant' | 'stall';
    revoke: 'answer' | 'fail' | 'stall';
    authorize: FaultCode | 'answer';
  };
  /** Accounts by email; change one and the provider says so from then on. */
  readonly accounts: Map<string, RigAccount>;
  readonly exchanged: string[];
  readonly refreshed: string[];
  /** Access tokens. */
  readonly revoked: string[];
  readonly started: {
    selectAccount: boolean;
    codeVerifier: string | null;
    nonce: string;
    strength: LoginStrength | undefined;
  }[];
  appearance?: ProviderAppearance;
  /** What the settings ask of each login. */
  strength?: LoginStrength;
  readonly finished: { codeVerifier: string | null; nonce: string }[];
};

type RigAccount = Pick<Identity, 'subject' | 'email' | 'facts' | 'groupsFault'>;

export type RigBrowser = {
  readonly jar: CookieJar;
  readonly get: (
    url: string | URL,
    over?: { method?: string; headers?: Record<string, string>; ip?: string },
  ) => Promise<Answer>;
};

export type LoginRig = {
  readonly deps: LoginDeps;
  readonly login: Login;
  readonly store: Store;
  readonly clock: { now: number };
  readonly events: readonly AuditEvent[];
  readonly reasons: (kind: AuditKind) => readonly (string | null)[];
  readonly provider: (name: string) => RigProvider;
  readonly addShare: (settings?: RigShare) => Promise<Share>;
  readonly changeShare: (id: ShareId, change: (share: Share) => Share | undefined) => void;
  readonly browser: () => RigBrowser;
  /** As `startUrl`, where the visitor is to choose: among all of the share unless said. */
  readonly chooserUrl: (share: Share, over?: Partial<LoginChoice>) => string;
  /** The address that the gate sends a visitor of the share to. */
  readonly startUrl: (share: Share, over?: Partial<LoginRequest>) => string;
  [Symbol.asyncDispose](): Promise<void>;
};

export type RigSettings = Omit<Partial<LoginDeps>, 'oauth'> & {
  readonly oauth?: Partial<LoginDeps['oauth']>;
};

type RigShare = {
  readonly provider?: string;
  /** Further ones, by name. */
  readonly others?: readonly string[];
  readonly patterns?: readonly string[];
  readonly intervalMs?: number;
};

export async function createLoginRig(
  over: RigSettings = {},
  openStore: OpenStore = openTestStore,
): Promise<LoginRig> {
  const clock = { now: Date.UTC(2030, 0, 1) };
  const store = await openStore(() => clock.now);
  const shares = new Map<ShareId, Share>();
  const events: AuditEvent[] = [];
  const providers = new Map(['corp', 'other'].map((name) => [name, rigProvider(name)]));
  const seal = createSeal([{ signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(24) }]);
  const deps: LoginDeps = {
    shareBase: SHARE_BASE,
    controlUrl: new URL('https://control.example.com'),
    provider: (name) => providers.get(name),
    findShare: (id) => shares.get(id),
    sessions: store.sessions,
    attempts: store.attempts,
    accessRequests: store.accessRequests,
    ownerOf: async () => null,
    seal,
    brand: { name: 'Rig', logo: null, contact: null },
    audit: (event) => events.push(event),
    audited: (event) => events.push(event),
    owedEnds: createOwedEnds({
      refuse: () => undefined,
      log: { warn: () => undefined, error: () => undefined },
    }),
    tokensOwed: () => undefined,
    now: () => clock.now,
    log: { warn: () => undefined, error: () => undefined },
    jwks: { keys: [{ kty: 'EC', kid: 'k' }] },
    ...over,
    oauth: { ...OAUTH, ...over.oauth },
  };
  const provider = (name: string) => {
    const found = providers.get(name);
    if (found === undefined) throw new Error(`Cannot find provider ${name}`);
    return found;
  };
  const login = createLogin(deps);
  return {
    deps,
    login,
    store,
    clock,
    events,
    provider,
    reasons: (kind) => events.filter((event) => event.kind === kind).map((event) => event.reason),
    addShare: async (settings = {}) => {
      const share = await newShare(store, provider, settings);
      shares.set(share.id, share);
      return share;
    },
    changeShare: (id, change) => {
      const share = shares.get(id);
      const changed = share && change(share);
      if (changed === undefined) shares.delete(id);
      else shares.set(id, changed);
    },
    browser: () => rigBrowser(login, clock),
    chooserUrl: (share, choice = {}) => {
      const sealed = sealLoginChoice(seal, {
        shareId: share.id,
        providerNames: share.login?.named ?? [],
        returnUrl: `https://${share.hosts[0]}/page?q=1&r=a%20b`,
        bindingHash: null,
        selectAccount: false,
        addressKey: null,
        expiresAt: clock.now + deps.oauth.intermediateLifetimeMs,
        ...choice,
      });
      return chooserUrl(deps.oauth.endpointUrl, sealed);
    },
    startUrl: (share, request = {}) => {
      const providerName = share.login?.named[0] ?? '';
      const wanted: LoginRequest = {
        shareId: share.id,
        providerName,
        returnUrl: `https://${share.hosts[0]}/page?q=1&r=a%20b`,
        bindingHash: null,
        selectAccount: false,
        addressKey: null,
        expiresAt: clock.now + deps.oauth.intermediateLifetimeMs,
        ...request,
      };
      return loginUrl(deps.oauth.endpointUrl, providerName, sealLoginRequest(seal, wanted));
    },
    [Symbol.asyncDispose]: async () => store[Symbol.asyncDispose](),
  };
}

/** Walks from a login's start to the callback's answer, as this person. */
export async function logIn(browser: RigBrowser, startUrl: string, email: string): Promise<Answer> {
  return browser.get(await callbackUrl(browser, startUrl, email));
}

/** Starts a login and answers the address that the provider would send the browser back to. */
export async function callbackUrl(browser: RigBrowser, startUrl: string | URL, email: string): Promise<URL> {
  const started = await browser.get(startUrl);
  const location = header(started, 'location');
  if (started.status !== 302 || location === null)
    throw new Error(`Cannot start: ${started.status} ${started.body}`);
  const authorize = new URL(location);
  const back = new URL(authorize.searchParams.get('redirect_uri') ?? '');
  back.searchParams.set('code', `code-of-${email}`);
  back.searchParams.set('state', authorize.searchParams.get('state') ?? '');
  return back;
}

export function header(answer: Answer, name: string): string | null {
  return answer.headers.find(([known]) => known === name)?.[1] ?? null;
}

export function setCookies(answer: Answer): readonly string[] {
  return answer.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value);
}

/** The `code` of a problem document. */
export function codeOf(answer: Answer): string {
  return (JSON.parse(String(answer.body)) as { code: string }).code;
}

function rigBrowser(login: Login, clock: { readonly now: number }): RigBrowser {
  const jar = createCookieJar(() => clock.now);
  return {
    jar,
    get: async (address, { method = 'GET', headers = {}, ip = '192.0.2.1' } = {}) => {
      const url = new URL(address);
      const answer = await login({
        method,
        path: url.pathname,
        query: url.searchParams,
        rawQuery: url.search.slice(1),
        headers,
        cookies: parseCookies(jar.header(url) ?? undefined),
        ip,
        requestId: 'req-1',
      });
      const refused = jar.store(url, setCookies(answer));
      if (refused.length > 0) throw new Error(`A browser refuses ${refused.join(' and ')}`);
      return answer;
    },
  };
}

async function newShare(
  store: Store,
  provider: (name: string) => Provider,
  settings: RigShare,
): Promise<Share> {
  const row = await addShare(store);
  const names = [settings.provider ?? 'corp', ...(settings.others ?? [])];
  const [first, ...others] = names.map((name) => {
    const { type, generation } = provider(name);
    return { name, provider: { name, type, generation, accountId: null, emailPatterns: [] } };
  });
  const login = shareLogin({
    providerName: first!.name,
    provider: first!.provider,
    emailPatterns: settings.patterns ?? [],
    checkIntervalMs: settings.intervalMs ?? 3 * 60 * 60 * 1000,
  });
  return {
    id: row.id,
    accountId: row.accountId,
    name: row.name,
    hosts: [`${row.name}.share.example.com`],
    target: row.target,
    login: { ...login, named: names, providers: [...login.providers, ...others] },
    ...unsetSettings(),
  };
}

function rigProvider(name: string): RigProvider {
  const script: RigProvider['script'] = {
    exchange: 'answer',
    identify: 'answer',
    refresh: 'answer',
    revoke: 'answer',
    authorize: 'answer',
  };
  const accounts: RigProvider['accounts'] = new Map();
  const account = (email: string) => {
    const known = accounts.get(email) ?? { subject: `subject of ${email}`, email };
    accounts.set(email, known);
    return known;
  };
  const exchanged: string[] = [];
  const refreshed: string[] = [];
  const revoked: string[] = [];
  const started: RigProvider['started'] = [];
  const finished: RigProvider['finished'] = [];
  return {
    name,
    type: 'oidc',
    generation: randomToken(),
    accountId: null,
    emailPatterns: [],
    usesPkce: true,
    verifiesEmail: true,
    script,
    accounts,
    exchanged,
    refreshed,
    revoked,
    started,
    finished,
    authorizeUrl: async ({ redirectUri, state, nonce, codeVerifier, selectAccount, strength }) => {
      follow(script.authorize);
      started.push({ selectAccount, codeVerifier, nonce, strength });
      return new URL(
        `https://${name}.idp.example/?${new URLSearchParams({ redirect_uri: redirectUri, state })}`,
      );
    },
    exchange: async ({ url, nonce, codeVerifier }) => {
      follow(script.exchange);
      const code = url.searchParams.get('code') ?? '';
      exchanged.push(code);
      finished.push({ codeVerifier, nonce });
      return tokensOf(code.replace('code-of-', ''), exchanged.length);
    },
    identify: async (tokens, signal) => {
      if (script.identify === 'stall') return stalled(signal);
      follow(script.identify);
      return { provider: name, ...account(emailOf(tokens)) };
    },
    refresh: async (tokens, signal) => {
      refreshed.push(tokens.refreshToken?.reveal() ?? '');
      if (script.refresh === 'invalid_grant') return null;
      if (script.refresh === 'stall') return stalled(signal);
      follow(script.refresh);
      return tokensOf(emailOf(tokens), refreshed.length + 1);
    },
    revoke: async (tokens, signal) => {
      if (script.revoke === 'fail') throw new ServiceError('provider_unreachable', 'Cannot revoke: away');
      if (script.revoke === 'stall')
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      revoked.push(tokens.accessToken.reveal());
    },
  };
}

/** A provider that keeps the line open and says nothing. */
function stalled(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(new ServiceError('provider_unreachable', 'Cannot answer: it took too long'));
  signal?.addEventListener('abort', end);
  if (signal?.aborted === true) end();
  return promise;
}

function follow(script: string): void {
  if (script !== 'answer') throw new ServiceError(script as FaultCode, 'Cannot answer: as scripted');
}

function tokensOf(email: string, number: number): Tokens {
  return {
    accessToken: new Secret(`access ${number} ${email}`),
    refreshToken: new Secret(`refresh ${number} ${email}`),
    idToken: null,
    subject: null,
  };
}

function emailOf(tokens: Tokens): string {
  return tokens.accessToken.reveal().split(' ').slice(2).join(' ');
}

const SHARE_BASE: ShareBase = { scheme: 'https', domain: 'share.example.com', port: 443 };
const OAUTH: LoginDeps['oauth'] = {
  endpointUrl: new URL('https://auth.example.com'),
  cookieName: 'svc-auth-session',
  cookieDomain: 'example.com',
  sessionLifetimeMs: 6 * 60 * 60 * 1000,
  intermediateLifetimeMs: 5 * 60 * 1000,
  logoutRedirectHosts: null,
};
