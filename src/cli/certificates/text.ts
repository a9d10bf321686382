// Certificates and request tokens as people read them.

import type { CertificateObject, PolicyObject, SubjectObject, TokenObject } from '../../wire/certificate.ts';
import { alignedRows, tableText } from '../columns.ts';
import type { Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

export function tokenTable(tokens: readonly TokenObject[], terminal: Pick<Terminal, 'width'>): string {
  return tableText(
    [
      ['ID', 'NAME', 'STARTS WITH', 'FOR', 'VALIDITY', 'STATE'],
      ...tokens.map((token) => [
        token.id,
        token.name,
        token.start ?? '',
        subjectText(token),
        token.validity,
        tokenState(token),
      ]),
    ],
    terminal,
  );
}

export function certificateTable(
  certificates: readonly CertificateObject[],
  terminal: Pick<Terminal, 'width'>,
): string {
  return tableText(
    [
      ['ID', 'NAME', 'FOR', 'EMAIL', 'FINGERPRINT', 'STATE', 'UNTIL', 'LAST USED', 'ALLOWED BY'],
      ...certificates.map((certificate) => [
        certificate.id,
        certificate.name,
        subjectText(certificate),
        certificate.emailAddress ?? '',
        // Whole in the answers for one, and for programs.
        `${certificate.fingerprint.slice(0, 16)}…`,
        certificate.state,
        minuteText(certificate.notAfter),
        useText(certificate),
        certificate.allowedBy,
      ]),
    ],
    terminal,
  );
}

export function certificateText(certificate: CertificateObject): string {
  const { revokedAt, lastUsedFrom } = certificate;
  const from = lastUsedFrom === null ? '' : ` from ${lastUsedFrom}`;
  return alignedRows([
    ['id', certificate.id],
    ['name', certificate.name],
    ['for', subjectText(certificate)],
    ...(certificate.emailAddress === null ? [] : [['email', certificate.emailAddress]]),
    ['serial', certificate.serial],
    ['fingerprint', certificate.fingerprint],
    ['state', certificate.state],
    ['valid from', minuteText(certificate.notBefore)],
    ['until', minuteText(certificate.notAfter)],
    ['API role', certificate.apiRole ?? 'none'],
    ['allowed by', certificate.allowedBy],
    ...(certificate.renewedFrom === null ? [] : [['renewed from', certificate.renewedFrom]]),
    ...(revokedAt === null
      ? []
      : [
          [
            'revoked',
            `${minuteText(revokedAt)} by ${certificate.revokedBy}: ${certificate.revocationReason}`,
          ],
        ]),
    ['last used', `${useText(certificate)}${from}`],
  ]);
}

export function policyText(policy: PolicyObject): string {
  const { organization, organizationalUnits, commonNamePattern, maxValidity, renewalByLogin, renewableFor } =
    policy;
  return alignedRows([
    ['organization', organization ?? 'any'],
    ['units', organizationalUnits.length === 0 ? 'any' : organizationalUnits.join(', ')],
    ['common names', commonNamePattern ?? 'any'],
    ['validity', `at most ${maxValidity ?? '397d'}`],
    ['renewal', renewalByLogin ? 'by its holder, also by logging in' : 'by its holder, with the certificate'],
    [
      'renewable for',
      renewableFor === 'none' ? 'none' : `${renewableFor ?? '397d'} from the first certificate`,
    ],
  ]);
}

export function subjectText({ commonName, organizationalUnit, organization }: SubjectObject): string {
  return [commonName, organizationalUnit, organization].filter((part) => part !== null).join(', ');
}

/** When, and at which share or that of the control API. */
function useText({ lastUsedAt, lastUsedOn }: CertificateObject): string {
  return lastUsedAt === null ? 'never' : `${minuteText(lastUsedAt)} on ${lastUsedOn}`;
}

function tokenState({ usedAt, expiresAt }: TokenObject): string {
  if (usedAt !== null) return `used ${minuteText(usedAt)}`;
  if (Date.parse(expiresAt) <= Date.now()) return `expired ${minuteText(expiresAt)}`;
  return `valid until ${minuteText(expiresAt)}`;
}
