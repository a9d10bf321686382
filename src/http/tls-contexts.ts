// Which certificate a client gets: the one for the name it asked for (SNI, RFC 6066 section 3), exact names before
// wildcards, the first certificate when it asked for none or for another.

import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';

export type TlsMaterial = { readonly certificate: string; readonly key: string };

export type TlsContexts = {
  readonly fallback: SecureContext;
  readonly forName: (serverName: string) => SecureContext;
};

/** Throws what node:tls throws for a pair that does not fit. `materials` holds at least one. */
export function createTlsContexts(materials: readonly TlsMaterial[]): TlsContexts {
  const byName = new Map<string, SecureContext>();
  const contexts = materials.map((material) => {
    const context = createSecureContext({
      cert: material.certificate,
      key: material.key,
      minVersion: 'TLSv1.2',
    });
    for (const name of namesOf(material.certificate)) if (!byName.has(name)) byName.set(name, context);
    return context;
  });
  const [fallback] = contexts;
  if (fallback === undefined) throw new RangeError('Cannot make TLS contexts: no certificate given');
  return {
    fallback,
    forName: (serverName) => {
      const name = serverName.toLowerCase().replace(/\.$/, '');
      // A wildcard stands for exactly one label (RFC 9525 section 6.3).
      const wildcard = `*${name.slice(name.indexOf('.'))}`;
      return byName.get(name) ?? byName.get(wildcard) ?? fallback;
    },
  };
}

/** For whoever names no host: options of `createServer()` and `setSecureContext()`. */
export function defaultPair(
  materials: readonly TlsMaterial[],
): { readonly cert: string; readonly key: string } | object {
  const [first] = materials;
  return first === undefined ? {} : { cert: first.certificate, key: first.key, minVersion: 'TLSv1.2' };
}

function namesOf(certificate: string): readonly string[] {
  const alternatives = new X509Certificate(certificate).subjectAltName ?? '';
  return [...alternatives.matchAll(/(?:^|, )DNS:([^,]+)/g)].map((match) => (match[1] ?? '').toLowerCase());
}
