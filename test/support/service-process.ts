// The service as an operator runs it, in a process of its own (`doorward serve`), for runs that measure or
// kill it: its folder, an account, and the certified OpenID provider as `corp`, which lives in this process.
// Over plain HTTP or TLS, on loopback.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../../src/client/client.ts';
import { createNodeClient } from '../../src/client/node-client.ts';
import { newMasterKeyText } from '../../src/store/sealing/master-key.ts';
import { createTestAuthority, type TestAuthority, type TestPair } from './certificates.ts';
import { firstAccount } from './first-account.ts';
import { FRONT_DOOR } from './front-door.ts';
import { listenPort } from './listen-port.ts';
import { noteEngine } from './note-engine.ts';
import { programCall } from './program-call.ts';
import { startOidcProvider, type OidcProviderStandIn } from './providers/oidc-provider.ts';
import { corpClient } from './service.ts';

export type ServiceProcessOptions = {
  /** Without one there is no listener for metrics. */
  readonly metricsPort?: number;
  readonly tls?: boolean;
  /** Over members of the section `gateway`. */
  readonly gateway?: Readonly<Record<string, unknown>>;
  /** An address of PostgreSQL; SQLite in the folder unless given. */
  readonly storeUrl?: string | null;
  /** Node's own flags: `--cpu-prof`. */
  readonly nodeFlags?: readonly string[];
  /** Whether `DOORWARD_CONFIG` names the configuration, in place of `--config`. */
  readonly configByEnvironment?: boolean;
  /** The front door; the repository's unless said. */
  readonly program?: string;
};

export type ServiceProcess = {
  readonly folder: string;
  readonly port: number;
  readonly storeFile: string;
  readonly logFile: string;
  readonly endpointUrl: string;
  readonly idp: OidcProviderStandIn;
  readonly client: Client;
  /** `control.public_url`. */
  readonly controlUrl: string;
  /** The server's certificate, and who issued it; null over plain HTTP. */
  readonly tls: { readonly ca: string; readonly pair: TestPair } | null;
  readonly pid: () => number;
  /** Where a share answers: `http://demo.share.localhost:8080`. */
  readonly urlOf: (share: string) => string;
  /**
   * Starts the process (it is not started yet, or it ended). Answers the milliseconds until the gateway
   * accepted. Of another program than the options', where one is given.
   */
  readonly start: (program?: string) => Promise<number>;
  /** Answers the code, or the signal, that it ended with. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | NodeJS.Signals | null>;
  /** Ends everything and removes the folder. */
  readonly close: () => Promise<void>;
};

/** Lays everything out; `start()` runs it. */
export async function layOutService(options: ServiceProcessOptions = {}): Promise<ServiceProcess> {
  if ((options.storeUrl ?? null) === null) noteEngine('SQLite');
  const folder = await mkdtemp(join(tmpdir(), 'doorward-process-'));
  const ports = { gateway: await listenPort(), oauth: await listenPort(), control: await listenPort() };
  const scheme = options.tls === true ? 'https' : 'http';
  const endpointUrl = `${scheme}://login.share.localhost:${ports.gateway}`;
  const idp = await startOidcProvider({ clients: [corpClient(endpointUrl)] });
  const authority = options.tls === true ? createTestAuthority() : null;
  const tls = authority === null ? null : await writeTls(folder, authority);
  const configFile = join(folder, 'doorward.yaml');
  await writeFile(join(folder, 'master.key'), newMasterKeyText(), { mode: 0o600 });
  await writeFile(configFile, configText(options, { ports, scheme, endpointUrl, issuer: idp.issuer }));
  const apiKey = await firstAccount(configFile, options.program);
  const logFile = join(folder, 'log');
  let running: ChildProcess | null = null;
  const kill = () => running?.kill('SIGKILL');
  // A run that breaks off must not leave the service behind.
  process.once('exit', kill);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const child = running;
    if (child === null) return null;
    running = null;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode ?? child.signalCode;
  };
  return {
    folder,
    port: ports.gateway,
    storeFile: join(folder, 'data', 'doorward.db'),
    logFile,
    endpointUrl,
    idp,
    client: createNodeClient({ url: new URL(`http://127.0.0.1:${ports.control}`), apiKey }),
    controlUrl: `http://127.0.0.1:${ports.control}`,
    tls,
    pid: () => running?.pid ?? 0,
    urlOf: (share) => `${scheme}://${share}.share.localhost:${ports.gateway}`,
    start: async (program) => {
      const startedAt = performance.now();
      const child = spawnServe(configFile, {
        logFile,
        flags: options.nodeFlags ?? [],
        program: program ?? options.program,
        byEnvironment: options.configByEnvironment ?? false,
      });
      running = child;
      await accepting(ports.gateway, { child, logFile });
      return performance.now() - startedAt;
    },
    stop,
    async close() {
      await stop();
      process.off('exit', kill);
      authority?.dispose();
      await Promise.all([idp.close(), rm(folder, { recursive: true, force: true })]);
    },
  };
}

type ServeWords = {
  readonly logFile: string;
  readonly flags: readonly string[];
  readonly program?: string | undefined;
  readonly byEnvironment?: boolean;
};

/** `doorward serve`, whose log goes to the end of that file. */
export function spawnServe(
  configFile: string,
  { logFile, flags, program = FRONT_DOOR, byEnvironment = false }: ServeWords,
): ChildProcess {
  const log = openSync(logFile, 'a');
  const { command, words } = programCall(program, flags);
  const named = byEnvironment
    ? { words: [], env: { ...process.env, DOORWARD_CONFIG: configFile } }
    : { words: ['--config', configFile], env: process.env };
  const child = spawn(command, [...words, 'serve', ...named.words], {
    stdio: ['ignore', 'ignore', log],
    env: named.env,
  });
  closeSync(log);
  return child;
}

/** Resolves once the port accepts; throws, with the end of the log, when the process ends before. */
export async function accepting(
  port: number,
  { child, logFile }: { readonly child: ChildProcess; readonly logFile: string },
): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
      const said = readFileSync(logFile, 'utf8').slice(-2_000);
      throw new Error(`Cannot start the service: it does not listen on ${port}. It said:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, KNOCK_MS));
  }
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('connect', () => {
    socket.destroy();
    resolve(true);
  });
  socket.on('error', () => resolve(false));
  return promise;
}

async function writeTls(folder: string, authority: TestAuthority) {
  const pair = authority.issue(['*.share.localhost', 'share.localhost', 'localhost']);
  await writeFile(join(folder, 'server.pem'), pair.certificate);
  await writeFile(join(folder, 'server.key'), pair.key);
  return { ca: authority.ca, pair };
}

type Layout = {
  readonly ports: { readonly gateway: number; readonly oauth: number; readonly control: number };
  readonly scheme: string;
  readonly endpointUrl: string;
  readonly issuer: string;
};

/** JSON is YAML. What can be left out is left out: this is measured as it comes. */
function configText(options: ServiceProcessOptions, { ports, scheme, endpointUrl, issuer }: Layout): string {
  const client = corpClient(endpointUrl);
  return JSON.stringify({
    ...(options.tls === true ? { tls: [{ certificate_file: 'server.pem', key_file: 'server.key' }] } : {}),
    gateway: {
      bind_address: loopback(ports.gateway),
      public_url: `${scheme}://*.share.localhost:${ports.gateway}`,
      direct_targets: ['127.0.0.0/8'],
      ...options.gateway,
    },
    oauth: {
      bind_address: loopback(ports.oauth),
      endpoint_url: endpointUrl,
      cookie_name: 'svc-auth-session',
      cookie_domain: 'share.localhost',
      session_lifetime: '6h',
      intermediate_lifetime: '5m',
      signing_key: 'a signing key for long runs, of 32 characters or more',
      encryption_key: 'an encryption key for long runs, of 24 or more',
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
      bind_address: loopback(ports.control),
      public_url: `http://${loopback(ports.control)}`,
      tls: 'off',
    },
    ...(options.metricsPort === undefined
      ? {}
      : { metrics: { bind_address: loopback(options.metricsPort) } }),
    store: { url: options.storeUrl ?? 'sqlite:data/doorward.db', master_key_file: 'master.key' },
  });
}

function loopback(port: number): string {
  return `127.0.0.1:${port}`;
}

/** A second; much more on a machine that does much else. One that ended is noticed at once. */
const START_LIMIT_MS = 120_000;
const KNOCK_MS = 3;
