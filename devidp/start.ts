// A small OpenID provider for trying things out: no password is asked, and anybody can be anybody. That is
// why it starts on loopback and nowhere else. Imports nothing of the service; the service sees it only over
// HTTP.
//
//   /auth -> /interaction/<uid> (choose who you are) -> /auth/<uid> -> the client's redirect URI

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerInteraction } from './interaction.ts';
import { assertLoopback, LOOPBACK_HOST } from './loopback.ts';
import { loadKeys } from './keys.ts';
import { homePage, sendPage } from './page.ts';
import { PEOPLE, type Person } from './people.ts';
import { createProvider, type DevClient, withConsentForOfflineAccess } from './provider.ts';

export type DevIdpOptions = {
  /** 0 takes a free one. */
  readonly port: number;
  /** An IP literal of this machine's loopback; `127.0.0.1` unless said. Anything else is refused. */
  readonly host?: string;
  /** `http://<host>:<port>` unless said; its host must be loopback too. */
  readonly issuer?: string;
  readonly clients: readonly DevClient[];
  /** Who is offered on the login page; any other address can be typed. */
  readonly people?: readonly Person[];
  /** Where the signing keys are kept, so that a later start is the same issuer. */
  readonly folder: string;
};

export type DevIdp = {
  readonly issuer: string;
  readonly port: number;
  /** Ends every connection. */
  readonly close: () => Promise<void>;
};

/** Starts the provider. Throws when the address is not loopback, and Node's listen errors as they are. */
export async function startDevIdp(options: DevIdpOptions): Promise<DevIdp> {
  const host = options.host ?? LOOPBACK_HOST;
  assertLoopback(host, 'listen on');
  if (options.issuer !== undefined) assertLoopback(new URL(options.issuer).hostname, 'be the issuer');
  const keys = await loadKeys(options.folder);
  const server = createServer();
  const port = await listen(server, { host, port: options.port });
  const issuer = options.issuer ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const people = options.people ?? PEOPLE;
  const provider = await createProvider({ issuer, clients: options.clients, people, keys });
  const passOn = provider.callback();
  server.on('request', (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A page elsewhere could point a name of its own at loopback; such a name is not the issuer's.
    if (request.headers.host !== new URL(issuer).host) {
      response
        .writeHead(421, { 'content-type': 'text/plain' })
        .end('This provider answers only at its issuer.\n');
      return;
    }
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (path === '/') return sendPage(request, response, homePage(issuer, people));
    if (path.startsWith('/interaction/')) return answerInteraction(request, response, { provider, people });
    request.url = withConsentForOfflineAccess(request.url ?? '/');
    passOn(request, response);
  }

  return { issuer, port, close: () => close(server) };
}

async function listen(
  server: Server,
  address: { readonly host: string; readonly port: number },
): Promise<number> {
  server.listen(address.port, address.host);
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('Cannot listen: no TCP address');
  return bound.port;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
