// Which addresses are this machine talking to itself. Names are not resolved: only what cannot be elsewhere
// passes.

import { BlockList, isIP } from 'node:net';

export const LOOPBACK_HOST = '127.0.0.1';

/** Throws unless `host` is an IP literal of loopback, or a localhost name (RFC 6761 section 6.3). */
export function assertLoopback(host: string, verb: string): void {
  if (isLoopback(host)) return;
  throw new Error(
    `Cannot ${verb} ${host}: this provider asks for no password, so it is only for tests on this machine. Use 127.0.0.1 or ::1.`,
  );
}

export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const family = isIP(bare);
  if (family === 0) return bare === 'localhost' || bare.endsWith('.localhost');
  return LOOPBACK.check(bare, family === 4 ? 'ipv4' : 'ipv6');
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
