// Certificates and request tokens as people read them.

import type {
  CertificateObject,
  PolicyObject,
  SubjectObject,
  TokenObject,
} from '../client/certificate-object.ts';
import { alignedRows } from './columns.ts';
import { minuteText } from './time-text.ts';

export function tokenTable(tokens: readonly TokenObject[]): string {
  return alignedRows([
    ['ID', 'NAME', 'FOR', 'VALIDITY', 'STATE'],
    ...tokens.map((token) => [token.id, token.name, subjectText(token), token.validity, tokenState(token)]),
  ]);
}

export function certificateTable(certificates: readonly CertificateObject[]): string {
  return alignedRows([
    ['ID', 'FOR', 'EMAIL', 'STATE', 'UNTIL', 'LAST USED'],
    ...certificates.map((certificate) => [
      certificate.id,
      subjectText(certificate),
      certificate.emailAddress ?? '',
      certificate.state,
      minuteText(certificate.notAfter),
      certificate.lastUsedAt === null ? 'never' : minuteText(certificate.lastUsedAt),
    ]),
  ]);
}

export function certificateText(certificate: CertificateObject): string {
  const { revokedAt, lastUsedAt } = certificate;
  const used = `${minuteText(lastUsedAt ?? '')} on ${certificate.lastUsedOn} from ${certificate.lastUsedFrom}`;
  return alignedRows([
    ['id', certificate.id],
    ['for', subjectText(certificate)],
    ...(certificate.emailAddress === null ? [] : [['email', certificate.emailAddress]]),
    ['serial', certificate.serial],
    ['fingerprint', certificate.fingerprint],
    ['state', certificate.state],
    ['good from', minuteText(certificate.notBefore)],
    ['until', minuteText(certificate.notAfter)],
    ['API role', certificate.apiRole ?? 'none'],
    ['allowed by', certificate.allowedBy],
    ...(revokedAt === null
      ? []
      : [
          [
            'revoked',
            `${minuteText(revokedAt)} by ${certificate.revokedBy}: ${certificate.revocationReason}`,
          ],
        ]),
    ['last used', lastUsedAt === null ? 'never' : used],
  ]);
}

export function policyText(policy: PolicyObject): string {
  const { organization, organizationalUnits, commonNamePattern, maxValidity } = policy;
  return alignedRows([
    ['organization', organization ?? 'any'],
    ['units', organizationalUnits.length === 0 ? 'any' : organizationalUnits.join(', ')],
    ['common names', commonNamePattern ?? 'any'],
    ['validity', `at most ${maxValidity ?? '397d'}`],
  ]);
}

export function subjectText({ commonName, organizationalUnit, organization }: SubjectObject): string {
  return [commonName, organizationalUnit, organization].filter((part) => part !== null).join(', ');
}

function tokenState({ usedAt, expiresAt }: TokenObject): string {
  if (usedAt !== null) return `used ${minuteText(usedAt)}`;
  return `good until ${minuteText(expiresAt)}`;
}
