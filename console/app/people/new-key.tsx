// A new API key: its name, what it may, and until when.

import { useState } from 'react';
import type { ApiKeyObject, MadeApiKey } from '../../../src/wire/api-key.ts';
import { client } from '../api/client.ts';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { ROLES } from './invite.tsx';

export function NewKey({ made }: { readonly made: (key: MadeApiKey) => void }) {
  const [draft, setInput] = useState(FIRST);
  const change = (part: Partial<KeyInput>) => setInput((before) => ({ ...before, ...part }));
  const send = async () => {
    const { expiresIn, role, ...rest } = draft;
    const life = expiresIn.trim();
    const key = await client.apiKeys.create({
      ...rest,
      // A tunnel is served alike by either.
      role: draft.scope === 'tunnel' ? 'member' : role,
      ...(life === '' ? {} : { expiresIn: life }),
    });
    made(key);
    setInput(FIRST);
  };
  return (
    <FormDialog
      label="New key"
      title="New API key"
      about="It is shown once, when it is created."
      action="Create key"
      send={send}
    >
      {(faults) => (
        <>
          <Field
            label="Name"
            help="A name for where it is used: a-z, 0-9 and hyphens."
            fault={faults['name']}
          >
            {(control) => (
              <input
                {...control}
                required
                maxLength={40}
                autoCapitalize="none"
                value={draft.name}
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
          </Field>
          <Choice
            label="It may"
            value={draft.scope}
            options={SCOPES}
            change={(scope) =>
              change({ scope, role: draft.role === 'auditor' && scope !== 'read' ? 'member' : draft.role })
            }
          />
          {draft.scope !== 'tunnel' && (
            <Choice
              label="At most"
              value={draft.role}
              options={draft.scope === 'read' ? ROLES : CHANGING}
              change={(role) => change({ role })}
            />
          )}
          <Field
            label="Valid for"
            help="Such as 90d. Empty: does not expire, but ends with your membership."
            fault={faults['expiresIn']}
          >
            {(control) => (
              <input
                {...control}
                value={draft.expiresIn}
                onChange={({ target }) => change({ expiresIn: target.value })}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

type KeyInput = {
  readonly name: string;
  readonly scope: ApiKeyObject['scope'];
  readonly role: ApiKeyObject['role'];
  readonly expiresIn: string;
};

const FIRST: KeyInput = { name: '', scope: 'tunnel', role: 'member', expiresIn: '90d' };
/** An auditor changes nothing. */
const CHANGING = ROLES.filter(({ value }) => value !== 'auditor');
const SCOPES = [
  { value: 'tunnel', title: 'Share ports', about: 'For agents: only open tunnels.' },
  { value: 'read', title: 'Read', about: 'For monitoring: it changes nothing.' },
  { value: 'full', title: 'Read and change', about: 'For scripts and the command line.' },
] as const;
