// Where a URL leads, as connections are told it.

/** The port of an http or https URL, which is not written where it is the scheme's own. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** `URL.hostname` without the brackets of IPv6. */
export function plainHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * As Node can connect to it: it resolves no name under `.localhost` (RFC 6761 section 6.3), which is this
 * machine with a dot at its end, too.
 */
export function reachableHost(hostname: string): string {
  return /(?:^|\.)localhost\.?$/.test(hostname) ? 'localhost' : plainHost(hostname);
}
