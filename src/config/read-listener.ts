// What every listener's section has: `bind_address`, and `tls: off` where certificates are not for it.

import { bindAddressText } from './address-text.ts';
import type { ListenerConfig } from './config.ts';
import { complete, fault, readText, type Section } from './section.ts';

/** `hasCertificates`: whether the file names any; without them every listener is plain. */
export function readListener(section: Section, hasCertificates: boolean): ListenerConfig | undefined {
  return complete({
    bindAddress: readText(section, 'bind_address', bindAddressText),
    tls: readTls(section, hasCertificates),
  });
}

function readTls(section: Section, hasCertificates: boolean): boolean | undefined {
  if (!section.entries.has('tls')) return hasCertificates;
  const tree = section.entries.get('tls');
  if (tree === 'off' || tree === false) return false;
  return fault(section, 'tls', {
    found: 'something else',
    wanted: 'off, or no such key: certificates are named once, at the top of the file',
  });
}
