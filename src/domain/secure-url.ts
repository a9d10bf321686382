// Addresses over which tokens and certificates may go (contract 5.4): encrypted, or within this machine.

export function isSecureUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
