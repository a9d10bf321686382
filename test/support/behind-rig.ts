// An app behind a real proxy that asks a running service about each request, all on this machine: as
// docs/how-to/forward-auth.md has it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewShare } from '../../src/wire/share.ts';
import { type Front, type RealProxy, startAskingProxy } from './asking-proxy.ts';
import { createTestAuthority } from './certificates.ts';
import { type EchoBackend, startEchoBackend } from './echo-backend.ts';
import { PROXY_SECRET } from './forward-auth.ts';
import { freePort } from './free-port.ts';
import { changeConfig } from './serve-process.ts';
import { corpClient } from './service.ts';
import { layOutService, type ServiceProcess } from './service-process.ts';

export type BehindRig = {
  readonly service: ServiceProcess;
  /** The app, which says what it got. */
  readonly backend: EchoBackend;
  /** Of the proxy, over TLS. */
  readonly port: number;
  /** Where visitors open the app. */
  readonly url: string;
  readonly ca: string;
  /** What the proxy was started with, for another beside it. */
  readonly front: Front;
  readonly close: () => Promise<void>;
};

export type BehindOptions = {
  readonly share: NewShare;
  readonly clientCertificates?: boolean;
  /** A second provider, beside `corp`, which is the same stand-in. */
  readonly secondProvider?: string;
  /** An address of PostgreSQL; SQLite unless given. */
  readonly storeUrl?: string | null;
  /** A host of its own at which the app answers, instead of the share's. */
  readonly customHost?: string;
  /** Before the proxy starts; answers what becomes of the text of its files. */
  readonly prepare?: (service: ServiceProcess) => Promise<(text: string) => string>;
};

/** The share is `app`. Chromium trusts the proxy by `server.pem` in the service's folder. */
export async function startBehind(proxy: RealProxy, options: BehindOptions): Promise<BehindRig> {
  const { share, customHost, prepare, storeUrl = null } = options;
  const undo: (() => unknown)[] = [];
  const close = async () => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    const port = await freePort();
    const authority = createTestAuthority();
    undo.push(authority.dispose);
    const backend = await startEchoBackend();
    undo.push(backend.close);
    const service = await layOutService({ storeUrl });
    undo.push(() => service.close());
    configure(service, port, options);
    const redirectUris = ['corp', options.secondProvider ?? 'corp'].map(
      (name) => `https://login.share.localhost:${port}/${name}/auth/callback`,
    );
    service.idp.addClient({ ...corpClient(''), redirectUris });
    await service.start();
    await service.client.shares.create({ ...share, name: 'app', behind: true });
    const pair = authority.issue(['*.share.localhost', ...(customHost === undefined ? [] : [customHost])]);
    writeFileSync(join(service.folder, 'server.pem'), pair.certificate);
    const front = { port, gateway: service.port, app: backend.port, secret: PROXY_SECRET, pair };
    const prepared = await prepare?.(service);
    const host = customHost ?? 'app.share.localhost';
    const change = (text: string) => (prepared?.(text) ?? text).replaceAll('app.share.localhost', host);
    const whole: Front = { ...front, change };
    undo.push(await startAskingProxy(proxy, whole));
    return { service, backend, port, url: `https://${host}:${port}`, ca: authority.ca, front: whole, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function configure(
  service: ServiceProcess,
  port: number,
  { clientCertificates = false, secondProvider }: BehindOptions,
): void {
  changeConfig(service, (config) => {
    Object.assign(config['gateway'] ?? {}, {
      public_url: `https://*.share.localhost:${port}`,
      trusted_proxies: ['127.0.0.1'],
    });
    Object.assign(config.oauth, {
      bind_address: `127.0.0.1:${service.port}`,
      endpoint_url: `https://login.share.localhost:${port}`,
    });
    if (secondProvider !== undefined)
      config.oauth.providers.push({ ...config.oauth.providers[0], name: secondProvider });
    config['forward_auth'] = { secret: PROXY_SECRET, client_certificates: clientCertificates };
  });
}
