// The configuration as the data plane needs it: plain data that can be sent to a worker. Pure.

import { isAtGateway } from '../config/check-together.ts';
import type { BindAddress, Config, TracingConfig, ShareBase } from '../config/config.ts';
import type { GateSettings, TracingSettings, TunnelSettings } from '../gateway/messages.ts';
import { shareOrigin } from '../domain/share-name.ts';
import { assertionKey } from '../login/assertion-key.ts';
import type { SealKeys } from '../login/seal.ts';

/** Unix sockets at which the service's own rooms take what visitors send to the gateway's address. */
export type InsideSockets = {
  readonly oauth: string;
  readonly control: string;
  /** Known to this process alone: with it the gate says which certificate a connection brought. */
  readonly certificateSecret: string;
};

export function gateSettings(config: Config, inside: InsideSockets): GateSettings {
  const { gateway, oauth, control, forwardAuth } = config;
  return {
    bind: gateway.bindAddress,
    tls: gateway.tls,
    publicUrl: gateway.publicUrl,
    endpointUrl: oauth.endpointUrl.origin,
    cookieName: oauth.cookieName,
    cookieDomain: oauth.cookieDomain,
    intermediateLifetimeMs: oauth.intermediateLifetimeMs,
    keys: sealKeys(config),
    assertionKey: assertionKey(oauth.keys.signingKey.reveal()),
    trustedProxies: gateway.trustedProxies,
    forwardAuth: forwardAuth === null ? null : { ...forwardAuth, secret: forwardAuth.secret.reveal() },
    directTargets: gateway.directTargets,
    ownListeners: ownListeners(config),
    identityHeaderPrefix: gateway.identityHeaderPrefix,
    // One with a port of its own was put elsewhere on purpose (a control API on loopback): a forged Host must
    // not lead there.
    inside: [
      { url: oauth.endpointUrl, socketPath: inside.oauth },
      { url: control.publicUrl, socketPath: inside.control },
    ]
      .filter(({ url }) => isAtGateway(url, gateway.publicUrl))
      .map(({ url, socketPath }) => ({ host: url.hostname, socketPath })),
    controlCertificates: controlCertificates(config, inside),
    tunnel: tunnelSettings(config),
    brand: config.brand,
    acme: config.acme !== null,
    outageGraceMs: config.store.outageGraceMs,
    accessLog: config.log.access,
    ...(config.tracing !== null && { tracing: tracingSettings(config.tracing) }),
  };
}

function tracingSettings({ sampleRatio, trustIncoming }: TracingConfig): TracingSettings {
  return { sampleRatio, trustIncoming };
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
  const { gateway, oauth, control, tunnel, pki, metrics, acme } = config;
  const plain = acme?.httpBindAddress ?? null;
  return [
    ...[gateway, oauth, control, tunnel, pki, metrics].flatMap((each) =>
      each === null ? [] : [each.bindAddress],
    ),
    ...(plain === null ? [] : [plain]),
  ];
}

/**
 * Where agents open their tunnels: unless said, below the share domain, whose DNS and certificate serve for
 * it, too.
 */
export function tunnelUrl({ gateway, tunnel }: Config): URL {
  return tunnel?.publicUrl ?? ownTunnelUrl(gateway.publicUrl);
}

function ownTunnelUrl(base: ShareBase): URL {
  return new URL(shareOrigin('tunnel', base));
}

function controlCertificates(
  { gateway, control }: Config,
  { certificateSecret: secret }: InsideSockets,
): GateSettings['controlCertificates'] {
  const here = gateway.tls && isAtGateway(control.publicUrl, gateway.publicUrl);
  return here && control.clientCertificates !== 'none' ? { host: control.publicUrl.hostname, secret } : null;
}

function tunnelSettings(config: Config): TunnelSettings {
  const { gateway, control, tunnel } = config;
  const url = tunnelUrl(config);
  const shared = tunnel === null || isSameBind(tunnel.bindAddress, gateway.bindAddress);
  return {
    host: url.hostname,
    workers: gateway.workers,
    atGateway: isAtGateway(url, gateway.publicUrl),
    listener: shared ? null : { bind: tunnel.bindAddress, tls: tunnel.tls },
    ...(control.clientCertificates === 'none'
      ? {}
      : { asksCertificates: { gateway: gateway.tls, own: !shared && tunnel.tls } }),
  };
}

function isSameBind(a: BindAddress, b: BindAddress): boolean {
  return a.host === b.host && a.port === b.port;
}

/**
 * Hosts that no share may take; the one that agents use unless said, too, so that the `tunnel` section may
 * come and go.
 */
export function ownHosts(config: Config): readonly string[] {
  const { gateway, oauth, control } = config;
  const urls = [oauth.endpointUrl, control.publicUrl, tunnelUrl(config), ownTunnelUrl(gateway.publicUrl)];
  return [...new Set(urls.map(({ hostname }) => hostname))];
}
