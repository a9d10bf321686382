// Addresses over which tokens and certificates may go (contract 5.4): encrypted, or within this machine.

import { isLoopbackName } from './host-name.ts';

export function isSecureUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname));
}
