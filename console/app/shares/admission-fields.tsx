// The fields that say who gets in at a share: the login with its addresses, the client certificate, and how the two go together.

import { Field } from '../parts/field.tsx';
import { type Faults, faultAt } from '../parts/faults.ts';
import { Note } from '../parts/note.tsx';
import type { Admission } from './admission.ts';
import { DEFAULT_CHECK_INTERVAL } from './share-changes.ts';
import { ProviderChoice } from './provider-choice.tsx';

type AdmissionFieldsProps = {
  readonly admission: Admission;
  readonly set: (changes: Partial<Admission>) => void;
  readonly faults: Faults;
};

export function AdmissionFields({ admission, set, faults }: AdmissionFieldsProps) {
  const { provider, certificate } = admission;
  return (
    <>
      <LoginFields admission={admission} set={set} faults={faults} />
      <Field
        label="Client certificate"
        help="One of this account’s own, held by a person’s device or by a program."
        fault={faults['clientCertificate']}
      >
        {(control) => (
          <select
            {...control}
            value={certificate ? 'asked' : 'none'}
            onChange={(event) => set({ certificate: event.target.value === 'asked' })}
          >
            <option value="none">None is asked for</option>
            <option value="asked">Asked for</option>
          </select>
        )}
      </Field>
      {certificate && <CertificateFields admission={admission} set={set} faults={faults} />}
      {certificate && provider !== '' && (
        <Field label="Login and certificate" fault={faults['access']}>
          {(control) => (
            <select
              {...control}
              value={admission.access}
              onChange={(event) => set({ access: event.target.value === 'either' ? 'either' : 'all' })}
            >
              <option value="all">Both are needed</option>
              <option value="either">Either is enough</option>
            </select>
          )}
        </Field>
      )}
      {!certificate && provider === '' && (
        <>
          <OpenWarning />
          <label className="check">
            <input
              type="checkbox"
              required
              checked={admission.open}
              onChange={(event) => set({ open: event.target.checked })}
            />
            Everyone may open this share
          </label>
        </>
      )}
    </>
  );
}

export function OpenWarning() {
  return (
    <Note tone="warn">
      <p>
        <strong>Open to everyone.</strong> Whoever has the address gets in, without a login and without a
        certificate.
      </p>
    </Note>
  );
}

function LoginFields({ admission, set, faults }: AdmissionFieldsProps) {
  const { provider } = admission;
  return (
    <>
      <Field label="Log in with" help="Where people prove who they are." fault={faults['oauthProvider']}>
        {(control) => (
          <ProviderChoice control={control} provider={provider} choose={(name) => set({ provider: name })} />
        )}
      </Field>
      {provider !== '' && (
        <>
          <Field
            label="Allowed addresses"
            help="Patterns such as *@example.com, one a line; any one of them is enough. None: everybody whom the provider knows."
            fault={faultAt(faults, 'oauthEmailAddressPatterns')}
          >
            {(control) => (
              <textarea
                {...control}
                rows={3}
                spellCheck={false}
                value={admission.patterns}
                onChange={(event) => set({ patterns: event.target.value })}
              />
            )}
          </Field>
          {admission.patterns.trim() === '' && (
            <Note>
              <p>Everybody who has an account at {provider} gets in. A pattern lets in fewer.</p>
            </Note>
          )}
          <Field
            label="Checked again every"
            help={`How often the provider is asked whether the login still holds, such as 30m or 12h. Empty: ${DEFAULT_CHECK_INTERVAL}.`}
            fault={faults['oauthCheckInterval']}
          >
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                placeholder={DEFAULT_CHECK_INTERVAL}
                value={admission.interval}
                onChange={(event) => set({ interval: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
    </>
  );
}

function CertificateFields({ admission, set, faults }: AdmissionFieldsProps) {
  return (
    <>
      <Field
        label="Common name"
        help="A pattern that it must match, such as build-*.ci. Empty: any name."
        fault={faults['clientCertificate.subject']}
      >
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            spellCheck={false}
            value={admission.subject}
            onChange={(event) => set({ subject: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Organizational unit"
        help="A pattern that it must match. Empty: any unit, or none."
        fault={faults['clientCertificate.unit']}
      >
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            spellCheck={false}
            value={admission.unit}
            onChange={(event) => set({ unit: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
