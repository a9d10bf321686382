// What must hold between fields, each of which is sound alone (DESIGN 2.1).

import { portOf } from '../domain/url-place.ts';
import { isWithinDomain } from '../domain/host-name.ts';
import { createFaultList, quoteValue, type ConfigFault, type FaultList } from './config-fault.ts';
import type {
  BindAddress,
  Config,
  ControlConfig,
  GatewayConfig,
  ListenerConfig,
  OAuthConfig,
  ShareBase,
} from './config.ts';
import { checkOperators } from './read-operators.ts';

/** The sections that could be read. */
export type ReadParts = {
  readonly acme: Config['acme'] | undefined;
  readonly gateway: GatewayConfig | undefined;
  readonly oauth: OAuthConfig | undefined;
  readonly control: ControlConfig | undefined;
  readonly tunnel: Config['tunnel'] | undefined;
  readonly forwardAuth: Config['forwardAuth'] | undefined;
  readonly pki: Config['pki'] | undefined;
  readonly metrics: Config['metrics'] | undefined;
};

export function checkTogether(parts: ReadParts, list: FaultList): void {
  checkCookieDomain(parts, list);
  checkOrigins(parts, list);
  checkListeners(parts, list);
  checkTunnel(parts, list);
  checkClientCertificates(parts, list);
  checkAcme(parts, list);
  checkForwardAuth(parts, list);
  const { control, oauth } = parts;
  if (control !== undefined && oauth !== undefined) checkOperators(control.operators, oauth.providers, list);
}

/**
 * The session cookie is written on the OAuth frontend and read on the shares, so its domain must reach both.
 */
function checkCookieDomain({ oauth, gateway }: ReadParts, list: FaultList): void {
  if (oauth === undefined) return;
  const { cookieDomain, endpointUrl } = oauth;
  const endpointHost = endpointUrl.hostname.replace(/\.$/, '');
  if (!isWithinDomain(endpointHost, cookieDomain))
    list.add(
      'oauth.cookie_domain',
      quoteValue(cookieDomain),
      `a domain that covers the host of endpoint_url, ${endpointHost}`,
    );
  if (gateway !== undefined && !isWithinDomain(gateway.publicUrl.domain, cookieDomain))
    list.add(
      'oauth.cookie_domain',
      quoteValue(cookieDomain),
      `a domain that covers gateway.public_url, ${gateway.publicUrl.domain}`,
    );
}

/** A proxy knows its secret, and is to know none of ours. */
function checkForwardAuth({ forwardAuth, oauth }: ReadParts, list: FaultList): void {
  const secret = forwardAuth?.secret.reveal();
  if (secret === undefined) return;
  const pairs = oauth === undefined ? [] : [oauth.keys, ...oauth.previousKeys];
  if (pairs.flatMap((pair) => [pair.signingKey, pair.encryptionKey]).some((key) => key.reveal() === secret))
    list.add('forward_auth.secret', 'the same text as another key', 'a different key');
}

/** On the gateway's address the host alone tells the OAuth frontend, the control API and tunnels apart. */
function checkOrigins({ oauth, control, tunnel }: ReadParts, list: FaultList): void {
  const named: readonly (readonly [string, URL | undefined])[] = [
    ['oauth.endpoint_url', oauth?.endpointUrl],
    ['control.public_url', control?.publicUrl],
    ['tunnel.public_url', tunnel?.publicUrl],
  ];
  for (const [index, [path, url]] of named.entries()) {
    const other = named.slice(0, index).find(([, former]) => former?.origin === url?.origin);
    if (url !== undefined && other !== undefined)
      list.add(path, quoteValue(url.origin), `an address other than ${other[0]}`);
  }
}

/** Agents speak as `public_url` says: a listener with certificates does not understand them otherwise. */
function checkTunnel({ tunnel, gateway }: ReadParts, list: FaultList): void {
  if (tunnel === undefined || tunnel === null) return;
  const shared = gateway !== undefined && overlap(tunnel.bindAddress, gateway.bindAddress);
  if (!shared && tunnel.tls && tunnel.publicUrl.protocol === 'http:')
    list.add(
      'tunnel.public_url',
      quoteValue(tunnel.publicUrl.origin),
      'https, like its listener, or tunnel.tls: off',
    );
}

/** Who holds a certificate proves it in the handshake: whoever ends TLS must be the one that asks. */
function checkClientCertificates({ control, gateway }: ReadParts, list: FaultList): void {
  if (control === undefined || control.clientCertificates === 'none') return;
  const shared = gateway !== undefined && overlap(control.bindAddress, gateway.bindAddress);
  const inside = gateway !== undefined && gateway.tls && isAtGateway(control.publicUrl, gateway.publicUrl);
  if (inside || (control.tls && !shared)) return;
  list.add(
    'control.client_certificates',
    quoteValue(control.clientCertificates),
    'none, or certificates under tls, so that the service itself terminates TLS for control.public_url',
  );
}

/** The authority looks at the public hosts, which must be https and end TLS here. */
function checkAcme(
  { acme, gateway, oauth, control, tunnel, pki, metrics }: ReadParts,
  list: FaultList,
): void {
  if (acme === undefined || acme === null || gateway === undefined) return;
  if (gateway.publicUrl.scheme !== 'https')
    list.add('acme', 'a gateway.public_url without https', 'https, or no such section');
  const { httpBindAddress: http, dns } = acme;
  if (http !== null) {
    const listeners = { gateway, oauth, control, tunnel, pki, metrics };
    const taken = Object.entries(listeners).find(
      ([, listener]) => listener !== undefined && listener !== null && overlap(http, listener.bindAddress),
    );
    if (taken !== undefined)
      list.add('acme.http_bind_address', bindText(http), `another address than that of ${taken[0]}`);
  }
  if (!gateway.tls) list.add('acme', 'a gateway with tls: off', 'TLS at the gateway, or no such section');
  if (dns !== null && dns.provider !== 'hook' && !isWithinDomain(gateway.publicUrl.domain, dns.zone))
    list.add('acme.dns.zone', quoteValue(dns.zone), `a domain that covers ${gateway.publicUrl.domain}`);
}

/**
 * One port may serve the OAuth frontend, the control API and tunnels too, if it is the gateway's; else each
 * has its own.
 */
function checkListeners(parts: ReadParts, list: FaultList): void {
  const seen: { readonly name: string; readonly bind: BindAddress }[] = [];
  for (const name of ['gateway', 'oauth', 'control', 'tunnel', 'pki', 'metrics'] as const) {
    const listener: ListenerConfig | null | undefined = parts[name];
    if (listener === undefined || listener === null) continue;
    const bind = listener.bindAddress;
    const other = seen.find((one) => overlap(one.bind, bind));
    const mayShare = name !== 'metrics' && name !== 'pki';
    const shared = other?.name === 'gateway' && mayShare && other.bind.host === bind.host;
    if (other === undefined) seen.push({ name, bind });
    else if (!shared)
      list.add(
        `${name}.bind_address`,
        bindText(bind),
        `an address other than ${bindText(other.bind)}, which ${other.name} uses`,
      );
    else if (name === 'oauth' || name === 'control' || name === 'tunnel') checkReachable(parts, name, list);
  }
}

/** Without a listener of its own it is reached where visitors reach the gateway, or not at all. */
function checkReachable(
  { gateway, oauth, control, tunnel }: ReadParts,
  name: 'oauth' | 'control' | 'tunnel',
  list: FaultList,
): void {
  const [path, url] = {
    oauth: ['oauth.endpoint_url', oauth?.endpointUrl] as const,
    control: ['control.public_url', control?.publicUrl] as const,
    tunnel: ['tunnel.public_url', tunnel?.publicUrl] as const,
  }[name];
  if (gateway === undefined || url === undefined || isAtGateway(url, gateway.publicUrl)) return;
  const { scheme, port } = gateway.publicUrl;
  list.add(
    path,
    quoteValue(url.origin),
    `${scheme} and port ${port}, as in gateway.public_url, since both share one address`,
  );
}

/** Whether visitors reach an address at the scheme and port of the gateway. */
export function isAtGateway(url: URL, { scheme, port }: ShareBase): boolean {
  if (url.protocol !== `${scheme}:`) return false;
  return portOf(url) === port;
}

/** What a configuration that was put together from two contradicts itself in. */
export function faultsTogether(parts: ReadParts): readonly ConfigFault[] {
  const list = createFaultList(() => ({ line: 1, column: 1 }));
  checkTogether(parts, list);
  return list.faults;
}

/** Whether one socket would take the other's connections. */
function overlap(a: BindAddress, b: BindAddress): boolean {
  return a.port === b.port && (a.host === b.host || takesAll(a, b) || takesAll(b, a));
}

/** `::` takes IPv4 connections too. */
function takesAll(a: BindAddress, b: BindAddress): boolean {
  return a.host === '::' || (a.host === '0.0.0.0' && !b.host.includes(':'));
}

function bindText({ host, port }: BindAddress): string {
  return quoteValue(host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);
}
