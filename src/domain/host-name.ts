// Host names as the service compares them: lower case, without port and trailing dot, label by label and
// never by substring (THREATS "Path and host confusion"). IPv6 literals keep their brackets, as in
// `URL.hostname`.

import { isInRange, parseAddressRange } from './address-range.ts';
import { parsePort } from './address-list.ts';
import { formatIpAddress, readHost } from './ip-address.ts';

/**
 * The host of a Host header, an `:authority` or a URL's host: `Demo.Example.com.:8443` is `demo.example.com`.
 * Null when it is malformed: userinfo, spaces, a bad port, mixed brackets, anything but ASCII (RFC 9110
 * section 7.2).
 */
export function normaliseHost(authority: string): string | null {
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(authority);
  if (parts === null || (parts[2] !== undefined && parsePort(parts[2]) === undefined)) return null;
  const reading = readHost(parts[1] ?? '');
  if (reading.kind === 'malformed') return null;
  if (reading.kind === 'name') return reading.name;
  const text = formatIpAddress(reading.address);
  return reading.address.version === 6 ? `[${text}]` : text;
}

/**
 * Whether the host lies below the domain, which is a name: `a.b.example.com` below `example.com`. Both
 * normalised.
 */
export function isSubdomainOf(host: string, domain: string): boolean {
  return readHost(host).kind === 'name' && domain !== '' && host.endsWith(`.${domain}`);
}

/**
 * Whether the host is the domain or lies below it: what a cookie's `Domain` reaches (RFC 6265 section 5.1.3).
 */
export function isWithinDomain(host: string, domain: string): boolean {
  return host === domain || isSubdomainOf(host, domain);
}

/**
 * Whether a normalised host matches a glob: as many labels as the glob has, each the same or standing under a
 * `*`. `*.example.com` matches `app.example.com`, and neither `example.com` nor `a.b.example.com`.
 */
export function matchesHostGlob(host: string, glob: string): boolean {
  const labels = host.split('.');
  const wanted = glob.toLowerCase().split('.');
  return (
    labels.length === wanted.length &&
    wanted.every((label, index) => label === '*' || label === labels[index])
  );
}

/**
 * Whether a text can be such a glob: a host name, some of whose labels but not all are `*`; or an address.
 */
export function isHostGlob(text: string): boolean {
  const labels = text.split('.');
  if (!labels.includes('*')) return normaliseHost(text) === text.toLowerCase();
  return labels.some((label) => label !== '*') && readHost(labels.map(starless).join('.')).kind === 'name';
}

/** `localhost`, `*.localhost` (RFC 6761 section 6.3), 127.0.0.0/8 and ::1, with or without brackets. */
export function isLoopbackName(host: string): boolean {
  const reading = readHost(host);
  if (reading.kind === 'name') return isWithinDomain(reading.name, 'localhost');
  return (
    reading.kind === 'address' &&
    LOOPBACK.some((range) => range !== null && isInRange(reading.address, range))
  );
}

function starless(label: string): string {
  return label === '*' ? 'x' : label;
}

const LOOPBACK = ['127.0.0.0/8', '::1'].map(parseAddressRange);
