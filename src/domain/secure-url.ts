// Addresses over which tokens and certificates may go (contract 5.4): encrypted, or within this machine.

export function isSecureUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname));
}

/** As `URL` writes host names. */
export function isThisMachine(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
