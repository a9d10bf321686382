// Certificates, tokens, authorities and rules as the API shows them.

import { createHash } from 'node:crypto';
import type {
  AuthorityObject,
  CertificateObject,
  PolicyObject,
  RedeemedCertificate,
  RevocationListObject,
  TokenObject,
} from '../../wire/certificate.ts';
import type { CertificatePolicy } from '../../domain/certificate.ts';
import { formatDuration } from '../../domain/duration.ts';
import type { Redeemed } from '../../pki/redeem.ts';
import type { RevocationList } from '../../pki/revocation-list.ts';
import type {
  AccountCa,
  CertificateRequestToken,
  KeptCertificate,
} from '../../store/certificates/certificate.ts';
import { commonNameOf } from '../../x509/common-name.ts';
import { countEntries } from '../../x509/crl-entries.ts';
import { pem } from '../../x509/pem.ts';
import { timeOrNull, timeText } from '../time-text.ts';

export function tokenObject(token: CertificateRequestToken): TokenObject {
  const {
    accountId: _account,
    subject,
    validityMs,
    renewableMs,
    createdAt,
    expiresAt,
    usedAt,
    ...rest
  } = token;
  return {
    ...rest,
    ...subject,
    validity: formatDuration(validityMs),
    renewableFor: renewableText(renewableMs),
    createdAt: timeText(createdAt),
    expiresAt: timeText(expiresAt),
    usedAt: timeOrNull(usedAt),
  };
}

export function certificateObject(certificate: KeptCertificate, now: number): CertificateObject {
  const { revokedAt, notAfter } = certificate;
  return {
    id: certificate.id,
    name: certificate.name,
    ...certificate.subject,
    serial: certificate.serial,
    fingerprint: certificate.fingerprint,
    caId: certificate.caId,
    notBefore: timeText(certificate.notBefore),
    notAfter: timeText(notAfter),
    state: revokedAt !== null ? 'revoked' : notAfter <= now ? 'expired' : 'living',
    apiRole: certificate.apiRole,
    allowedBy: certificate.allowedBy,
    tokenId: certificate.tokenId,
    renewedFrom: certificate.renewedFrom,
    createdAt: timeText(certificate.createdAt),
    revokedAt: timeOrNull(revokedAt),
    revocationReason: certificate.revocationReason,
    revokedBy: certificate.revokedBy,
    lastUsedAt: timeOrNull(certificate.lastUsedAt),
    lastUsedOn: certificate.lastUsedOn,
    lastUsedFrom: certificate.lastUsedFrom,
    certificate: pem('CERTIFICATE', certificate.der),
  };
}

export function redeemedObject({
  certificate,
  ca,
}: Pick<Redeemed, 'certificate' | 'ca'>): RedeemedCertificate {
  return {
    certificate: pem('CERTIFICATE', certificate.der),
    chain: pem('CERTIFICATE', ca.certificate),
    serial: certificate.serial,
    notAfter: timeText(certificate.notAfter),
  };
}

export function authorityObject(ca: AccountCa, revocationList: RevocationListObject): AuthorityObject {
  return {
    id: ca.id,
    certificate: pem('CERTIFICATE', ca.certificate),
    commonName: commonNameOf(ca.certificate),
    fingerprint: createHash('sha256').update(ca.certificate).digest('hex'),
    createdAt: timeText(ca.createdAt),
    notAfter: timeText(ca.notAfter),
    issuing: ca.retiredAt === null,
    revocationList,
  };
}

export function revocationListObject(list: RevocationList, url: string): RevocationListObject {
  return {
    url,
    number: list.number,
    thisUpdate: timeText(list.thisUpdate),
    nextUpdate: timeText(list.nextUpdate),
    entries: countEntries(list.der),
  };
}

export function policyObject({ maxValidityMs, renewableMs, ...policy }: CertificatePolicy): PolicyObject {
  return {
    ...policy,
    maxValidity: maxValidityMs === null ? null : formatDuration(maxValidityMs),
    renewableFor: renewableText(renewableMs),
  };
}

function renewableText(renewableMs: number | null): string | null {
  if (renewableMs === null) return null;
  return renewableMs === 0 ? 'none' : formatDuration(renewableMs);
}
