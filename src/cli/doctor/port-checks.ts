// Whether each listener can be opened, or is open already and ours. Asked about a port that is taken, the one who has it
// says what it is in a way that only this service does.

import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { createServer } from 'node:net';
import type { BindAddress, Config, ListenerConfig } from '../../config/config.ts';
import { type Check, fails, passes } from '../../domain/check.ts';

export async function portChecks(config: Config): Promise<readonly Check[]> {
  const listeners: readonly (readonly [Name, ListenerConfig | null])[] = [
    ['gateway', config.gateway],
    ['tunnel', config.tunnel],
    ['oauth', config.oauth],
    ['control', config.control],
    ['pki', config.pki],
    ['metrics', config.metrics],
  ];
  const seen = new Set<string>();
  const checks: Check[] = [];
  for (const [name, listener] of listeners) {
    if (listener === null) continue;
    const text = shown(listener.bindAddress);
    checks.push(
      seen.has(text) ? passes(name, `${text}, through the gateway`) : await portCheck(name, listener),
    );
    seen.add(text);
  }
  return checks;
}

type Name = keyof typeof SIGNS;

async function portCheck(name: Name, listener: ListenerConfig): Promise<Check> {
  const at = shown(listener.bindAddress);
  const code = await bindCode(listener.bindAddress);
  if (code === null) return passes(name, `${at} is free`);
  if (code === 'EADDRINUSE')
    return (await isOurs(name, listener))
      ? passes(name, `${at} is open, by doorward`)
      : fails(name, `${at} is taken by another program`, `Stop it, or change ${name}.bind_address.`);
  return fails(
    name,
    `${at} cannot be opened: ${REASONS[code]?.[0] ?? code}`,
    REASONS[code]?.[1] ?? 'Look at bind_address.',
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

async function isOurs(name: Name, { bindAddress, tls }: ListenerConfig): Promise<boolean> {
  const { path, is } = SIGNS[name];
  try {
    return is(await ask(bindAddress, path, tls));
  } catch {
    return false;
  }
}

/** Nothing secret is sent, and what comes back is believed in nothing: so whose certificate it is does not matter. */
function ask({ host, port }: BindAddress, path: string, tls: boolean): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = {
    host: ANY[host] ?? host,
    port,
    path,
    headers: { host: 'doctor.invalid', accept: 'application/json' },
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
    response.on('end', () => resolve(text));
    response.on('error', reject);
  });
  request.end();
  return promise;
}

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
    'this user may not open ports below 1024',
    'Give the service CAP_NET_BIND_SERVICE (AmbientCapabilities= in systemd), or use a higher port.',
  ],
  EADDRNOTAVAIL: [
    'this machine has no such address',
    'Change bind_address to one that it has, or to 0.0.0.0.',
  ],
};
const ANY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
/** It is on this machine, which may be busy. */
const ASK_LIMIT_MS = 15_000;
/** The API's description is the longest; its title stands at the beginning. */
const MAX_ANSWER_LENGTH = 64 * 1024;
