// The whole service whose certificates come by themselves, from the stand-in ACME server or another.

import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { openStore } from '../../src/store/open.ts';
import { readMasterKey } from '../../src/store/sealing/master-key.ts';
import type { Store } from '../../src/store/store.ts';
import { startAcmeServer } from './acme-server.ts';
import { freePort } from './free-port.ts';
import { corpClient, startTestService, type TestService } from './service.ts';
import { until } from './until.ts';

export type AcmeServiceOptions = {
  readonly directory: string;
  /** Over members of the section `acme`. */
  readonly acme?: Readonly<Record<string, unknown>>;
  readonly storeUrl?: string | null;
  /** Where the gateway listens; a free port unless given. */
  readonly tlsPort?: number;
  /** Where plain HTTP is served; nowhere unless given. */
  readonly httpPort?: number;
  readonly workers?: number;
};

export const ACME_DOMAIN = 'share.test';
/** What the service orders before anybody asks. */
export const OWN_NAMES = ['login.share.test', 'console.share.test', 'tunnel.share.test'];

export function startAcmeService(options: AcmeServiceOptions): Promise<TestService> {
  const { directory, acme = {}, storeUrl = null, tlsPort, httpPort, workers = 1 } = options;
  const endpointUrl = `https://login.${ACME_DOMAIN}`;
  return startTestService({
    domain: ACME_DOMAIN,
    storeUrl,
    oauth: { endpoint_url: endpointUrl, bind_address: `127.0.0.1:${tlsPort}` },
    idp: { clients: [corpClient(endpointUrl)] },
    sections: {
      gateway: {
        bind_address: `127.0.0.1:${tlsPort}`,
        public_url: `https://*.${ACME_DOMAIN}`,
        workers,
      },
      acme: {
        email: 'ops@example.com',
        agree_to_terms: true,
        directory,
        ...(httpPort === undefined ? {} : { http_bind_address: `127.0.0.1:${httpPort}` }),
        ...acme,
      },
    },
  });
}

/** The store of a service that runs. */
export async function openSameStore({ config }: Pick<TestService, 'config'>): Promise<Store> {
  const { engine, masterKeyFile } = config.store;
  return openStore({
    engine,
    masterKey: await readMasterKey(masterKeyFile),
    now: Date.now,
    exclusive: false,
  });
}

export async function acmePorts(): Promise<{ readonly tlsPort: number; readonly httpPort: number }> {
  return { tlsPort: await freePort(), httpPort: await freePort() };
}

/** A visitor's handshake: resolves with the connection, or rejects with why there is none. */
export async function handshake(
  port: number,
  servername: string,
  more: { readonly ca?: string; readonly protocols?: readonly string[] } = {},
): Promise<TLSSocket> {
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername,
    ...(more.ca === undefined ? { rejectUnauthorized: false } : { ca: more.ca }),
    ALPNProtocols: [...(more.protocols ?? ['http/1.1'])],
  });
  try {
    await once(socket, 'secureConnect');
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The service and the ACME server that it gets its certificates from. */

export async function startAcme(
  t: TestContext,
  more: Partial<AcmeServiceOptions> & { readonly plain?: boolean } = {},
) {
  const server = await startAcmeServer();
  t.after(() => server[Symbol.asyncDispose]());
  const { tlsPort, httpPort } = await acmePorts();
  Object.assign(server.state, { tlsPort, httpPort });
  const plain = more.plain === false ? {} : { httpPort };
  const service = await startAcmeService({ directory: server.directory, tlsPort, ...plain, ...more });
  t.after(() => service.close());
  const open = async (name: string) => {
    const socket = await handshake(tlsPort, name, { ca: server.ca });
    t.after(() => socket.destroy());
    return socket;
  };
  const ordered = () => server.orders.map(({ name }) => name);
  /** Until its own hosts have certificates. */
  const settled = () =>
    until(() => server.orders.filter(({ status }) => status === 'valid').length >= OWN_NAMES.length);
  return { server, service, tlsPort, httpPort, open, ordered, settled };
}
