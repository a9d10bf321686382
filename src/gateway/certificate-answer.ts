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
  certificate_required: 'Cannot let anybody in without a client certificate: the connection brought none',
  certificate_foreign: 'Cannot let this certificate in: no authority of the account of this share issued it',
  certificate_revoked: 'Cannot let this certificate in: it was revoked',
  certificate_not_yet_valid: 'Cannot let this certificate in: it is not valid yet',
  certificate_expired: 'Cannot let this certificate in: it has expired',
  certificate_unfit: 'Cannot let this certificate in: it is not meant for visitors',
  certificate_refused: 'Cannot let this certificate in: the share asks for another name or unit',
};
const GET_ONE =
  'Ask the owner of the share for a certificate request token, and redeem it: doorward cert request.';
const HINTS: Readonly<Record<CertificateRefusal, string>> = {
  certificate_required: GET_ONE,
  certificate_foreign: GET_ONE,
  certificate_revoked: GET_ONE,
  certificate_not_yet_valid: 'Look at the clock of this machine, or come back when it is valid.',
  certificate_expired: GET_ONE,
  certificate_unfit: GET_ONE,
  certificate_refused: 'Use another certificate, or ask the owner of the share to let this one in.',
};
