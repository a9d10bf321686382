// The service's own listeners: the OAuth frontend and the control API, each on its address and on the Unix socket where
// the gateway passes requests inside. On the socket the gateway's forwarding headers are believed: nobody else reaches it.

import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BindAddress, Config, ListenerConfig } from '../config/config.ts';
import { createTrustedProxies, visitorOf, type TrustedProxies } from '../gateway/forwarding-headers.ts';
import { listen, newRequestId, type Listener } from '../http/listener.ts';
import type { TlsMaterial } from '../http/tls-contexts.ts';
import type { InsideSockets } from './gate-settings.ts';

/** Who asks, as far as it can be known, and the request's id. */
export type Asker = { readonly ip: string; readonly requestId: string };
export type Handler = (asker: Asker) => RequestListener;

export type FrontDoors = {
  readonly sockets: InsideSockets;
  readonly useCertificates: (materials: readonly TlsMaterial[]) => void;
  /** `gateway.trusted_proxies` of another configuration. */
  readonly trust: (proxies: readonly string[]) => void;
  readonly close: () => Promise<void>;
};

export type FrontDoorOptions = {
  readonly config: Config;
  readonly certificates: readonly TlsMaterial[];
  readonly oauth: Handler;
  readonly control: Handler;
};

/** Throws `address_in_use`. A listener that shares the gateway's address is reached through the gateway alone. */
export async function openFrontDoors(options: FrontDoorOptions): Promise<FrontDoors> {
  const { config } = options;
  const folder = await mkdtemp(join(tmpdir(), 'doorward-'));
  const sockets = { oauth: join(folder, 'oauth.sock'), control: join(folder, 'control.sock') };
  const opened: Listener[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((listener) => listener.close(CLOSE_GRACE_MS)));
    await rm(folder, { recursive: true, force: true });
  };
  let isTrusted = createTrustedProxies(config.gateway.trustedProxies);
  try {
    for (const name of ['oauth', 'control'] as const) {
      const handle = options[name];
      const inside = fromGateway(handle);
      opened.push(
        await listen({ name, at: { socketPath: sockets[name] }, certificates: null, handle: inside }),
      );
      if (sameAddress(config[name].bindAddress, config.gateway.bindAddress)) continue;
      opened.push(
        await listen({
          name,
          at: config[name].bindAddress,
          certificates: certificatesOf(config[name], options.certificates),
          handle: fromOutside(handle, (address) => isTrusted(address)),
        }),
      );
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    sockets,
    useCertificates: (materials) => {
      for (const listener of opened) listener.useCertificates(materials);
    },
    trust: (proxies) => {
      isTrusted = createTrustedProxies(proxies);
    },
    close,
  };
}

/** Null for a plain listener. */
export function certificatesOf(
  listener: ListenerConfig,
  certificates: readonly TlsMaterial[],
): readonly TlsMaterial[] | null {
  return listener.tls ? certificates : null;
}

function fromGateway(handle: Handler): RequestListener {
  return (request, response) => {
    // The last address is the gateway's word; what stands before it came from further off.
    const chain = headerOf(request, 'x-forwarded-for') ?? '';
    const ip = headerOf(request, 'x-real-ip') ?? chain.split(',').at(-1)?.trim() ?? '';
    handle({ ip, requestId: headerOf(request, 'x-request-id') ?? newRequestId() })(request, response);
  };
}

function fromOutside(handle: Handler, isTrusted: TrustedProxies): RequestListener {
  return (request, response) => {
    const remote = request.socket.remoteAddress ?? '';
    const { address } = visitorOf(remote, headerOf(request, 'x-forwarded-for'), isTrusted);
    handle({ ip: address, requestId: newRequestId() })(request, response);
  };
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

function sameAddress(a: BindAddress, b: BindAddress): boolean {
  return a.host === b.host && a.port === b.port;
}

/** A login or API call under way is done by then. */
const CLOSE_GRACE_MS = 2_000;
