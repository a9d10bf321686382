// For which names a certificate is ours to get, and how each is proved. Pure.

import { isAtGateway } from '../config/check-together.ts';
import type { Config } from '../config/config.ts';
import { isLoopbackName, isSubdomainOf } from '../domain/host-name.ts';
import { readHost } from '../domain/ip-address.ts';
import type { ChallengeKind } from './order.ts';

/**
 * The names of the installation itself, which get one before anybody asks: the wildcard, where DNS can be
 * changed, and each public host that it does not cover. `tunnelUrl` is where agents connect.
 */
export function ownNames(config: Config, tunnelUrl: URL): readonly string[] {
  const { acme, gateway, oauth, control } = config;
  if (acme === null || !gateway.tls) return [];
  const { publicUrl } = gateway;
  const ended = (url: URL, tls: boolean) =>
    url.protocol === 'https:' && (isAtGateway(url, publicUrl) ? gateway.tls : tls);
  const hosts = [
    ...(ended(oauth.endpointUrl, oauth.tls) ? [oauth.endpointUrl.hostname] : []),
    ...(ended(control.publicUrl, control.tls) ? [control.publicUrl.hostname] : []),
    ...(ended(tunnelUrl, config.tunnel?.tls ?? gateway.tls) ? [tunnelUrl.hostname] : []),
  ];
  const wildcard = acme.dns === null ? [] : [`*.${publicUrl.domain}`];
  const bare = hosts.filter(
    (host) => isCertifiable(host) && (wildcard.length === 0 || !isBelow(host, publicUrl.domain)),
  );
  return [...new Set([...wildcard, ...bare])];
}

/** The name whose certificate serves a host at which a share answers; null when none can. */
export function nameForShareHost({ acme, gateway }: Config, host: string): string | null {
  if (acme === null || !gateway.tls || !isCertifiable(host)) return null;
  const { domain } = gateway.publicUrl;
  return acme.dns !== null && isBelow(host, domain) ? `*.${domain}` : host;
}

/**
 * The most wanted first. A wildcard is proved in DNS alone (RFC 8555 section 7.1.3 and authorities' rules).
 */
export function challengeKinds({ acme, gateway }: Config, name: string): readonly ChallengeKind[] {
  if (acme === null) return [];
  const dns = acme.dns !== null;
  if (name.startsWith('*.')) return dns ? ['dns-01'] : [];
  const { domain } = gateway.publicUrl;
  return [
    ...(acme.httpBindAddress === null ? [] : (['http-01'] as const)),
    ...(gateway.tls ? (['tls-alpn-01'] as const) : []),
    ...(dns && (name === domain || isSubdomainOf(name, domain)) ? (['dns-01'] as const) : []),
  ];
}

/** One label below the domain, so that its wildcard covers it. */
export function isBelow(host: string, domain: string): boolean {
  return isSubdomainOf(host, domain) && !host.slice(0, -domain.length - 1).includes('.');
}

/** Public authorities certify no addresses of this kind and no names of this machine. */
function isCertifiable(host: string): boolean {
  return readHost(host).kind === 'name' && host.includes('.') && !isLoopbackName(host);
}
