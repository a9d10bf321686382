// Which certificate a client gets: the one for the name it asked for (SNI, RFC 6066 section 3), exact names
// before wildcards, the first certificate when it asked for none or for another.

import { constants, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';

export type TlsMaterial = { readonly certificate: string; readonly key: string };

/** Where clients are asked for certificates. Nothing of it is shared with whoever asks for others. */
export type ClientTrust = {
  /** PEM. What clients are told, so that browsers ask only those who hold one. */
  readonly ca: readonly string[];
  /** At most 32 characters. */
  readonly sessionIdContext: string;
};

export type TlsContexts = {
  readonly fallback: SecureContext;
  readonly forName: (serverName: string) => SecureContext;
};

/** Throws what node:tls throws for a pair that does not fit. `materials` holds at least one. */
export function createTlsContexts(
  materials: readonly TlsMaterial[],
  trust: ClientTrust | null = null,
): TlsContexts {
  const byName = new Map<string, SecureContext>();
  const contexts = materials.map((material) => {
    const context = createSecureContext(contextOptions(material, trust));
    for (const name of namesOf(material.certificate)) if (!byName.has(name)) byName.set(name, context);
    return context;
  });
  const [fallback] = contexts;
  if (fallback === undefined) throw new RangeError('Cannot create TLS contexts: no certificate given');
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
  trust: ClientTrust | null = null,
): SecureContextOptions {
  const [first] = materials;
  return first === undefined ? {} : contextOptions(first, trust);
}

function contextOptions({ certificate, key }: TlsMaterial, trust: ClientTrust | null): SecureContextOptions {
  const pair = { cert: certificate, key, minVersion: 'TLSv1.2' } as const;
  if (trust === null) return pair;
  return {
    ...pair,
    // An empty list is no list: it trusts nobody, where leaving it out would trust the world's authorities.
    ca: [...trust.ca],
    sessionIdContext: trust.sessionIdContext,
    // Nobody becomes someone else in the middle of a connection.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

function namesOf(certificate: string): readonly string[] {
  const alternatives = new X509Certificate(certificate).subjectAltName ?? '';
  return [...alternatives.matchAll(/(?:^|, )DNS:([^,]+)/g)].map((match) => (match[1] ?? '').toLowerCase());
}
