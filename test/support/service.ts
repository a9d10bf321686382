// The whole service as an operator runs it, in this process: a configuration file, a store, an account with
// an API key, the certified OpenID provider as `corp`, and a backend that answers with what it got. Over
// plain HTTP or TLS.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../../src/cli/accounts/create.ts';
import { createLogger } from '../../src/cli/service/logger.ts';
import type { Client } from '../../src/client/client.ts';
import { createNodeClient } from '../../src/client/node-client.ts';
import type { NewShare, ShareObject } from '../../src/wire/share.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/config.ts';
import { ServiceError } from '../../src/domain/service-error.ts';
import { startService, type Service } from '../../src/serve.ts';
import { newMasterKeyText, readMasterKey } from '../../src/store/sealing/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import { createBrowser, type Browser } from './browser-by-hand.ts';
import { createTestAuthority, type TestAuthority } from './certificates.ts';
import { startEchoBackend, type EchoBackend } from './echo-backend.ts';
import { layFormedFile } from './sqlite-form.ts';
import { openUnlessProtected } from './open-unless-protected.ts';
import { freePort } from './free-port.ts';
import { noteEngine } from './note-engine.ts';
import {
  startOidcProvider,
  type OidcProviderOptions,
  type OidcProviderStandIn,
} from './providers/oidc-provider.ts';

type Sections = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type TestServiceOptions = {
  readonly tls?: boolean;
  /**
   * Names at a real-looking domain and the usual port, over TLS, `console.` among them; `share.localhost`
   * unless said.
   */
  readonly domain?: string;
  /** Further names in the certificate, over TLS. */
  readonly hosts?: readonly string[];
  /** Over the members of `oauth` in the configuration. */
  readonly oauth?: Readonly<Record<string, unknown>>;
  /** Over whole sections of the configuration. */
  readonly sections?: Sections | ((ports: TestService['ports']) => Sections);
  /** An address of PostgreSQL; SQLite in the folder unless given. */
  readonly storeUrl?: string | null;
  /** `outbound_allow` of the configuration. */
  readonly outboundAllow?: readonly string[];
  /** Further provider entries, given the endpoint URL that redirects come to. */
  readonly providers?: (endpointUrl: string) => readonly Readonly<Record<string, unknown>>[];
  /** Over the entry of `corp`. */
  readonly corp?: Readonly<Record<string, unknown>>;
  readonly idp?: Partial<OidcProviderOptions>;
};

export type TestService = {
  readonly config: Config;
  readonly configFile: string;
  readonly folder: string;
  readonly logFile: string;
  readonly ports: {
    readonly gateway: number;
    readonly oauth: number;
    readonly control: number;
    readonly metrics: number;
  };
  readonly idp: OidcProviderStandIn;
  readonly backend: EchoBackend;
  readonly client: Client;
  readonly apiKey: string;
  readonly endpointUrl: string;
  /** PEM of the authority; null over plain HTTP. */
  readonly ca: string | null;
  readonly authority: TestAuthority | null;
  /** A share in front of `backend` with login at `corp`, unless said otherwise. */
  readonly share: (name: string, settings?: Partial<NewShare>) => Promise<ShareObject>;
  /** A browser by hand that trusts the certificate. */
  readonly browser: () => Browser;
  /** Stops the service and starts it again on the same configuration and store. */
  readonly restart: () => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Stops the service alone, letting what runs finish for so long. */
  readonly drain: (graceMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const masterKey = newMasterKeyText();
  for (let attempt = 1; ; attempt++) {
    try {
      // Where the store is PostgreSQL, the attempt before has left its own there.
      const accountName = attempt === 1 ? 'acme' : `acme-${attempt}`;
      return await startOnce(options, { masterKey, accountName });
    } catch (error) {
      // A port that was free may be taken by now.
      const taken = error instanceof ServiceError && error.code === 'address_in_use';
      if (!taken || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function startOnce(
  options: TestServiceOptions,
  { masterKey, accountName }: { readonly masterKey: string; readonly accountName: string },
): Promise<TestService> {
  if ((options.storeUrl ?? null) === null) noteEngine('SQLite');
  const folder = await mkdtemp(join(tmpdir(), 'doorward-test-'));
  const [gateway, oauth, control, metrics] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const ports = { gateway, oauth, control, metrics };
  const scheme = options.tls === true ? 'https' : 'http';
  const port = options.domain === undefined ? `:${gateway}` : '';
  const domain = options.domain ?? 'share.localhost';
  const endpointUrl = `${scheme}://login.${domain}${port}`;
  const backend = await startEchoBackend();
  const idp = await startOidcProvider({ clients: [corpClient(endpointUrl)], ...options.idp });
  const authority = options.tls === true ? createTestAuthority() : null;
  const stop = async (): Promise<void> => {
    authority?.dispose();
    await Promise.all([backend.close(), idp.close(), rm(folder, { recursive: true, force: true })]);
  };
  try {
    const configFile = join(folder, 'doorward.yaml');
    await writeTls(folder, authority, [`*.${domain}`, domain, 'localhost', ...(options.hosts ?? [])]);
    await writeFile(join(folder, 'master.key'), masterKey, { mode: 0o600 });
    await writeFile(
      configFile,
      configText(options, {
        ports,
        gatewayUrl: `${scheme}://*.${domain}${port}`,
        endpointUrl,
        issuer: idp.issuer,
      }),
    );
    const config = await loadConfig(configFile);
    const { engine } = config.store;
    if (engine.kind === 'sqlite') await layFormedFile(engine.file);
    const apiKey = await addAccount(config, accountName);
    const logFile = join(folder, 'log');
    const start = (): Promise<Service> => {
      const { log, appendLines } = createLogger({ level: 'debug', file: logFile });
      return startService({ config, log, appendLog: appendLines });
    };
    let service = await start();
    const client = createNodeClient({ url: new URL(`http://127.0.0.1:${control}`), apiKey });
    return {
      config,
      configFile,
      folder,
      logFile,
      ports,
      idp,
      backend,
      client,
      endpointUrl,
      authority,
      apiKey: apiKey.reveal(),
      ca: authority?.ca ?? null,
      share: (name, settings = {}) =>
        client.shares.create(
          openUnlessProtected({ name, target: backend.url, oauthProvider: 'corp', ...settings }),
        ),
      browser: () => createBrowser(authority === null ? {} : { ca: authority.ca }),
      async restart() {
        await service.close(0);
        service = await start();
      },
      reload: async () => service.reload(await loadConfig(configFile)),
      drain: (graceMs) => service.close(graceMs),
      async close() {
        await service.close(0);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function corpClient(endpointUrl: string) {
  return {
    clientId: 'doorward',
    clientSecret: CLIENT_SECRET,
    redirectUris: [`${endpointUrl}/corp/auth/callback`],
  };
}

type Layout = {
  readonly ports: TestService['ports'];
  readonly gatewayUrl: string;
  readonly endpointUrl: string;
  readonly issuer: string;
};

/** JSON is YAML. */
function configText(options: TestServiceOptions, { ports, gatewayUrl, endpointUrl, issuer }: Layout): string {
  const tls = options.tls === true;
  const corp = {
    name: 'corp',
    type: 'oidc',
    client_id: 'doorward',
    client_secret: CLIENT_SECRET,
    issuer,
    scopes: ['openid', 'email', 'profile'],
    supports_pkce: true,
    ...options.corp,
  };
  const sections: Record<string, Readonly<Record<string, unknown>>> = {
    gateway: {
      bind_address: `127.0.0.1:${ports.gateway}`,
      public_url: gatewayUrl,
      direct_targets: ['127.0.0.0/8', 'localhost'],
    },
    oauth: {
      bind_address: `127.0.0.1:${ports.oauth}`,
      endpoint_url: endpointUrl,
      cookie_name: 'svc-auth-session',
      cookie_domain: options.domain ?? 'share.localhost',
      session_lifetime: '6h',
      intermediate_lifetime: '5m',
      signing_key: 'a signing key for tests, 32 characters or more',
      encryption_key: 'an encryption key for tests, 24 or more',
      providers: [corp, ...(options.providers?.(endpointUrl) ?? [])],
      ...options.oauth,
    },
    control: {
      bind_address: `127.0.0.1:${ports.control}`,
      public_url:
        options.domain === undefined
          ? `http://127.0.0.1:${ports.control}`
          : `https://console.${options.domain}`,
      tls: 'off',
    },
    store: { url: options.storeUrl ?? 'sqlite:data/doorward.db', master_key_file: 'master.key' },
    metrics: { bind_address: `127.0.0.1:${ports.metrics}`, tls: 'off' },
    log: { level: 'debug', access: true },
  };
  const over = typeof options.sections === 'function' ? options.sections(ports) : options.sections;
  for (const [name, members] of Object.entries(over ?? {}))
    sections[name] = { ...sections[name], ...members };
  const certificates = [{ certificate_file: 'server.pem', key_file: 'server.key' }];
  return JSON.stringify(
    {
      ...(tls ? { tls: certificates } : {}),
      outbound_allow: options.outboundAllow ?? [],
      ...sections,
    },
    null,
    2,
  );
}

async function writeTls(
  folder: string,
  authority: TestAuthority | null,
  names: readonly string[],
): Promise<void> {
  if (authority === null) return;
  const pair = authority.issue(names);
  await writeFile(join(folder, 'server.pem'), pair.certificate);
  await writeFile(join(folder, 'server.key'), pair.key);
}

/** An account in the store of a service, which may run; its first key. */
export async function addAccount(config: Config, name: string, adminEmail = 'admin@acme.test') {
  const masterKey = await readMasterKey(config.store.masterKeyFile);
  const store = await openStore({
    engine: config.store.engine,
    masterKey,
    now: Date.now,
    exclusive: false,
  });
  try {
    const made = await createAccount(store, { name, adminEmail, now: Date.now() });
    return made.apiKey;
  } finally {
    await store.close();
  }
}

const CLIENT_SECRET = 'a client secret for tests';
const MAX_ATTEMPTS = 3;
