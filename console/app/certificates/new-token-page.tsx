// A new request token: whom it is for, within the account's rules; then what to send, shown this once.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MadeToken, PolicyObject } from '../../../src/wire/certificate.ts';
import { client } from '../api/client.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { hrefTo } from '../router.tsx';
import { MadeTokenPage } from './made-token.tsx';
import { Naming, Times } from './token-fields.tsx';
import { firstInput, newTokenOf, nameHelp, type TokenInput } from './token-input.ts';
import { UnderPolicy } from './under-policy.tsx';

export function NewTokenPage() {
  const queries = useQueryClient();
  const [made, setMade] = useState<MadeToken | null>(null);
  const keep = (token: MadeToken) => {
    setMade(token);
    void queries.invalidateQueries({ queryKey: ['certificate-tokens'] });
  };
  if (made !== null) return <MadeTokenPage token={made} another={() => setMade(null)} />;
  return (
    <>
      <PageHead
        title="New certificate"
        back={BACK}
        about="Name the holder and get a link. Whoever opens the link first gets the certificate; the key is created on their device and never leaves it."
      />
      <UnderPolicy>{(policy) => <TokenForm policy={policy} made={keep} />}</UnderPolicy>
    </>
  );
}

const BACK = { title: 'Request tokens', href: hrefTo('certificates', 'tokens') };

type TokenFormProps = { readonly policy: PolicyObject; readonly made: (token: MadeToken) => void };

function TokenForm({ policy, made }: TokenFormProps) {
  const [draft, setInput] = useState(() => firstInput(policy));
  const change = (part: Partial<TokenInput>) => setInput((before) => ({ ...before, ...part }));
  return (
    <Form
      action="Create link"
      send={async () => made(await client.certificates.createToken(newTokenOf(draft, policy)))}
    >
      {(faults) => (
        <>
          <Field label="Common name" help={nameHelp(policy)} fault={faults['commonName']}>
            {(control) => (
              <input
                {...control}
                required
                maxLength={64}
                value={draft.commonName}
                onChange={({ target }) => change({ commonName: target.value })}
              />
            )}
          </Field>
          <Field
            label="Email address"
            optional
            help="The person’s address, if it is for a person. You can then find and revoke their certificates together."
            fault={faults['emailAddress']}
          >
            {(control) => (
              <input
                {...control}
                type="email"
                value={draft.emailAddress}
                onChange={({ target }) => change({ emailAddress: target.value })}
              />
            )}
          </Field>
          <Field
            label="Device or use"
            optional
            help="A name to recognize it by, such as ann’s laptop. Default: the common name."
            fault={faults['name']}
          >
            {(control) => (
              <input
                {...control}
                maxLength={64}
                value={draft.name}
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
          </Field>
          <Times policy={policy} draft={draft} change={change} faults={faults} />
          <Naming policy={policy} draft={draft} change={change} faults={faults} />
        </>
      )}
    </Form>
  );
}
