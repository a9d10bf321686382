// Which certificate a client gets: the one for the name it asked for (SNI, RFC 6066 section 3), exact names
// before wildcards, the first certificate when it asked for none or for another. While there is no
// certificate yet, handshakes fail: none is invented.

import { constants, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';

export type TlsMaterial = {
  readonly certificate: string;
  readonly key: string;
  /** What it is for, where that is known without reading it. */
  readonly names?: readonly string[];
};

/** Where clients are asked for certificates. Nothing of it is shared with whoever asks for others. */
export type ClientTrust = {
  /** PEM. What clients are told, so that browsers ask only those who hold one. */
  readonly ca: readonly string[];
  /** At most 32 characters. */
  readonly sessionIdContext: string;
};

export type TlsContexts = {
  /** Undefined while there is no certificate. */
  readonly fallback: SecureContext | undefined;
  /** Whether one is for that name, exact or by a wildcard. */
  readonly has: (serverName: string) => boolean;
  readonly forName: (serverName: string) => SecureContext | undefined;
};

/**
 * Throws what node:tls throws for a first pair that does not fit. The others, of which there may be
 * thousands, become contexts when they are needed first.
 */
export function createTlsContexts(
  materials: readonly TlsMaterial[],
  trust: ClientTrust | null = null,
): TlsContexts {
  const byName = new Map<string, TlsMaterial>();
  for (const material of materials)
    for (const name of material.names ?? namesOf(material.certificate))
      if (!byName.has(name)) byName.set(name, material);
  const made = new Map<TlsMaterial, SecureContext>();
  const contextOf = (material: TlsMaterial): SecureContext => {
    const context = made.get(material) ?? createSecureContext(contextOptions(material, trust));
    made.set(material, context);
    return context;
  };
  const [first] = materials;
  const fallback = first === undefined ? undefined : contextOf(first);
  const find = (serverName: string): TlsMaterial | undefined => {
    const name = serverName.toLowerCase().replace(/\.$/, '');
    // A wildcard stands for exactly one label (RFC 9525 section 6.3).
    const wildcard = `*${name.slice(name.indexOf('.'))}`;
    return byName.get(name) ?? byName.get(wildcard);
  };
  return {
    fallback,
    has: (serverName) => find(serverName) !== undefined,
    forName: (serverName) => {
      const material = find(serverName);
      return material === undefined ? fallback : contextOf(material);
    },
  };
}

type Choice = {
  readonly name: string;
  /** Resolves once there may be one for that name; null when nobody waits. */
  readonly awaited: (name: string) => Promise<void> | null;
  readonly done: (error: Error | null, context?: SecureContext) => void;
};

/** As node:tls asks (SNICallback). `contexts` answers those of the moment. Never throws. */
export function chooseContext(contexts: () => TlsContexts | null, { name, awaited, done }: Choice): void {
  const choose = (): void => {
    let context: SecureContext | undefined;
    try {
      context = contexts()?.forName(name);
    } catch (error) {
      return done(error instanceof Error ? error : new Error(String(error)));
    }
    done(null, context);
  };
  const waits = contexts()?.has(name) === true ? null : awaited(name.toLowerCase().replace(/\.$/, ''));
  if (waits === null) choose();
  else void waits.then(choose, choose);
}

/** For whoever names no host: options of `createServer()` and `setSecureContext()`. */
export function defaultPair(
  materials: readonly TlsMaterial[],
  trust: ClientTrust | null = null,
): SecureContextOptions {
  const [first] = materials;
  return first === undefined ? (trust === null ? {} : trustOptions(trust)) : contextOptions(first, trust);
}

function contextOptions({ certificate, key }: TlsMaterial, trust: ClientTrust | null): SecureContextOptions {
  const pair = { cert: certificate, key, minVersion: 'TLSv1.2' } as const;
  if (trust === null) return pair;
  return { ...pair, ...trustOptions(trust) };
}

function trustOptions(trust: ClientTrust): SecureContextOptions {
  return {
    // An empty list is no list: it trusts nobody, where leaving it out would trust the world's authorities.
    ca: [...trust.ca],
    sessionIdContext: trust.sessionIdContext,
    // Nobody becomes someone else in the middle of a connection.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/** Those for which a certificate is, in lower case. */
export function namesOf(certificate: string): readonly string[] {
  const alternatives = new X509Certificate(certificate).subjectAltName ?? '';
  return [...alternatives.matchAll(/(?:^|, )DNS:([^,]+)/g)].map((match) => (match[1] ?? '').toLowerCase());
}
