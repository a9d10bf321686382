// How certificates are revoked: one, or all of a person, each with a reason that the revocation list carries.

import { useId, useState } from 'react';
import type { CertificateObject } from '../../../src/wire/certificate.ts';
import { client } from '../api/client.ts';
import { useAfterRevoking } from '../parts/acts/revoke-certificates.ts';
import { Confirm } from '../parts/confirm.tsx';
import { isReason, type Reason, REASON_ABOUT, REASONS } from '../parts/revocation-reasons.ts';
import { useTell } from '../parts/toast.tsx';

export function RevokeOne({ certificate }: { readonly certificate: CertificateObject }) {
  const [reason, setReason] = useState<Reason>('unspecified');
  const refresh = useAfterRevoking();
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
  const refresh = useAfterRevoking();
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
