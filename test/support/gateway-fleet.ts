// Three `doorward serve` processes on one PostgreSQL behind nginx, as DESIGN "Gateways and store" has it.
// nginx takes turns; a request whose User-Agent is `via-0`, `via-1` or `via-2` goes to that gateway alone.
// Each answer says who gave it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../../src/client/client.ts';
import { createNodeClient } from '../../src/client/node-client.ts';
import { Secret } from '../../src/domain/secret.ts';
import { newMasterKeyText } from '../../src/store/sealing/master-key.ts';
import { startEchoBackend, type EchoBackend } from './echo-backend.ts';
import { firstAccount } from './first-account.ts';
import { listenPort } from './listen-port.ts';
import { startOwnPostgres, type OwnPostgres } from './postgres.ts';
import { startOidcProvider, type OidcProviderStandIn } from './providers/oidc-provider.ts';
import { corpClient } from './service.ts';
import { accepting, spawnServe } from './service-process.ts';

export const NGINX = '/usr/sbin/nginx';

export type FleetGateway = {
  /** What nginx writes into `x-gateway`. */
  readonly name: string;
  /** The User-Agent that nginx sends there. */
  readonly via: string;
  readonly folder: string;
  readonly logFile: string;
  readonly metricsUrl: string;
  /** Speaks to this gateway's control API. Only after `Fleet.addAccount`. */
  readonly client: Client;
  /** The same with another key. */
  readonly clientWith: (apiKey: string) => Client;
  readonly pid: () => number;
  /** Of that program; the repository's unless said. */
  readonly start: (program?: string) => Promise<void>;
  readonly stop: (signal: NodeJS.Signals) => Promise<void>;
};

export type Fleet = {
  readonly gateways: readonly [FleetGateway, FleetGateway, FleetGateway];
  readonly postgres: OwnPostgres;
  readonly storeUrl: Secret;
  /** The configuration's provider `corp`: it rotates refresh tokens. */
  readonly idp: OidcProviderStandIn;
  readonly backend: EchoBackend;
  readonly endpointUrl: string;
  readonly port: number;
  readonly urlOf: (share: string) => string;
  /** The account whose key the clients use; made by that program, or by the repository's. */
  readonly addAccount: (program?: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Everything but the gateways runs; none of them has been started, and the database is empty. */
export async function layOutFleet(): Promise<Fleet> {
  const undo: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    return await layOut(undo, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function layOut(undo: (() => unknown)[], close: () => Promise<void>): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-fleet-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startOwnPostgres();
  undo.push(() => postgres[Symbol.asyncDispose]());
  const backend = await startEchoBackend();
  undo.push(backend.close);
  const port = await listenPort();
  const endpointUrl = `http://login.share.localhost:${port}`;
  const idp = await startOidcProvider({ clients: [corpClient(endpointUrl)], rotateRefreshTokens: true });
  undo.push(idp.close);
  await writeFile(join(folder, 'master.key'), newMasterKeyText(), { mode: 0o600 });
  const storeUrl = await postgres.place();
  // No key opens anything before there is an account.
  let apiKey = new Secret('');
  const common = { folder, port, endpointUrl, storeUrl, issuer: idp.issuer };
  const made = await Promise.all([0, 1, 2].map((index) => layOutGateway(index, common, () => apiKey)));
  const [first, second, third] = made;
  if (first === undefined || second === undefined || third === undefined) throw new Error('three gateways');
  undo.push(() => Promise.all(made.map((gateway) => gateway.stop('SIGKILL'))));
  undo.push(await startNginx(folder, port, made));
  return {
    gateways: [first, second, third],
    postgres,
    storeUrl,
    idp,
    backend,
    endpointUrl,
    port,
    urlOf: (share) => `http://${share}.share.localhost:${port}`,
    addAccount: async (program) => {
      apiKey = await firstAccount(join(first.folder, 'doorward.yaml'), program);
    },
    close,
  };
}

type Common = {
  readonly folder: string;
  readonly port: number;
  readonly endpointUrl: string;
  readonly storeUrl: Secret;
  readonly issuer: string;
};

async function layOutGateway(index: number, common: Common, apiKey: () => Secret): Promise<FleetGateway> {
  const folder = join(common.folder, `gateway-${index}`);
  const logFile = join(folder, 'log');
  await mkdir(folder);
  const ports = {
    gateway: await listenPort(),
    oauth: await listenPort(),
    control: await listenPort(),
    metrics: await listenPort(),
  };
  const configFile = join(folder, 'doorward.yaml');
  await writeFile(configFile, configText(common, ports));
  const running: { child: ChildProcess | null } = { child: null };
  const kill = () => running.child?.kill('SIGKILL');
  const clientWith = (key: Secret) =>
    createNodeClient({ url: new URL(`http://127.0.0.1:${ports.control}`), apiKey: key });
  return {
    name: `127.0.0.1:${ports.gateway}`,
    via: `via-${index}`,
    folder,
    logFile,
    metricsUrl: `http://127.0.0.1:${ports.metrics}`,
    get client() {
      return clientWith(apiKey());
    },
    clientWith: (key) => clientWith(new Secret(key)),
    pid: () => running.child?.pid ?? 0,
    async start(program) {
      const child = spawnServe(configFile, { logFile, flags: [], program });
      running.child = child;
      process.once('exit', kill);
      await accepting(ports.gateway, { child, logFile });
    },
    async stop(signal) {
      const { child } = running;
      running.child = null;
      process.off('exit', kill);
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

type Ports = Readonly<Record<'gateway' | 'oauth' | 'control' | 'metrics', number>>;

/** JSON is YAML. All three are the same but for their own addresses. */
function configText({ port, endpointUrl, storeUrl, issuer }: Common, ports: Ports): string {
  const client = corpClient(endpointUrl);
  return JSON.stringify({
    outbound_allow: ['127.0.0.1'],
    gateway: {
      bind_address: `127.0.0.1:${ports.gateway}`,
      public_url: `http://*.share.localhost:${port}`,
      direct_targets: ['127.0.0.1'],
      trusted_proxies: ['127.0.0.1'],
    },
    oauth: {
      bind_address: `127.0.0.1:${ports.oauth}`,
      endpoint_url: endpointUrl,
      cookie_name: 'svc-auth-session',
      cookie_domain: 'share.localhost',
      session_lifetime: '6h',
      intermediate_lifetime: '5m',
      signing_key: 'a signing key for gateways, of 32 characters or more',
      encryption_key: 'an encryption key for gateways, of 24 or more',
      providers: [
        {
          name: 'corp',
          type: 'oidc',
          client_id: client.clientId,
          client_secret: client.clientSecret,
          issuer,
          scopes: ['openid', 'email', 'profile'],
          supports_pkce: true,
        },
      ],
    },
    control: {
      bind_address: `127.0.0.1:${ports.control}`,
      public_url: `http://127.0.0.1:${ports.control}`,
      tls: 'off',
    },
    metrics: { bind_address: `127.0.0.1:${ports.metrics}`, tls: 'off' },
    store: { url: storeUrl.reveal(), master_key_file: '../master.key' },
  });
}

/** A gateway that refuses is passed over at once and tried again by the next request (`max_fails=0`). */
async function startNginx(
  folder: string,
  port: number,
  gateways: readonly FleetGateway[],
): Promise<() => Promise<void>> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/nginx-${name};`)
    .join(' ');
  const servers = gateways.map(({ name }) => `server ${name} max_fails=0;`);
  const single = gateways.map(({ via, name }) => `upstream ${via} { server ${name} max_fails=0; }`);
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
events {}
http {
  access_log off; ${temporary}
  map $http_user_agent $chosen { default all; ${gateways.map(({ via }) => `${via} ${via};`).join(' ')} }
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  upstream all { ${servers.join(' ')} }
  ${single.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    large_client_header_buffers 4 16k;
    location / {
      proxy_pass http://$chosen;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_buffering off;
      proxy_buffer_size 16k;
      proxy_buffers 8 16k;
      proxy_read_timeout 1h;
      add_header x-gateway $upstream_addr always;
    }
  }
}
`,
  );
  const child = spawn(NGINX, ['-p', folder, '-c', file, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await accepting(port, { child, logFile: file });
  return async () => {
    process.off('exit', kill);
    const ended = once(child, 'exit');
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await ended;
  };
}
