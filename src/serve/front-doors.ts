// The service's own listeners: revocation lists over plain HTTP, the OAuth frontend and the control API, the
// latter two each on its address and on the Unix socket where the gateway passes requests inside. On the
// socket the gateway's forwarding headers are believed: nobody else reaches it.

import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { BindAddress, Config, ListenerConfig } from '../config/config.ts';
import { plainLists } from '../control/certificates/plain-lists.ts';
import type { HeldCertificate } from '../domain/client-certificate.ts';
import type { Log } from '../domain/log.ts';
import { randomToken } from '../domain/secret.ts';
import {
  FAILED_HANDSHAKE,
  failedHandshake,
  type FailedHandshake,
  failedHandshakeFields,
} from '../gateway/failed-handshake.ts';
import { createTrustedProxies, visitorOf, type TrustedProxies } from '../gateway/forwarding-headers.ts';
import { INSIDE_CERTIFICATE, readInsideCertificate } from '../gateway/inside-certificate.ts';
import { presentedCertificate } from '../gateway/presented-certificate.ts';
import { clientTrustOf, isOffered } from '../gateway/tls-front.ts';
import type { Trust } from '../gateway/trust.ts';
import { listen, newRequestId, type Listener } from '../http/listener.ts';
import type { TlsMaterial } from '../http/tls-contexts.ts';
import { instanceId } from './instance.ts';
import type { InsideSockets } from './gate-settings.ts';

/** Who asks, as far as it can be known, and the request's id. */
export type Asker = {
  readonly ip: string;
  readonly requestId: string;
  /** That of the connection, where client certificates are asked for. */
  readonly certificate: HeldCertificate | null;
  /** It came through the gateway, which wrote the headers that only it may write. */
  readonly isInside: boolean;
};
export type Handler = (asker: Asker) => RequestListener;

export type FrontDoors = {
  readonly sockets: InsideSockets;
  readonly useCertificates: (materials: readonly TlsMaterial[]) => void;
  /** Authorities of client certificates came or went. */
  readonly trustChanged: () => void;
  /** `gateway.trusted_proxies` of another configuration. */
  readonly trust: (proxies: readonly string[]) => void;
  readonly close: () => Promise<void>;
};

export type FrontDoorOptions = {
  readonly config: Config;
  readonly certificates: readonly TlsMaterial[];
  readonly trust: Trust;
  readonly log: Pick<Log, 'warn'>;
  readonly oauth: Handler;
  readonly control: Handler;
};

/**
 * Throws `address_in_use`. A listener that shares the gateway's address is reached through the gateway alone.
 */
export async function openFrontDoors(options: FrontDoorOptions): Promise<FrontDoors> {
  const { config } = options;
  const folder = await mkdtemp(join(tmpdir(), 'doorward-'));
  const sockets = {
    oauth: join(folder, 'oauth.sock'),
    control: join(folder, 'control.sock'),
    certificateSecret: randomToken(),
  };
  const asks = config.control.clientCertificates !== 'none';
  const trustNow = () => clientTrustOf('control', options.trust.allAuthorities());
  const opened: Listener[] = [];
  const instance = instanceId(config);
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((listener) => listener.close(CLOSE_GRACE_MS)));
    await rm(folder, { recursive: true, force: true });
  };
  let isTrusted = createTrustedProxies(config.gateway.trustedProxies);
  try {
    for (const name of ['oauth', 'control'] as const) {
      const handle = options[name];
      const inside = fromGateway(handle, sockets.certificateSecret);
      opened.push(
        await listen({ name, at: { socketPath: sockets[name] }, certificates: null, handle: inside }),
      );
      if (sameAddress(config[name].bindAddress, config.gateway.bindAddress)) continue;
      opened.push(
        await listen({
          name,
          at: config[name].bindAddress,
          instance,
          certificates: certificatesOf(config[name], options.certificates),
          clientTrust: name === 'control' && asks ? trustNow() : null,
          connectionFailed: (error, socket) =>
            tellFailed(
              options,
              failedHandshake(error, socket, () => options.trust.allAuthorities()),
            ),
          handle: fromOutside(handle, {
            isTrusted: (address) => isTrusted(address),
            certificateOf: name === 'control' && asks ? heldCertificates(options.trust) : () => null,
          }),
        }),
      );
    }
    if (config.pki !== null)
      opened.push(
        await listen({
          name: 'pki',
          at: config.pki.bindAddress,
          instance,
          certificates: null,
          handle: plainLists(
            fromOutside(options.control, {
              isTrusted: (address) => isTrusted(address),
              certificateOf: () => null,
            }),
          ),
        }),
      );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    sockets,
    useCertificates: (materials) => {
      for (const listener of opened) listener.useCertificates(materials);
    },
    trustChanged: () => {
      const trust = asks ? trustNow() : null;
      if (trust !== null) for (const listener of opened) listener.useTrust(trust);
    },
    trust: (proxies) => {
      isTrusted = createTrustedProxies(proxies);
    },
    close,
  };
}

function tellFailed({ log }: FrontDoorOptions, failed: FailedHandshake | null): void {
  if (failed !== null) log.warn(failedHandshakeFields(failed), FAILED_HANDSHAKE);
}

/** Null for a plain listener. */
export function certificatesOf(
  listener: ListenerConfig,
  certificates: readonly TlsMaterial[],
): readonly TlsMaterial[] | null {
  return listener.tls ? certificates : null;
}

function fromGateway(handle: Handler, secret: string): RequestListener {
  return (request, response) => {
    // The last address is the gateway's word; what stands before it came from further off.
    const chain = headerOf(request, 'x-forwarded-for') ?? '';
    const ip = headerOf(request, 'x-real-ip') ?? chain.split(',').at(-1)?.trim() ?? '';
    const requestId = headerOf(request, 'x-request-id') ?? newRequestId();
    const certificate = readInsideCertificate(secret, headerOf(request, INSIDE_CERTIFICATE));
    handle({ ip, requestId, certificate, isInside: true })(request, response);
  };
}

type Outside = {
  readonly isTrusted: TrustedProxies;
  readonly certificateOf: (socket: Socket) => HeldCertificate | null;
};

function fromOutside(handle: Handler, { isTrusted, certificateOf }: Outside): RequestListener {
  return (request, response) => {
    const remote = request.socket.remoteAddress ?? '';
    const { address } = visitorOf(remote, headerOf(request, 'x-forwarded-for'), isTrusted);
    const certificate = certificateOf(request.socket);
    handle({ ip: address, requestId: newRequestId(), certificate, isInside: false })(request, response);
  };
}

/** Read once for each connection. */
function heldCertificates(trust: Trust): Outside['certificateOf'] {
  const known = new WeakMap<Socket, HeldCertificate | null>();
  return (socket) => {
    if (!(socket instanceof TLSSocket)) return null;
    let held = known.get(socket);
    if (held === undefined) {
      const authorities = trust.allAuthorities();
      held = presentedCertificate(socket, authorities, isOffered(authorities));
      known.set(socket, held);
    }
    return held;
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
