// Whether each listener can be opened, or is open already and ours. Asked about a port that is taken, the one
// who has it says what it is in a way that only this service does.

import { request as tlsRequest } from 'node:https';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isAtGateway } from '../../config/check-together.ts';
import type { BindAddress, Config, ListenerConfig } from '../../config/config.ts';
import { type Check, fails, passes } from '../../domain/check.ts';
import { INSTANCE_HEADER } from '../../http/listener.ts';
import { instanceIds } from '../../serve/instance.ts';

const { request: plainRequest } = process.getBuiltinModule('node:http');

export async function portChecks(config: Config): Promise<readonly Check[]> {
  const seen = new Set<string>();
  const checks: Check[] = [];
  for (const name of NAMES) {
    const listener = config[name];
    if (listener === null) continue;
    const text = shown(listener.bindAddress);
    checks.push(
      seen.has(text) ? passes(name, `${text}, through the gateway`) : await portCheck(config, name, listener),
    );
    seen.add(text);
  }
  return checks;
}

type Name = (typeof NAMES)[number];

async function portCheck(config: Config, name: Name, listener: ListenerConfig): Promise<Check> {
  const at = shown(listener.bindAddress);
  const code = await bindCode(listener.bindAddress);
  if (code === null) return passes(name, `${at} is free`);
  if (code === 'EADDRINUSE') {
    const holder = await holderOf(config, name, listener);
    if (holder === 'ours') return passes(name, `${at} is in use by this installation`);
    const other = holder === 'other instance' ? 'another installation of Doorward' : 'another program';
    return fails(name, `${at} is taken by ${other}`, `Stop it, or change ${name}.bind_address.`);
  }
  return fails(
    name,
    `${at} cannot be opened: ${REASONS[code]?.[0] ?? code}`,
    REASONS[code]?.[1] ?? 'Check bind_address.',
  );
}

/** Null when it could be bound. */
function bindCode({ host, port }: BindAddress): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const server = createServer((socket) => socket.destroy());
  server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  return promise;
}

type Holder = 'ours' | 'other instance' | 'other program';

/** One that was configured otherwise may speak otherwise: both ways are tried. */
async function holderOf(config: Config, name: Name, { bindAddress, tls }: ListenerConfig): Promise<Holder> {
  const { path, is } = SIGNS[name];
  for (const secure of [tls, !tls])
    try {
      const at = { bindAddress, tls: secure };
      const { text, instance } = await ask(at, path, UNKNOWN_HOST);
      if (!is(text)) continue;
      const known = instance ?? (name === 'gateway' ? await instanceBehind(config, at) : null);
      return known === null || instanceIds(config).includes(known) ? 'ours' : 'other instance';
    } catch {
      // Whatever it speaks, this is not it.
    }
  return 'other program';
}

/**
 * The gateway says nothing of itself, but passes inside whoever asks for the OAuth frontend at it: another's
 * is not found there.
 */
async function instanceBehind(config: Config, at: ListenerConfig): Promise<string | null> {
  const { endpointUrl } = config.oauth;
  if (!isAtGateway(endpointUrl, config.gateway.publicUrl)) return null;
  const { text } = await ask(at, SIGNS.oauth.path, endpointUrl.host);
  return SIGNS.oauth.is(text) ? (/"kid":"([^"]+)"/.exec(text)?.[1] ?? '') : '';
}

/**
 * Listeners of this configuration where another installation answers; nothing is bound, and only this machine
 * is asked.
 */
export async function otherInstances(
  config: Config,
): Promise<readonly { readonly name: string; readonly at: string }[]> {
  const here = new Set(
    Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address)),
  );
  const found: { readonly name: string; readonly at: string }[] = [];
  for (const [name, listener] of listenersOf(config)) {
    const { host } = listener.bindAddress;
    if (!(host in ANY) && !here.has(host)) continue;
    if ((await holderOf(config, name, listener)) === 'other instance')
      found.push({ name, at: shown(listener.bindAddress) });
  }
  return found;
}

/** Each once: those that share the gateway's address are asked through it. */
function listenersOf(config: Config): readonly (readonly [Name, ListenerConfig])[] {
  const seen = new Set<string>();
  return NAMES.flatMap((name) => {
    const listener = config[name];
    if (listener === null || seen.has(shown(listener.bindAddress))) return [];
    seen.add(shown(listener.bindAddress));
    return [[name, listener] as const];
  });
}

/**
 * Nothing secret is sent, and what comes back is believed in nothing: so whose certificate it is does not
 * matter.
 */
function ask(
  { bindAddress: { host, port }, tls }: ListenerConfig,
  path: string,
  asked: string,
): Promise<Said> {
  const { promise, resolve, reject } = Promise.withResolvers<Said>();
  const options = {
    host: ANY[host] ?? host,
    port,
    path,
    headers: { host: asked, accept: 'application/json' },
    agent: false as const,
    signal: AbortSignal.timeout(ASK_LIMIT_MS),
  };
  const request = tls ? tlsRequest({ ...options, rejectUnauthorized: false }) : plainRequest(options);
  request.on('error', reject);
  request.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      if (text.length < MAX_ANSWER_LENGTH) text += chunk;
    });
    const instance = response.headers[INSTANCE_HEADER];
    response.on('end', () => resolve({ text, instance: typeof instance === 'string' ? instance : null }));
    response.on('error', reject);
  });
  request.end();
  return promise;
}

type Said = { readonly text: string; readonly instance: string | null };

const NAMES = ['gateway', 'tunnel', 'oauth', 'control', 'pki', 'metrics'] as const;
const UNKNOWN_HOST = 'doctor.invalid';
const SIGNS = {
  gateway: { path: '/', is: (text: string) => /"code":"(?:share_unknown|store_unavailable)"/.test(text) },
  tunnel: { path: '/', is: (text: string) => text.includes('"code":"misdirected"') },
  oauth: {
    path: '/.well-known/jwks.json',
    is: (text: string) => text.includes('"keys"') && text.includes('"ES256"'),
  },
  control: { path: '/openapi.json', is: (text: string) => text.includes('Doorward control API') },
  pki: { path: '/', is: (text: string) => text.includes('only certificate revocation lists') },
  metrics: { path: '/healthz', is: (text: string) => text === 'ok\n' },
} as const;

function shown({ host, port }: BindAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

const REASONS: Readonly<Record<string, readonly [found: string, next: string]>> = {
  EACCES: [
    'this user may not listen on ports below 1024',
    'Give the service CAP_NET_BIND_SERVICE (AmbientCapabilities= in systemd), or use a higher port.',
  ],
  EADDRNOTAVAIL: [
    'this machine does not have this address',
    'Change bind_address to an address of this machine, or to 0.0.0.0.',
  ],
};
const ANY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
/** It is on this machine, which may be busy. */
const ASK_LIMIT_MS = 15_000;
/** The API's description is the longest; its title stands at the beginning. */
const MAX_ANSWER_LENGTH = 64 * 1024;
