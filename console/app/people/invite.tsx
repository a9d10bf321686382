// How somebody is invited for the first time.

import { useState } from 'react';
import type { InvitedMember, MemberObject } from '../../../src/wire/member.ts';
import { client } from '../api/client.ts';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';

export function InviteForm({ invited }: { readonly invited: (made: InvitedMember) => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<MemberObject['role']>('member');
  const [expiresIn, setExpiresIn] = useState('');
  const send = async () => {
    invited(
      await client.members.create({
        email,
        role,
        ...(expiresIn.trim() === '' ? {} : { expiresIn: expiresIn.trim() }),
      }),
    );
    setEmail('');
    setRole('member');
  };
  return (
    <FormDialog
      label="Invite"
      title="Invite somebody"
      about="You get a link to send. Whoever logs in with it becomes a member."
      action="Create link"
      send={send}
    >
      {(faults) => (
        <>
          <Field label="Email address" help="Their address at their provider." fault={faults['email']}>
            {(control) => (
              <input
                {...control}
                type="email"
                required
                value={email}
                onChange={({ target }) => setEmail(target.value)}
              />
            )}
          </Field>
          <Choice label="Role" value={role} options={ROLES} change={setRole} />
          <Field label="Link valid for" help="Default 7d, at most 30d." fault={faults['expiresIn']}>
            {(control) => (
              <input
                {...control}
                placeholder="7d"
                value={expiresIn}
                onChange={({ target }) => setExpiresIn(target.value)}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

export const ROLES = [
  {
    value: 'member',
    title: 'What a member may',
    about: 'Create and change shares; see sessions and the audit log.',
  },
  {
    value: 'auditor',
    title: 'What an auditor may',
    about: 'Read everything that an admin reads; change nothing.',
  },
  {
    value: 'admin',
    title: 'What an admin may',
    about: 'Everything, including people, providers, certificates and webhooks.',
  },
] as const;
