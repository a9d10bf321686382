// Certificates by server name (SNI, RFC 6066 section 3). The first certificate serves whoever names no host that one is for.

import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { TlsMaterial } from './messages.ts';

export type Certificates = {
  readonly choose: (servername: string) => SecureContext;
  /** Puts others to use; connections under way keep theirs. Throws, and changes nothing, when one cannot be read. */
  readonly replace: (materials: readonly TlsMaterial[]) => void;
};

export function createCertificates(materials: readonly TlsMaterial[]): Certificates {
  let table = tableOf(materials);
  return {
    choose: (servername) => {
      const name = servername.toLowerCase().replace(/\.$/, '');
      return table.byName.get(name) ?? table.byName.get(wildcardOf(name)) ?? table.first;
    },
    replace: (others) => {
      table = tableOf(others);
    },
  };
}

type Table = { readonly first: SecureContext; readonly byName: ReadonlyMap<string, SecureContext> };

function tableOf(materials: readonly TlsMaterial[]): Table {
  const byName = new Map<string, SecureContext>();
  let first: SecureContext | null = null;
  for (const { certificate, key } of materials) {
    const context = createSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' });
    first ??= context;
    for (const name of namesIn(certificate)) if (!byName.has(name)) byName.set(name, context);
  }
  if (first === null) throw new TypeError('Cannot serve TLS: there is no certificate');
  return { first, byName };
}

/** The DNS names of the certificate's subjectAltName, in lower case, wildcards as written. */
function namesIn(certificate: string): readonly string[] {
  const names = new X509Certificate(certificate).subjectAltName ?? '';
  return names
    .split(', ')
    .filter((name) => name.startsWith('DNS:'))
    .map((name) => name.slice('DNS:'.length).toLowerCase());
}

/** A wildcard stands for exactly one label (RFC 9525 section 6.3). */
function wildcardOf(name: string): string {
  return `*${name.slice(name.indexOf('.'))}`;
}
