// Which addresses count as one where attempts are counted.

import { formatIpAddress, parseIpAddress } from './ip-address.ts';

/** One subscriber holds a whole /64 of IPv6, so its addresses count together; a mapped IPv4 address counts as IPv4. */
export function addressSite(address: string): string {
  const parsed = parseIpAddress(address.replace(/^::ffff:(?=\d+\.)/i, ''));
  if (parsed === null) return address;
  return parsed.version === 6 ? `${parsed.value >> 64n}/64` : formatIpAddress(parsed);
}
