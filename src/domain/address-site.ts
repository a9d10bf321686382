// Which addresses count as one where attempts are counted.

import { formatIpAddress, parseIpAddress } from './ip-address.ts';

/**
 * One subscriber holds a whole /64 of IPv6, so its addresses count together; a mapped IPv4 address counts as
 * IPv4.
 */
export function addressSite(address: string): string {
  const parsed = parseIpAddress(address.replace(MAPPED, ''));
  if (parsed === null) return address;
  return parsed.version === 6 ? `${parsed.value >> 64n}/64` : formatIpAddress(parsed);
}

/**
 * The network around a site: a customer of a provider is given up to a /48 of IPv6, which is 65,536 sites. Of
 * IPv4 the address itself.
 */
export function addressBlock(address: string): string {
  const parsed = parseIpAddress(address.replace(MAPPED, ''));
  return parsed?.version === 6 ? `${parsed.value >> 80n}/48` : addressSite(address);
}

const MAPPED = /^::ffff:(?=\d+\.)/i;
