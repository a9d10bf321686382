// The columns of certificates and of their request tokens as the rooms above see them.

import type { CertificateSubject, RevocationReason } from '../../domain/certificate.ts';
import type { AccountCaId, AccountId, CertificateId, CertificateRequestTokenId } from '../../domain/id.ts';
import { nextNoticeAt } from '../../domain/certificate-notice.ts';
import type { CertificateRole } from '../../domain/role.ts';
import type { Certificate } from '../../domain/certificate.ts';
import type { CertificateRequestToken, KeptCertificate, NewToken } from './certificate.ts';
import type { CertificateRequestTokensTable, ClientCertificatesTable } from './tables.ts';

export function toToken(row: CertificateRequestTokensTable): CertificateRequestToken {
  return {
    id: row.id as CertificateRequestTokenId,
    accountId: row.account_id as AccountId,
    start: row.start,
    name: row.name,
    subject: subjectOf(row.subject),
    validityMs: row.validity_ms,
    apiRole: row.api_role as CertificateRole | null,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    certificateId: row.certificate_id as CertificateId | null,
    renews: row.renews as CertificateId | null,
    renewableMs: row.renewable_ms,
  };
}

export function tokenColumns(
  token: NewToken & Pick<CertificateRequestToken, 'renews'>,
  hash: string,
): CertificateRequestTokensTable {
  return {
    id: token.id,
    account_id: token.accountId,
    hash,
    start: token.start ?? null,
    name: token.name,
    subject: subjectText(token.subject),
    validity_ms: token.validityMs,
    api_role: token.apiRole,
    created_at: token.createdAt,
    created_by: token.createdBy,
    expires_at: token.expiresAt,
    used_at: null,
    certificate_id: null,
    renews: token.renews,
    renewable_ms: token.renewableMs,
  };
}

export function toCertificate(row: ClientCertificatesTable): KeptCertificate {
  return {
    id: row.id as CertificateId,
    accountId: row.account_id as AccountId,
    caId: row.ca_id as AccountCaId,
    serial: row.serial,
    name: row.name ?? subjectOf(row.subject).commonName,
    subject: subjectOf(row.subject),
    fingerprint: row.fingerprint,
    keyHash: row.key_hash,
    der: Buffer.from(row.certificate, 'base64'),
    notBefore: row.not_before,
    notAfter: row.not_after,
    validityMs: row.validity_ms ?? row.not_after - row.created_at,
    apiRole: row.api_role as CertificateRole | null,
    allowedBy: row.allowed_by,
    tokenId: row.token_id as CertificateRequestTokenId | null,
    renewedFrom: row.renewed_from as CertificateId | null,
    createdAt: row.created_at,
    lineSince: row.line_since ?? row.created_at,
    renewableMs: row.renewable_ms,
    revokedAt: row.revoked_at,
    revocationReason: row.revocation_reason as RevocationReason | null,
    revokedBy: row.revoked_by,
    lastUsedAt: row.last_used_at,
    lastUsedOn: row.last_used_on,
    lastUsedFrom: row.last_used_from,
  };
}

export function certificateColumns(certificate: Certificate): ClientCertificatesTable {
  const { subject } = certificate;
  return {
    id: certificate.id,
    account_id: certificate.accountId,
    ca_id: certificate.caId,
    serial: certificate.serial,
    subject: subjectText(subject),
    email_address: subject.emailAddress?.toLowerCase() ?? null,
    fingerprint: certificate.fingerprint,
    key_hash: certificate.keyHash,
    certificate: Buffer.from(certificate.der).toString('base64'),
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
    api_role: certificate.apiRole,
    allowed_by: certificate.allowedBy,
    token_id: certificate.tokenId,
    renewed_from: certificate.renewedFrom,
    created_at: certificate.createdAt,
    revoked_at: null,
    revocation_reason: null,
    revoked_by: null,
    last_used_at: null,
    last_used_on: null,
    last_used_from: null,
    name: certificate.name,
    validity_ms: certificate.validityMs,
    next_notice_at: nextNoticeAt(certificate, certificate.createdAt),
    line_since: certificate.lineSince,
    renewable_ms: certificate.renewableMs,
  };
}

function subjectText(subject: CertificateSubject): string {
  const { commonName, organization, organizationalUnit, emailAddress } = subject;
  return JSON.stringify({ commonName, organization, organizationalUnit, emailAddress });
}

function subjectOf(column: string): CertificateSubject {
  return JSON.parse(column) as CertificateSubject;
}
