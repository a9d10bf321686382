// How certificates are revoked: one, or all of a person, each with a reason that the revocation list carries.

import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { CertificateObject } from '../../../src/wire/certificate.ts';
import { client } from '../api/client.ts';
import type { Act } from '../parts/acts/act.ts';
import { Confirm } from '../parts/confirm.tsx';
import { useTell } from '../parts/toast.tsx';
import { isReason, type Reason, REASONS } from './certificate-text.ts';

const REASON_ABOUT = 'It is published on the CRL.';

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

export function RevokeOne({ certificate }: { readonly certificate: CertificateObject }) {
  const [reason, setReason] = useState<Reason>('unspecified');
  const refresh = useRefresh();
  const tell = useTell();
  const { id, commonName, lastUsedOn } = certificate;
  return (
    <Confirm
      label="Revoke"
      title={`Revoke the certificate of ${commonName}?`}
      action="Revoke it"
      run={async () => {
        await client.certificates.revoke(id, { reason });
        tell('The certificate was revoked', commonName);
        await refresh();
      }}
    >
      <p>
        Shares and the control API refuse it within two seconds, on open connections too
        {lastUsedOn !== null && <>; it was last used at {lastUsedOn}</>}.
        {reason === 'superseded' ? ' Its renewals stay valid.' : ' Its renewals are revoked too.'} This cannot
        be undone.
      </p>
      <ReasonField reason={reason} change={setReason} />
    </Confirm>
  );
}

/** `active`: how many are shown of the person, for the question. */
export function RevokeAllOf({ email, active }: { readonly email: string; readonly active: string }) {
  const [reason, setReason] = useState<Reason>('affiliation_changed');
  const refresh = useRefresh();
  const tell = useTell();
  return (
    <Confirm
      label="Revoke all"
      about={`Revoke all of ${email}`}
      title={`Revoke ${active} of ${email}?`}
      action="Revoke all"
      run={async () => {
        const { revoked } = await client.certificates.revokeAllOf(email, { reason });
        tell(
          revoked.length === 1
            ? 'One certificate was revoked'
            : `${revoked.length} certificates were revoked`,
        );
        await refresh();
      }}
    >
      <p>
        Shares and the control API refuse them within two seconds, on open connections too. Unused request
        tokens for this address are deleted. This cannot be undone.
      </p>
      <ReasonField reason={reason} change={setReason} />
    </Confirm>
  );
}

function ReasonField({
  reason,
  change,
}: {
  readonly reason: Reason;
  readonly change: (reason: Reason) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Reason</label>
      <select
        id={id}
        value={reason}
        onChange={({ target }) => change(isReason(target.value) ? target.value : 'unspecified')}
      >
        {Object.entries(REASONS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <p className="soft">{REASON_ABOUT}</p>
    </div>
  );
}

/** Reads again whatever a revocation changes. */
export function useRefresh() {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      ['certificates', 'certificate-tokens', 'authorities'].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    );
}
