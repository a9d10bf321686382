// The control API as it stands in the service, for tests: a real store, a real listener, the feed to the data
// plane, and two accounts that must know nothing of each other.

import { createControlApi } from '../../src/control/api.ts';
import type { ControlApi, ControlSettings } from '../../src/control/control-deps.ts';
import {
  createLiveRequests,
  type LiveRequests,
} from '../../src/control/shares/live-requests/live-requests.ts';
import { createProviderBook } from '../../src/control/feed/provider-book.ts';
import { controlHandler } from '../../src/control/node-handler.ts';
import { createRouteFeed, type RouteFeed } from '../../src/control/feed/route-feed.ts';
import type { TxtLookup } from '../../src/control/hosts/txt-lookup.ts';
import { DEFAULT_LIMITS } from '../../src/domain/account-limits.ts';
import type { HeldCertificate } from '../../src/domain/client-certificate.ts';
import { hashApiKey, newApiKey } from '../../src/domain/api-key.ts';
import { type AccountId, newId } from '../../src/domain/id.ts';
import type { ProviderRef } from '../../src/domain/provider-ref.ts';
import { type Secret, shortHash } from '../../src/domain/secret.ts';
import { createOwedEnds, type OwedEnds } from '../../src/store/sessions/owed-ends.ts';
import type { Store } from '../../src/store/store.ts';
import { listen, newRequestId } from '../../src/http/listener.ts';
import { createSeal } from '../../src/login/seal.ts';
import { createAccountDiallers } from '../../src/webhooks/account-diallers.ts';
import { openTestStore, type TestStore } from './store.ts';

export type TestAccount = { readonly id: AccountId; readonly apiKey: Secret };

export type TestControl<Kept extends Store = TestStore> = {
  readonly url: URL;
  readonly store: Kept;
  readonly settings: ControlSettings;
  readonly api: ControlApi;
  readonly feed: RouteFeed;
  /** The test plays the workers: `told()`. */
  readonly liveRequests: LiveRequests;
  readonly alice: TestAccount;
  readonly mallory: TestAccount;
  /** What was logged, as `level message`. */
  readonly log: readonly string[];
  /** The test plays the feed: `settle()`. */
  readonly owedConsoleEnds: OwedEnds<string>;
  readonly call: (call: TestCall) => Promise<TestAnswer>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type TestCall = {
  readonly method?: string;
  readonly path: string;
  readonly as?: TestAccount | null;
  readonly json?: unknown;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
};

export type TestAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** Empty for an answer without JSON. */
  readonly document: Readonly<Record<string, unknown>>;
};

export const TEST_PROVIDER: ProviderRef = {
  name: 'test',
  type: 'oidc',
  generation: shortHash('first'),
  accountId: null,
  emailPatterns: [],
};

type TestSettings = Partial<ControlSettings> & {
  /** What each connection brings. */
  readonly certificate?: () => HeldCertificate | null;
  /** Where each call comes from, in place of the connection's own address. */
  readonly address?: () => string;
  /** Of another control plane on the same tables, whose accounts this one knows too. */
  readonly beside?: Pick<TestControl, 'alice' | 'mallory'>;
};

export async function startControl(
  settings: TestSettings = {},
  txtLookup: TxtLookup = noRecords,
): Promise<TestControl> {
  return startControlOn(await openTestStore(), settings, txtLookup);
}

/** On any store, which goes with it. */
export async function startControlOn<Kept extends Store & AsyncDisposable>(
  store: Kept,
  { certificate = () => null, address, beside, ...settings }: TestSettings = {},
  txtLookup: TxtLookup = noRecords,
): Promise<TestControl<Kept>> {
  const log: string[] = [];
  const note = (level: string) => (_fields: object, message: string) => void log.push(`${level} ${message}`);
  const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const book = createProviderBook(Date.now);
  book.useConfigured(new Map(), { outboundAllow: ['127.0.0.1', 'localhost'], ownListeners: [] });
  // Its port is known once it listens.
  const publicUrl = new URL('http://127.0.0.1');
  const all: ControlSettings = {
    shareBase: { scheme: 'https', domain: 'share.example.com', port: 443 },
    pkiUrl: publicUrl,
    clientCertificates: 'none',
    providersOf: (accountId) => [TEST_PROVIDER, ...book.usableBy(accountId)],
    displayNameOf: (name) => (name === TEST_PROVIDER.name ? 'Test Login' : book.displayNameOf(name)),
    isConfiguredProvider: (name) => name === TEST_PROVIDER.name,
    examineProvider: (accountId, name) => book.examine(accountId, name, all.endpointUrl),
    endpointUrl: new URL('https://auth.share.example.com'),
    cookieDomain: 'example.com',
    console: {
      publicUrl,
      intermediateLifetimeMs: 5 * 60_000,
      seal: createSeal([{ signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(24) }]),
      brand: { name: 'Test', logo: null, contact: null },
      findProvider: (name) =>
        name === TEST_PROVIDER.name ? { ...TEST_PROVIDER, verifiesEmail: true } : book.find(name),
      configuredProviders: [TEST_PROVIDER.name],
      operators: [],
    },
    gatewayTls: true,
    forwardedCertificates: false,
    outboundAllow: ['127.0.0.1', 'localhost'],
    ownHosts: ['auth.share.example.com'],
    directTargets: ['127.0.0.1', 'localhost'],
    ownListeners: [{ host: '0.0.0.0', port: 8282 }],
    sessionLifetimeMs: 6 * 60 * 60_000,
    automaticCertificates: false,
    kept: { endedRetentionMs: 7 * 86_400_000, auditRetentionMs: 90 * 86_400_000 },
    limits: DEFAULT_LIMITS,
    configuration: {
      file: 'doorward.yaml',
      chosenBy: 'option',
      readAt: Date.UTC(2030, 0, 31),
      written: new Map(),
      awaitsRestart: [],
    },
    ...settings,
  };
  const feed = createRouteFeed({
    store,
    providerRef: (name) =>
      book.ref(name) ?? all.providersOf('acc_nobody').find((provider) => provider.name === name) ?? null,
    onProviders: async (changed) =>
      changed === 'all'
        ? book.useDefinitions(await store.providerDefinitions.all())
        : book.changeDefinitions(changed, await store.providerDefinitions.among(changed)),
    shareBase: all.shareBase,
    cookieDomain: () => all.cookieDomain,
    now: Date.now,
    wallNow: Date.now,
    onKeysGone: () => undefined,
    onTrust: () => undefined,
    onTokens: () => undefined,
    onPublicCertificates: () => undefined,
    onShares: () => undefined,
    onSessions: () => undefined,
    onGap: () => undefined,
    onStoreGood: () => undefined,
    log: logger,
  });
  await feed.start();
  const liveRequests = createLiveRequests({
    bulletin: store.bulletin,
    tellWorkers: async () => {},
    log: logger,
  });
  const owedConsoleEnds = createOwedEnds<string>({ refuse: () => undefined, log: logger });
  const api = createControlApi({
    store,
    liveRequests,
    settings: () => all,
    caughtUp: feed.caughtUp,
    webhookDialler: createAccountDiallers(() => all),
    txtLookup,
    tokensOwed: () => undefined,
    owedConsoleEnds,
    status: () => ({ version: '0.0.0', startedAt: 0, workers: { running: 1, configured: 2 } }),
    now: Date.now,
    log: logger,
  });
  const listener = await listen({
    name: 'control',
    at: { host: '127.0.0.1', port: 0 },
    certificates: null,
    handle: controlHandler(api, (request) => ({
      address: address?.() ?? request.socket.remoteAddress ?? '',
      requestId: newRequestId(),
      certificate: certificate(),
    })),
  });
  publicUrl.port = String(listener.port);
  const url = new URL(publicUrl);
  const alice = beside?.alice ?? (await addAccountWithKey(store, 'alice'));
  return {
    url,
    store,
    settings: all,
    api,
    feed,
    liveRequests,
    alice,
    mallory: beside?.mallory ?? (await addAccountWithKey(store, 'mallory')),
    log,
    owedConsoleEnds,
    call: (call) => sendCall(url, { as: alice, ...call }),
    async [Symbol.asyncDispose]() {
      liveRequests.stop();
      await listener.close(0);
      await feed.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

const noRecords: TxtLookup = () => Promise.resolve({ kind: 'records', records: [] });

export async function addAccountWithKey(store: Store, name: string): Promise<TestAccount> {
  const id: AccountId = newId('acc');
  const apiKey = newApiKey();
  await store.accounts.create({
    account: { id, name, createdAt: Date.now(), suspended: false },
    adminEmail: `${name}@example.com`,
    apiKey: {
      id: newId('key'),
      accountId: id,
      name: 'first',
      hash: hashApiKey(apiKey),
      createdAt: Date.now(),
    },
  });
  return { id, apiKey };
}

async function sendCall(url: URL, call: TestCall): Promise<TestAnswer> {
  const body = call.json === undefined ? call.body : JSON.stringify(call.json);
  // Joined as text, so that a path of two slashes names no other host.
  const response = await fetch(`${url.origin}${call.path}`, {
    method: call.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(call.as ? { authorization: `Bearer ${call.as.apiKey.reveal()}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await textOf(response);
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    document: isJson && text !== '' ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : {},
  };
}

/** A stream without end is left. */
async function textOf(response: Response): Promise<string> {
  if (!/event-stream/.test(response.headers.get('content-type') ?? '')) return response.text();
  await response.body?.cancel();
  return '';
}
