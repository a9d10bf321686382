// The form of a share that the gateway reaches itself, or that is behind a proxy of its own.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useTell } from '../parts/toast.tsx';
import { hrefTo, useRouter } from '../router.tsx';
import { AdmissionFields } from './admission-fields.tsx';
import { draftChanges } from './settings-draft.ts';
import { TargetField } from './target-field.tsx';
import { typedTarget } from './typed-target.ts';
import { useNewAdmission } from './use-new-admission.ts';

export function DirectShare({ behind }: { readonly behind: boolean }) {
  const [name, setName] = useState('');
  const [target, setTarget] = useState('');
  const [draft, change] = useNewAdmission();
  const { go } = useRouter();
  const queries = useQueryClient();
  const tell = useTell();
  const send = async () => {
    const backend = behind ? { behind } : { target: typedTarget(target) };
    const input = { name: name.trim(), ...backend, ...draftChanges(draft, 'Who gets in') };
    const share = await client.shares.create(input);
    await queries.invalidateQueries({ queryKey: ['shares'] });
    tell(`${share.name} is live`, share.url);
    go(hrefTo('shares', share.name));
  };
  return (
    <Form action="Create share" send={send}>
      {(faults) => (
        <>
          <Field
            label="Name"
            help="a-z, 0-9 and hyphens. It becomes the first part of the address."
            fault={faults['name']}
          >
            {(control) => (
              <input
                {...control}
                required
                autoComplete="off"
                spellCheck={false}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          {!behind && <TargetField target={target} set={setTarget} fault={faults['target']} />}
          <AdmissionFields draft={draft} set={change} faults={faults} />
        </>
      )}
    </Form>
  );
}
