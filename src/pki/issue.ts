// A certificate from a input and a public key (DESIGN "Issuing"): signed here, kept by whoever asked, in the
// transaction that makes it count.

import { createHash } from 'node:crypto';
import type { Certificate } from '../domain/certificate.ts';
import { newId } from '../domain/id.ts';
import { randomBytes } from '../domain/secret.ts';
import { leafCertificate } from '../x509/certificate.ts';
import { OID } from '../x509/oid.ts';
import type { SubjectKey } from '../x509/public-key.ts';
import { serialFrom } from '../x509/serial.ts';
import { BACKDATED_MS, type SigningAuthority, wholeSeconds } from './authority.ts';

export type CertificateInput = Pick<
  Certificate,
  | 'name'
  | 'subject'
  | 'validityMs'
  | 'apiRole'
  | 'allowedBy'
  | 'tokenId'
  | 'renewedFrom'
  | 'createdAt'
  | 'lineSince'
  | 'renewableMs'
> & { readonly crlUrl: string };

/** Good from five minutes ago, and never longer than its authority. */
export async function makeCertificate(
  { ca, issuer, signAside }: SigningAuthority,
  { spki }: SubjectKey,
  input: CertificateInput,
): Promise<Certificate> {
  const { crlUrl, ...kept } = input;
  const { subject, validityMs, createdAt, apiRole } = kept;
  // Gates know no roles: what is an agent's says so itself, so that they take it for tunnels and at no share.
  const policy = apiRole === 'tunnel' ? OID.tunnelPolicy : null;
  const serial = serialFrom(randomBytes(16));
  const notBefore = wholeSeconds(createdAt - BACKDATED_MS);
  const notAfter = Math.min(wholeSeconds(createdAt + validityMs), ca.notAfter);
  const der = await leafCertificate(
    {
      serial,
      subject,
      emailAddress: subject.emailAddress,
      spki,
      issuer,
      crlUrl,
      policy,
      notBefore,
      notAfter,
    },
    signAside,
  );
  return {
    ...kept,
    id: newId('cer'),
    accountId: ca.accountId,
    caId: ca.id,
    serial: Buffer.from(serial).toString('hex').toUpperCase(),
    fingerprint: sha256(der),
    keyHash: keyHashOf(spki),
    der,
    notBefore,
    notAfter,
  };
}

/** SHA-256 of a SubjectPublicKeyInfo, lower-case hex. */
export function keyHashOf(spki: Uint8Array): string {
  return sha256(spki);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
