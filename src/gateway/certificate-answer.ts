// The answer to a certificate that does not let its holder in: why, which one it was, and that another may be
// chosen.

import type { CertificateFacts, CertificateRefusal } from '../domain/client-certificate.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Admission } from './admission.ts';
import { rfc3339 } from './identity-headers.ts';
import { refuse } from './refuse.ts';

/**
 * Ends the connection, whose certificate stays what it is: the next one may bring another. A certificate of
 * another authority is shown to nobody: what it says is not known to be true.
 */
export function answerCertificateRefused(
  { visit, parts, facts, share }: Admission,
  code: CertificateRefusal,
): void {
  const { certificate } = facts;
  const known = certificate?.accountId === share.accountId ? certificate : null;
  const error = new ServiceError(code, MESSAGES[code], {
    hint: HINTS[code],
    extra: known === null ? {} : { certificate: shown(known) },
  });
  if (known !== null) visit.certificate = known.serial;
  refuse(visit, parts.settings.brand, error, { details: known === null ? [] : details(known) });
}

function shown({ subject, serial, notBefore, notAfter }: CertificateFacts) {
  return { subject, serial, notBefore: rfc3339(notBefore), notAfter: rfc3339(notAfter) };
}

function details(certificate: CertificateFacts) {
  const { subject, serial, notBefore, notAfter } = shown(certificate);
  return [
    { label: 'Certificate', value: subject },
    { label: 'Serial number', value: serial },
    { label: 'Valid', value: `${notBefore} to ${notAfter}` },
  ];
}

const MESSAGES: Readonly<Record<CertificateRefusal, string>> = {
  certificate_required: 'Cannot grant access: the connection has no client certificate',
  certificate_foreign: 'Cannot accept this certificate: no certificate authority of this account issued it',
  certificate_revoked: 'Cannot accept this certificate: it was revoked',
  certificate_not_yet_valid: 'Cannot accept this certificate: it is not valid yet',
  certificate_expired: 'Cannot accept this certificate: it has expired',
  certificate_unfit: 'Cannot accept this certificate: it is not for client authentication',
  certificate_refused: 'Cannot accept this certificate: the share requires another name or unit',
};
const GET_ONE =
  'Ask the owner of the share for a certificate request token, and redeem it with doorward cert request.';
const HINTS: Readonly<Record<CertificateRefusal, string>> = {
  certificate_required: GET_ONE,
  certificate_foreign: GET_ONE,
  certificate_revoked: GET_ONE,
  certificate_not_yet_valid: 'Check the clock of this machine, or come back when the certificate is valid.',
  certificate_expired: GET_ONE,
  certificate_unfit: GET_ONE,
  certificate_refused: 'Use another certificate, or ask the owner of the share to allow this one.',
};
