// What the audit says of certificates, their request tokens, authorities and policy; never a token.

import type { Certificate, CertificatePolicy } from '../../domain/certificate.ts';
import type { ChangeFields } from '../../domain/audit-change.ts';
import type { AccountCa, CertificateRequestToken, NewToken } from '../../store/certificates/certificate.ts';
import type { ChangeNote } from '../change-note.ts';
import { timeText } from '../time-text.ts';
import { policyObject, tokenObject } from './view.ts';

export function requestTokenCreated(
  token: NewToken & Partial<Pick<CertificateRequestToken, 'renews'>>,
): ChangeNote {
  const unused = { start: null, renews: null, ...token, usedAt: null, certificateId: null };
  const changes = { before: null, after: tokenFields(unused), secrets: ['token'] };
  return { kind: 'certificate_token.created', ...aboutToken(token), changes };
}

export function requestTokenDeleted(token: CertificateRequestToken): ChangeNote {
  const changes = { before: tokenFields(token), after: null };
  return { kind: 'certificate_token.deleted', ...aboutToken(token), changes };
}

export function certificateRenewed(certificate: Certificate): ChangeNote {
  const { emailAddress } = certificate.subject;
  const changes = certificateMade(certificate);
  return { kind: 'certificate.renewed', email: emailAddress, reason: certificate.id, changes };
}

export function policyModified(before: CertificatePolicy, after: CertificatePolicy): ChangeNote {
  const changes = { before: { ...policyObject(before) }, after: { ...policyObject(after) } };
  return { kind: 'certificate_policy.modified', changes };
}

export function authorityRotated({ id, notAfter }: AccountCa): ChangeNote {
  const changes = { before: null, after: { id, notAfter: timeText(notAfter) } };
  return { kind: 'ca.rotated', reason: id, changes };
}

/** Of one that comes. */
export function certificateMade(certificate: Certificate): {
  readonly before: null;
  readonly after: ChangeFields;
} {
  const { name, subject, serial, apiRole, renewedFrom } = certificate;
  const notAfter = timeText(certificate.notAfter);
  return { before: null, after: { name, ...subject, serial, notAfter, apiRole, renewedFrom } };
}

function aboutToken({ id, subject }: Pick<CertificateRequestToken, 'id' | 'subject'>) {
  return { email: subject.emailAddress, reason: id };
}

function tokenFields(token: CertificateRequestToken): ChangeFields {
  const { name, commonName, organization, organizationalUnit, emailAddress, ...more } = tokenObject(token);
  const { start, apiRole, validity, renewableFor, expiresAt, renews } = more;
  const subject = { commonName, organization, organizationalUnit, emailAddress };
  return { name, start, ...subject, apiRole, validity, renewableFor, expiresAt, renews };
}
