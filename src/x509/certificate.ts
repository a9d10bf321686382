// Certificates (RFC 5280 section 4) as they are issued here, two forms alone: an account's authority, and a
// leaf for client authentication. Bytes to bytes: who signs, and whether they should, is decided elsewhere.

import { bitString, contextTag, sequence, TAG, time, unsignedInteger, write } from './der.ts';
import { encodeName, type Subject } from './name.ts';
import { OID } from './oid.ts';
import { keyIdentifier } from './public-key.ts';

/** Signs with ECDSA on P-384 over SHA-384; a signature is DER (RFC 5758 section 3.2). */
export type Sign = (bytes: Uint8Array) => Uint8Array;

/** The same, on another thread perhaps: it takes as long as all else about a leaf together. */
export type SignAside = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

export type Validity = { readonly notBefore: number; readonly notAfter: number };

export type LeafPlan = Validity & {
  /** As `serialFrom()` makes them; at most 20 bytes (RFC 5280 section 4.1.2.2). */
  readonly serial: Uint8Array;
  readonly subject: Subject;
  /**
   * The holder's address, as the subject alternative name; null for none: the name is that of the subject
   * then.
   */
  readonly emailAddress: string | null;
  readonly spki: Uint8Array;
  readonly issuer: Issuer;
  readonly crlUrl: string;
  /** An object identifier that it says (section 4.2.1.4); null for none. */
  readonly policy: Uint8Array | null;
};

export type Issuer = { readonly name: Uint8Array; readonly spki: Uint8Array };

export type AuthorityPlan = Validity & {
  readonly serial: Uint8Array;
  readonly subject: Subject;
  readonly spki: Uint8Array;
};

/** A leaf: no authority, digital signatures, client authentication, and nothing else. */
export async function leafCertificate(plan: LeafPlan, sign: SignAside): Promise<Uint8Array<ArrayBuffer>> {
  const { emailAddress, issuer, policy } = plan;
  const subject = encodeName(plan.subject);
  const extensions = [
    critical(OID.basicConstraints, sequence()),
    critical(OID.keyUsage, DIGITAL_SIGNATURE),
    extension(OID.extendedKeyUsage, sequence(OID.clientAuth)),
    extension(OID.subjectKeyIdentifier, write(TAG.octetString, keyIdentifier(plan.spki))),
    authorityKey(issuer.spki),
    extension(OID.crlDistributionPoints, distributionPoint(plan.crlUrl)),
    // There is always one: strict verifiers take no leaf without, that of Python's `cryptography` for one.
    extension(
      OID.subjectAlternativeName,
      emailAddress === null ? directoryName(subject) : mailName(emailAddress),
    ),
    ...(policy === null ? [] : [extension(OID.certificatePolicies, sequence(sequence(policy)))]),
  ];
  const body = bodyOf({ ...plan, issuer: issuer.name, subject, extensions });
  return withSignature(body, await sign(body));
}

/** An authority that signs itself, under which no further authority can be. */
export function authorityCertificate(plan: AuthorityPlan, sign: Sign): Uint8Array<ArrayBuffer> {
  const name = encodeName(plan.subject);
  const extensions = [
    critical(OID.basicConstraints, sequence(TRUE, unsignedInteger(Uint8Array.of(0)))),
    critical(OID.keyUsage, KEY_CERT_SIGN_AND_CRL_SIGN),
    extension(OID.subjectKeyIdentifier, write(TAG.octetString, keyIdentifier(plan.spki))),
    authorityKey(plan.spki),
  ];
  return signed(bodyOf({ ...plan, issuer: name, subject: name, extensions }), sign);
}

/** SEQUENCE { extnID, extnValue } (RFC 5280 section 4.2). */
export function extension(oid: Uint8Array, value: Uint8Array): Uint8Array {
  return sequence(oid, write(TAG.octetString, value));
}

/** AuthorityKeyIdentifier with the key identifier alone (section 4.2.1.1). */
export function authorityKey(spki: Uint8Array): Uint8Array {
  return extension(OID.authorityKeyIdentifier, sequence(write(contextTag(0, false), keyIdentifier(spki))));
}

/** What was signed, by what, and the signature: certificates and revocation lists alike. */
export function signed(bytes: Uint8Array, sign: Sign): Uint8Array<ArrayBuffer> {
  return withSignature(bytes, sign(bytes));
}

function withSignature(bytes: Uint8Array, signature: Uint8Array): Uint8Array<ArrayBuffer> {
  return sequence(bytes, SIGNATURE_ALGORITHM, bitString(signature));
}

type Parts = Validity & {
  readonly serial: Uint8Array;
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly spki: Uint8Array;
  readonly extensions: readonly Uint8Array[];
};

function bodyOf(parts: Parts): Uint8Array<ArrayBuffer> {
  return sequence(
    VERSION_3,
    unsignedInteger(parts.serial),
    SIGNATURE_ALGORITHM,
    parts.issuer,
    sequence(time(parts.notBefore), time(parts.notAfter)),
    parts.subject,
    parts.spki,
    write(contextTag(3, true), sequence(...parts.extensions)),
  );
}

function critical(oid: Uint8Array, value: Uint8Array): Uint8Array {
  return sequence(oid, TRUE, write(TAG.octetString, value));
}

/** GeneralNames with one rfc822Name (section 4.2.1.6). */
function mailName(address: string): Uint8Array {
  return sequence(write(contextTag(1, false), Buffer.from(address, 'latin1')));
}

/** GeneralNames with one directoryName, which is explicit, as a Name is a CHOICE (section 4.2.1.6). */
function directoryName(name: Uint8Array): Uint8Array {
  return sequence(write(contextTag(4, true), name));
}

/** CRLDistributionPoints with one full name, a URI (section 4.2.1.13). */
function distributionPoint(url: string): Uint8Array {
  const fullName = write(contextTag(0, true), write(contextTag(6, false), Buffer.from(url, 'latin1')));
  return sequence(sequence(write(contextTag(0, true), fullName)));
}

export const SIGNATURE_ALGORITHM = sequence(OID.ecdsaWithSha384);
const VERSION_3 = write(contextTag(0, true), unsignedInteger(Uint8Array.of(2)));
const TRUE = Uint8Array.of(1, 1, 0xff);
/** KeyUsage bit 0; bits 5 and 6 (section 4.2.1.3). Bits that end a string in zero are left away in DER. */
const DIGITAL_SIGNATURE = bitString(Uint8Array.of(0x80), 7);
const KEY_CERT_SIGN_AND_CRL_SIGN = bitString(Uint8Array.of(0x06), 1);
