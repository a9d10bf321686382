// NO_PROXY: what is reached without a proxy. Hosts with all below them, with a leading dot or without,
// addresses, ranges (CIDR), each with a port or without, and `*` for everything. Pure.

import { plainHost, portOf } from './url-place.ts';
import { isInRange } from './address-range.ts';
import { parseIpAddress } from './ip-address.ts';

/**
 * Whether an `http:` or `https:` address is an exception. A part of the list that has none of the forms
 * matches nothing.
 */
export function parseProxyExceptions(text: string): (url: URL) => boolean {
  const exceptions = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(parseException);
  return (url) => {
    const host = comparedHost(url.hostname);
    const port = String(portOf(url));
    return exceptions.some((each) => (each.port === null || each.port === port) && each.isFor(host));
  };
}

type Exception = { readonly port: string | null; readonly isFor: (host: string) => boolean };

function parseException(text: string): Exception {
  // One colon begins a port; more are an IPv6 address, whose port needs brackets.
  const [, host = text, port = null] = /^(\[.*\]|[^:]*):(\d{1,5})$/.exec(text) ?? [];
  return { port, isFor: hostRule(comparedHost(host)) };
}

function hostRule(host: string): Exception['isFor'] {
  if (host === '*') return () => true;
  const [addressText = '', prefix] = host.split('/');
  const address = parseIpAddress(addressText);
  if (address === null) {
    // As URLs write it: a name of other scripts is ASCII there.
    const name = URL.parse(`http://${host.replace(/^\*?\./, '')}`)?.hostname ?? '';
    return (asked) => name !== '' && (asked === name || asked.endsWith(`.${name}`));
  }
  const width = address.version === 4 ? 32 : 128;
  const prefixLength = prefix === undefined ? width : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN;
  if (!(prefixLength <= width)) return () => false;
  return (asked) => {
    const its = parseIpAddress(asked);
    return its !== null && isInRange(its, { ...address, prefixLength });
  };
}

function comparedHost(host: string): string {
  return plainHost(host.toLowerCase()).replace(/\.$/, '');
}
