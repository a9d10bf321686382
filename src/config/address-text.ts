// Addresses as a configuration writes them: listeners, public URLs, issuers. Each parser answers the value or
// a refusal.

import { portOf } from '../domain/url-place.ts';
import { parsePort } from '../domain/address-list.ts';
import { isLoopbackName, normaliseHost } from '../domain/host-name.ts';
import { formatIpAddress, parseIpAddress } from '../domain/ip-address.ts';
import type { BindAddress, ShareBase } from './config.ts';
import { type ReadContext, Refusal } from './section.ts';

/** `127.0.0.1:8282`, `[::1]:8282`: contract 2.1 `ip:port`. */
export function bindAddressText(text: string): BindAddress | Refusal {
  const parts = /^(?:\[([^\]]*:[^\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(text);
  const address = parseIpAddress(parts?.[1] ?? parts?.[2] ?? '');
  if (parts === null || address === null)
    return new Refusal('an IP address and a port, such as 0.0.0.0:443 or "[::]:443"');
  const port = parsePort(parts[3] ?? '');
  return port === undefined
    ? new Refusal('a port from 1 to 65535')
    : { host: formatIpAddress(address), port };
}

/**
 * A public base address: scheme, host and port alone. Plain HTTP only on localhost names, unless it is
 * allowed.
 */
export function baseUrlText(context: Pick<ReadContext, 'allowPlainHttp'>): (text: string) => URL | Refusal {
  return (text) => {
    const url = httpUrl(text, 'scheme, host and port without a path, such as https://auth.example.com');
    if (url instanceof Refusal) return url;
    // The same host in two spellings would be two names to compare.
    if (url.hostname.endsWith('.')) return new Refusal('a host without a dot at the end');
    if (!/^[^/]*\/\/[^/?#]*\/?$/.test(text)) return new Refusal('a URL without path, query or fragment');
    return plainHttpRefusal(context, url) ?? url;
  };
}

/** As `baseUrlText()`, and always plain HTTP: for what is signed, and asked for before there can be TLS. */
export function plainUrlText(text: string): URL | Refusal {
  const url = baseUrlText({ allowPlainHttp: true })(text);
  if (url instanceof Refusal || url.protocol === 'http:') return url;
  return new Refusal('an http URL, since CRLs are fetched without TLS, such as http://pki.example.com');
}

/** `https://*.share.example.com:8443`: where shares are published. */
export function shareBaseText(context: ReadContext): (text: string) => ShareBase | Refusal {
  return (text) => {
    const parts = /^(https?):\/\/\*\.([^/]+)\/?$/i.exec(text);
    const url = parts === null ? null : httpUrl(`${parts[1]}://${parts[2]}`, SHARE_BASE);
    if (url === null || url instanceof Refusal || isAddress(url.hostname)) return new Refusal(SHARE_BASE);
    const scheme = url.protocol === 'https:' ? 'https' : 'http';
    const port = portOf(url);
    return plainHttpRefusal(context, url) ?? { scheme, domain: url.hostname.replace(/\.$/, ''), port };
  };
}

/**
 * An address of a provider, exactly as written: an issuer is compared byte for byte (OpenID Connect Discovery
 * 4.3). Plain HTTP on this machine alone, whatever `allow_plain_http` says: the client secret and what is
 * believed of people go there.
 */
export function providerUrlText(text: string): string | Refusal {
  const read = discoveryUrlText(text);
  if (read instanceof Refusal) return read;
  return read.includes('?') ? new Refusal('a URL without query or fragment') : read;
}

/** As `providerUrlText`, with a query if need be: some providers' metadata differ by one. */
export function discoveryUrlText(text: string): string | Refusal {
  const url = httpUrl(text, 'the URL of a provider, such as https://id.example.com');
  if (url instanceof Refusal) return url;
  if (text.includes('#')) return new Refusal('a URL without query or fragment');
  if (url.protocol === 'https:' || isLoopbackName(url.hostname)) return text;
  return new Refusal('https; http is only for providers on this machine, together with allow_plain_http');
}

/** An absolute http(s) URL with a sound host, and nothing in it that two readers take differently. */
function httpUrl(text: string, wanted: string): URL | Refusal {
  if (text.includes('@')) return new Refusal(wanted, 'a URL with user information');
  const parts = HTTP_URL.exec(text);
  const url = URL.parse(text);
  if (parts === null || url === null || normaliseHost(parts[1] ?? '') === null) return new Refusal(wanted);
  return url;
}

function plainHttpRefusal(context: Pick<ReadContext, 'allowPlainHttp'>, url: URL): Refusal | null {
  if (url.protocol === 'https:' || context.allowPlainHttp || isLoopbackName(url.hostname)) return null;
  return new Refusal('https, or a localhost name, or allow_plain_http: true at the top of the file');
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || parseIpAddress(hostname) !== null;
}

/**
 * Printable ASCII without what URL parsers drop or turn round: spaces, quotes, backslashes, angle brackets.
 */
const HTTP_URL = /^https?:\/\/([^/?#]+)(?:[/?#][!#-;=?-[\]_a-z~%]*)?$/i;
const SHARE_BASE = 'a scheme and a wildcard host, such as https://*.share.example.com';
