// The certificate of a connection, read once when its handshake is over: by then the client has proved that
// it holds the key, now or, on a resumed session, when the session began. Which authority signed it is found
// by key, never by name.
//
//   handshake ──► leaf ──► signed by the key of an authority of the policy's account? ──► the path holds (OpenSSL)?
//                                                └── no: an authority that is not trusted ◄──┘

import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { atMost } from '../domain/at-most.ts';
import type { CertificateFacts } from '../domain/client-certificate.ts';
import type { AccountCaId } from '../domain/id.ts';
import { nameText } from '../x509/name.ts';
import { OID } from '../x509/oid.ts';
import { mayHavePolicy } from '../x509/read-policies.ts';
import { readSubject } from '../x509/read-subject.ts';
import type { Authority } from './authority.ts';

/** What does not change while the connection lives. */
export type PresentedCertificate = Omit<CertificateFacts, 'accountId' | 'revoked' | 'goodUntil'> & {
  /** Null when no authority of the policy's account signed it. */
  readonly authorityId: AccountCaId | null;
};

/**
 * Null when the client brought none. `offered`: whether the handshake knew the authorities; if not, OpenSSL
 * looked for no path, and the key alone vouches, which is all of the path that there is below an authority
 * here (pathLen 0).
 */
export function presentedCertificate(
  socket: TLSSocket,
  authorities: readonly Authority[],
  offered = true,
): PresentedCertificate | null {
  const leaf = socket.getPeerX509Certificate();
  if (leaf === undefined) return null;
  const { authorizationError, authorized } = socket;
  // Node has a code here, whatever its types say.
  const error = authorized ? null : String(authorizationError);
  const authority = signerOf(leaf, authorities);
  const holds = authorized || JUDGED_LATER.has(error ?? '') || (!offered && PATHLESS.has(error ?? ''));
  const read = readCertificate(leaf, holds ? authority : undefined);
  return error === WRONG_PURPOSE ? { ...read, clientAuth: false } : read;
}

/** `authority`: whose key signed it, as far as that counts. */
export function readCertificate(
  leaf: X509Certificate,
  authority: Authority | undefined,
): PresentedCertificate {
  const subject = readSubject(leaf.raw);
  return {
    authorityId: authority?.id ?? null,
    commonName: subject?.commonName ?? null,
    organizationalUnit: subject?.organizationalUnit ?? null,
    subject: subject === null ? '' : nameText(subject),
    serial: leaf.serialNumber,
    fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
    notBefore: leaf.validFromDate.getTime(),
    notAfter: leaf.validToDate.getTime(),
    clientAuth: !leaf.ca && leaf.keyUsage?.includes(CLIENT_AUTH) === true,
    tunnelOnly: mayHavePolicy(leaf.raw, OID.tunnelPolicy),
  };
}

/**
 * Whose key signed it. The name spares trying the keys of thousands; the key decides. What it decided of
 * these very bytes is remembered, since whoever has a certificate comes back with it.
 */
export function signerOf(leaf: X509Certificate, authorities: readonly Authority[]): Authority | undefined {
  const { fingerprint256 } = leaf;
  const known = signers.get(fingerprint256);
  if (known !== undefined && authorities.includes(known)) return known;
  const signer = authorities.find(
    ({ subject: name, publicKey }) => name === leaf.issuer && isSignedBy(leaf, publicKey),
  );
  if (signer !== undefined) signers.set(fingerprint256, signer);
  return signer;
}

/** A certificate may hold a signature that cannot even be tried. */
function isSignedBy(leaf: X509Certificate, publicKey: Authority['publicKey']): boolean {
  try {
    return leaf.verify(publicKey);
  } catch {
    return false;
  }
}

/** By SHA-256 of a certificate. What no authority signed is not in it: it would push out what one did. */
const signers = new LRUCache<string, Authority>(atMost(10_000));
/** RFC 5280 section 4.2.1.12. OpenSSL takes a certificate that says nothing of its usage. */
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
/**
 * What OpenSSL says where it was given no authority; the last of it when the client sends its authority, too,
 * as many do.
 */
const PATHLESS: ReadonlySet<string> = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
]);
const WRONG_PURPOSE = 'INVALID_PURPOSE';
/** Dates and usage are judged on every request, which can say why. */
const JUDGED_LATER: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', WRONG_PURPOSE]);
