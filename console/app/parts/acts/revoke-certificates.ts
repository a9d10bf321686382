// How certificates of a list are revoked, wherever a list has some.

import { useQueryClient } from '@tanstack/react-query';
import type { CertificateObject } from '../../../../src/wire/certificate.ts';
import { client } from '../../api/client.ts';
import { isReason, REASON_ABOUT, REASONS } from '../revocation-reasons.ts';
import type { Act } from './act.ts';

/** One of a list, or several that were chosen, for one reason. */
export const REVOKE_CERTIFICATES: Act<CertificateObject> = {
  label: 'Revoke',
  isDanger: true,
  isFor: ({ state }) => state === 'living',
  question: (certificates) => {
    const [first] = certificates;
    return certificates.length === 1 && first !== undefined
      ? `Revoke the certificate of ${first.commonName}?`
      : `Revoke ${certificates.length} certificates?`;
  },
  about:
    'Shares and the control API refuse them within two seconds, on open connections too. Their renewals are revoked too, unless another certificate replaced them. This cannot be undone.',
  choice: { label: 'Reason', about: REASON_ABOUT, options: REASONS },
  action: 'Revoke',
  done: (count) => (count === 1 ? 'One certificate was revoked' : `${count} certificates were revoked`),
  run: ({ id }, reason) =>
    client.certificates.revoke(id, { reason: isReason(reason) ? reason : 'unspecified' }),
};

/** "ann, ann’s laptop": of a certificate, and of the token for one. */
export function certificateName({
  commonName,
  name,
}: Pick<CertificateObject, 'commonName' | 'name'>): string {
  return name === commonName ? commonName : `${commonName}, ${name}`;
}

/** Reads again whatever a revocation changes. */
export function useAfterRevoking() {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      ['certificates', 'certificate-tokens', 'authorities'].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    );
}
