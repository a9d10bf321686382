// What the gate says to the control API of the certificate that a connection brought, in a header of a
// request that it passes inside. No visitor can say it: the name is one that is always taken away, and the
// value begins with a secret of the process.

import type { HeldCertificate } from '../domain/client-certificate.ts';
import type { AccountCaId } from '../domain/id.ts';
import { constantTimeEqual } from '../domain/secret.ts';

/** Below `client-cert`, so that it is stripped in every spelling (`header-kind.ts`). */
export const INSIDE_CERTIFICATE = 'client-cert-inside';

export function insideCertificateText(secret: string, held: HeldCertificate): string {
  return `${secret} ${held.authorityId ?? NOBODY} ${held.fingerprint}`;
}

/** Null for none, and for anything that this process did not write. */
export function readInsideCertificate(secret: string, text: string | null): HeldCertificate | null {
  const [given = '', authorityId = '', fingerprint = '', ...rest] = text?.split(' ') ?? [];
  if (rest.length > 0 || !constantTimeEqual(given, secret)) return null;
  if (!FINGERPRINT.test(fingerprint) || authorityId === '') return null;
  return { authorityId: authorityId === NOBODY ? null : (authorityId as AccountCaId), fingerprint };
}

const NOBODY = '-';
const FINGERPRINT = /^[0-9a-f]{64}$/;
