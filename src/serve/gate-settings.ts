// The configuration as the data plane needs it: plain data that can be sent to a worker. Pure.

import { isAtGateway } from '../config/check-together.ts';
import type { BindAddress, Config } from '../config/config.ts';
import type { GateSettings } from '../gateway/messages.ts';
import { shareOrigin } from '../domain/share-name.ts';
import { assertionKey } from '../login/assertion-key.ts';
import type { SealKeys } from '../login/seal.ts';

/** Unix sockets at which the service's own rooms take what visitors send to the gateway's address. */
export type InsideSockets = { readonly oauth: string; readonly control: string };

export function gateSettings(config: Config, inside: InsideSockets): GateSettings {
  const { gateway, oauth, control } = config;
  return {
    bind: gateway.bindAddress,
    tls: gateway.tls,
    publicUrl: gateway.publicUrl,
    endpointUrl: oauth.endpointUrl.origin,
    cookieName: oauth.cookieName,
    intermediateLifetimeMs: oauth.intermediateLifetimeMs,
    keys: sealKeys(config),
    assertionKey: assertionKey(oauth.keys.signingKey.reveal()),
    trustedProxies: gateway.trustedProxies,
    directTargets: gateway.directTargets,
    ownListeners: ownListeners(config),
    identityHeaderPrefix: gateway.identityHeaderPrefix,
    // One with a port of its own was put elsewhere on purpose (a control API on loopback): a forged Host must not lead there.
    inside: [
      { url: oauth.endpointUrl, socketPath: inside.oauth },
      { url: control.publicUrl, socketPath: inside.control },
    ]
      .filter(({ url }) => isAtGateway(url, gateway.publicUrl))
      .map(({ url, socketPath }) => ({ host: url.hostname, socketPath })),
    tunnel: { host: tunnelUrl(config).hostname, workers: gateway.workers },
    brand: config.brand,
    outageGraceMs: config.store.outageGraceMs,
    accessLog: config.log.access,
  };
}

/** The keys in use first, then those that still open what they sealed. */
export function sealKeys({ oauth }: Config): readonly SealKeys[] {
  return [oauth.keys, ...oauth.previousKeys].map(({ signingKey, encryptionKey }) => ({
    signingKey: signingKey.reveal(),
    encryptionKey: encryptionKey.reveal(),
  }));
}

/** Every address the service listens at: no share may have one of them as its backend. */
export function ownListeners(config: Config): readonly BindAddress[] {
  const { gateway, oauth, control, metrics } = config;
  return [gateway, oauth, control, ...(metrics === null ? [] : [metrics])].map((each) => each.bindAddress);
}

/** Where agents open their tunnels: below the share domain, so that its DNS and its certificate serve for it, too. */
export function tunnelUrl({ gateway }: Config): URL {
  return new URL(shareOrigin('tunnel', gateway.publicUrl));
}

/** Hosts that no share may take. */
export function ownHosts(config: Config): readonly string[] {
  const { oauth, control } = config;
  return [oauth.endpointUrl.hostname, control.publicUrl.hostname, tunnelUrl(config).hostname];
}
