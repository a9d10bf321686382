// Makes a share that the gateway reaches itself, or says how one is made from elsewhere.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useTell } from '../parts/toast.tsx';
import { hrefTo, useRouter } from '../router.tsx';
import { AdmissionFields } from './admission-fields.tsx';
import { type Admission, admissionChanges, NEW_ADMISSION } from './admission.ts';
import { typedTarget } from './typed-target.ts';
import { useProviders } from './use-providers.ts';

export function NewSharePage() {
  const [name, setName] = useState('');
  const [target, setTarget] = useState('');
  const [chosen, choose] = useState<Partial<Admission>>({});
  // A login is the safe beginning; who wants none says so.
  const admission = { ...NEW_ADMISSION, provider: useProviders()[0] ?? '', ...chosen };
  const { go } = useRouter();
  const queries = useQueryClient();
  const tell = useTell();
  const send = async () => {
    const share = await client.shares.create({
      name: name.trim(),
      target: typedTarget(target),
      ...admissionChanges(admission),
    });
    await queries.invalidateQueries({ queryKey: ['shares'] });
    tell(`${share.name} is live`, share.url);
    go(hrefTo('shares', share.name));
  };
  return (
    <>
      <PageHead title="New share" />
      <Form action="Make the share" send={send}>
        {(faults) => (
          <>
            <Field label="Name" help="It becomes part of the address." fault={faults['name']}>
              {(control) => (
                <input
                  {...control}
                  required
                  autoComplete="off"
                  value={name}
                  onChange={(event) => setName(event.target.value)}
                />
              )}
            </Field>
            <Field
              label="Target"
              help="What the gateway reaches: http://10.0.0.5:8080, or 3000 for a port of its own machine."
              fault={faults['target']}
            >
              {(control) => (
                <input
                  {...control}
                  required
                  autoComplete="off"
                  inputMode="url"
                  value={target}
                  onChange={(event) => setTarget(event.target.value)}
                />
              )}
            </Field>
            <AdmissionFields
              admission={admission}
              set={(changes) => choose((now) => ({ ...now, ...changes }))}
              faults={faults}
            />
          </>
        )}
      </Form>
    </>
  );
}
