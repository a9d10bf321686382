// A certificate that somebody names to revoke it, whether or not the store knows it: by its serial number, or
// by showing it. Whose it is, the authority's key says; of a serial alone nobody can tell, so it stands for
// that of each authority of the account.

import { X509Certificate } from 'node:crypto';
import { MAX_VALIDITY_MS } from '../../domain/certificate.ts';
import type { AccountId } from '../../domain/id.ts';
import { parseSerialNumber } from '../../domain/serial-number.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { keyHashOf } from '../../pki/issue.ts';
import type { AccountCa } from '../../store/certificates/certificate.ts';
import type { UnknownSerial } from '../../store/certificates/revoked-serial.ts';
import type { ControlDeps } from '../control-deps.ts';
import { inputRefused } from '../input-fault.ts';

/** `certificate`: PEM. */
export type CertificateName = { readonly serial: string } | { readonly certificate: string };

export type NamedCertificate = {
  readonly serial: string;
  /** Null when the serial alone is known. */
  readonly keyHash: string | null;
  /** Under each authority that may have issued it; none when it is over. */
  readonly unknown: readonly UnknownSerial[];
};

/**
 * Throws `validation_failed` for what is no serial or certificate, `certificate_unknown` for one that the
 * account did not issue.
 */
export async function namedCertificate(
  { store, now }: ControlDeps,
  accountId: AccountId,
  name: CertificateName,
): Promise<NamedCertificate> {
  const at = now();
  const cas = await store.cas.list(accountId, at);
  if ('certificate' in name) return shownCertificate(name.certificate, cas, at);
  const serial = parseSerialNumber(name.serial);
  if (serial === null)
    throw inputRefused([{ path: 'serial', message: 'use a positive number in hex, of at most 20 bytes' }]);
  const unknown = cas.map((ca) => ({
    caId: ca.id,
    serial,
    notAfter: Math.min(ca.notAfter, at + MAX_VALIDITY_MS),
  }));
  return { serial, keyHash: null, unknown };
}

function shownCertificate(text: string, cas: readonly AccountCa[], at: number): NamedCertificate {
  const shown = readCertificate(text);
  const ca = cas.find((each) => isIssuedBy(shown, each));
  // A certificate of another account's is answered as one of nobody's.
  if (ca === undefined)
    throw new ServiceError(
      'certificate_unknown',
      'Cannot revoke the certificate: no certificate authority of this account issued it',
    );
  const { serialNumber: serial, publicKey, validToDate } = shown;
  const notAfter = validToDate.getTime();
  return {
    serial,
    keyHash: keyHashOf(publicKey.export({ format: 'der', type: 'spki' })),
    unknown: notAfter > at ? [{ caId: ca.id, serial, notAfter }] : [],
  };
}

function readCertificate(text: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw inputRefused([{ path: 'certificate', message: 'use a certificate in PEM' }]);
  }
}

/**
 * The name spares trying each key; the key decides. An authority is nobody's leaf, nor is its own
 * certificate.
 */
function isIssuedBy(shown: X509Certificate, { certificate }: AccountCa): boolean {
  const authority = new X509Certificate(certificate);
  if (shown.ca || shown.issuer !== authority.subject) return false;
  try {
    return shown.verify(authority.publicKey);
  } catch {
    return false;
  }
}
