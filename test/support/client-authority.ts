// Authorities and client certificates of every kind for tests of mutual TLS: as they are issued here, and as
// they must not be let in. Made in this process, byte by byte, since what issues them for real makes no bad
// ones.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign as nodeSign,
  X509Certificate,
} from 'node:crypto';
import type { TrustedAuthority } from '../../src/domain/certificate-trust.ts';
import { type AccountId, newId } from '../../src/domain/id.ts';
import {
  authorityKey,
  extension,
  SIGNATURE_ALGORITHM,
  signed,
  type Sign,
} from '../../src/x509/certificate.ts';
import {
  bitString,
  contextTag,
  objectIdentifier,
  sequence,
  time,
  unsignedInteger,
  write,
} from '../../src/x509/der.ts';
import { encodeName, type Subject } from '../../src/x509/name.ts';
import { OID } from '../../src/x509/oid.ts';
import { pem } from '../../src/x509/pem.ts';
import { serialFrom } from '../../src/x509/serial.ts';
import { subjectName } from '../../src/x509/subject-name.ts';

/** PEM, with what it says. */
export type ClientPair = {
  readonly certificate: string;
  readonly key: string;
  readonly serial: string;
  readonly fingerprint: string;
};

export type LeafInput = Partial<Subject> & {
  readonly notBefore?: number;
  readonly notAfter?: number;
  /** What its extended key usage says; clientAuth unless said. */
  readonly usage?: 'clientAuth' | 'serverAuth' | 'none';
  /** Whether it says by which key it was signed; it does unless said. */
  readonly namesKey?: boolean;
};

export type ClientAuthority = {
  readonly certificate: string;
  readonly trusted: TrustedAuthority;
  readonly leaf: (input?: LeafInput) => ClientPair;
  /** An authority below this one. */
  readonly below: (name: string) => ClientAuthority;
};

export type AuthorityInput = {
  readonly name?: string;
  readonly organization?: string;
  readonly notAfter?: number;
};

export function createClientAuthority(accountId: AccountId, input: AuthorityInput = {}): ClientAuthority {
  return authority({ accountId, input, issuer: null });
}

/** What the holder of a certificate signs as if it were an authority. */
export function leafByHolder(holder: ClientPair): ClientPair {
  const key = createPrivateKey(holder.key);
  return leaf(
    {
      name: subjectName(new X509Certificate(holder.certificate).raw),
      spki: createPublicKey(key).export({ format: 'der', type: 'spki' }),
      sign: (bytes) => nodeSign('sha384', bytes, { key, dsaEncoding: 'der' }),
    },
    { commonName: 'mallory' },
  );
}

type Issuer = { readonly name: Uint8Array; readonly spki: Uint8Array; readonly sign: Sign };
type Plan = {
  readonly accountId: AccountId;
  readonly input: AuthorityInput;
  /** Null: itself. */
  readonly issuer: Issuer | null;
};

function authority({ accountId, input, issuer }: Plan): ClientAuthority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const sign: Sign = (bytes) => nodeSign('sha384', bytes, { key: privateKey, dsaEncoding: 'der' });
  const name = encodeName({
    commonName: input.name ?? 'Test CA',
    organization: input.organization ?? 'Test',
    organizationalUnit: null,
  });
  const own: Issuer = { name, spki, sign };
  const notAfter = input.notAfter ?? Date.now() + DAY_MS;
  const der = certificate(issuer ?? own, {
    subject: name,
    spki,
    notBefore: Date.now() - 2 * DAY_MS,
    notAfter,
    extensions: [
      critical(OID.basicConstraints, sequence(TRUE)),
      critical(OID.keyUsage, bitString(Uint8Array.of(0x06), 1)),
    ],
  });
  const text = pem('CERTIFICATE', der);
  return {
    certificate: text,
    trusted: { id: newId('aca'), accountId, certificate: text, notAfter },
    leaf: (leafInput = {}) => leaf(own, leafInput),
    below: (below) => authority({ accountId, input: { name: below }, issuer: own }),
  };
}

function leaf(issuer: Issuer, input: LeafInput): ClientPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { usage = 'clientAuth' } = input;
  const extensions = [
    critical(OID.basicConstraints, sequence()),
    critical(OID.keyUsage, bitString(Uint8Array.of(0x80), 7)),
    ...(input.namesKey === false ? [] : [authorityKey(issuer.spki)]),
  ];
  if (usage !== 'none') extensions.push(extension(OID.extendedKeyUsage, sequence(USAGES[usage])));
  const der = certificate(issuer, {
    subject: encodeName({
      commonName: input.commonName ?? 'ann',
      organization: input.organization ?? null,
      organizationalUnit: input.organizationalUnit ?? null,
    }),
    spki: publicKey.export({ format: 'der', type: 'spki' }),
    notBefore: input.notBefore ?? Date.now() - DAY_MS,
    notAfter: input.notAfter ?? Date.now() + DAY_MS,
    extensions,
  });
  const read = new X509Certificate(der);
  return {
    certificate: pem('CERTIFICATE', der),
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    serial: read.serialNumber,
    fingerprint: read.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

type Parts = {
  readonly subject: Uint8Array;
  readonly spki: Uint8Array;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly extensions: readonly Uint8Array[];
};

function certificate({ name, sign }: Issuer, parts: Parts): Uint8Array {
  const body = sequence(
    write(contextTag(0, true), unsignedInteger(Uint8Array.of(2))),
    unsignedInteger(serialFrom(randomBytes(16))),
    SIGNATURE_ALGORITHM,
    name,
    sequence(time(parts.notBefore), time(parts.notAfter)),
    parts.subject,
    parts.spki,
    write(contextTag(3, true), sequence(...parts.extensions)),
  );
  return signed(body, sign);
}

function critical(oid: Uint8Array, value: Uint8Array): Uint8Array {
  return sequence(oid, TRUE, write(0x04, value));
}

const TRUE = Uint8Array.of(1, 1, 0xff);
const USAGES = { clientAuth: OID.clientAuth, serverAuth: objectIdentifier('1.3.6.1.5.5.7.3.1') } as const;
const DAY_MS = 86_400_000;
