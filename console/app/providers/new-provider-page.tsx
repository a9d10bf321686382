// Guides to a definition: which kind, what to register there, what the provider gave for it. What is made is tested at once.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProviderType } from '../../../src/wire/provider.ts';
import { client } from '../api/client.ts';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import type { Faults } from '../parts/faults.ts';
import { Form, FormSection } from '../parts/form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useTell } from '../parts/toast.tsx';
import { hrefTo, Link, useQueryValue, useRouter } from '../router.tsx';
import { NEW_DRAFT, newProvider } from './provider-draft.ts';
import { ProviderFields } from './provider-fields.tsx';
import { ProviderGuide } from './provider-guide.tsx';
import { KINDS, typeOf } from './provider-kinds.ts';

export function NewProviderPage() {
  const [kind, setKind] = useQueryValue('kind');
  const type = typeOf(kind) ?? 'GOOGLE';
  const [name, setName] = useState('');
  const [draft, setDraft] = useState(NEW_DRAFT);
  const { go } = useRouter();
  const queries = useQueryClient();
  const tell = useTell();
  const isReady = NAME.test(name);
  const redirectUrl = useRedirectUrl(isReady ? name : 'NAME');
  const send = async () => {
    const made = await client.providers.create(newProvider(type, name, draft));
    await queries.invalidateQueries({ queryKey: ['providers'] });
    tell(`${made.name} is defined`, 'It is being tested.');
    go(`${hrefTo('providers', made.name)}?test=1`);
  };
  return (
    <>
      <PageHead
        title="New provider"
        about="An identity provider that shares of this account can ask people to log in with."
        back={{ title: 'Providers', href: hrefTo('providers') }}
      />
      <Form
        action="Define and test it"
        send={send}
        cancel={
          <Link className="button" href={hrefTo('providers')}>
            Cancel
          </Link>
        }
      >
        {(faults) => (
          <>
            <FormSection title="1. Which provider">
              <Choice
                label="Kind"
                value={type}
                options={CHOICES}
                change={(value) => setKind(value.toLowerCase())}
              />
              <NameField {...{ type, name, setName, faults }} />
            </FormSection>
            <FormSection
              title={`2. Register Doorward at ${type === 'OIDC' ? 'the provider' : KINDS[type].title}`}
            >
              <ProviderGuide type={type} redirectUrl={redirectUrl} isReady={isReady} />
            </FormSection>
            <FormSection title="3. What you were given there">
              <ProviderFields
                type={type}
                draft={draft}
                change={(part) => setDraft((now) => ({ ...now, ...part }))}
                faults={faults}
                keepsSecret={false}
              />
            </FormSection>
          </>
        )}
      </Form>
    </>
  );
}

type NameFieldProps = {
  readonly type: ProviderType;
  readonly name: string;
  readonly setName: (name: string) => void;
  readonly faults: Faults;
};

function NameField({ type, name, setName, faults }: NameFieldProps) {
  return (
    <Field
      label="Name"
      help={`Small letters, digits and hyphens, such as ${KINDS[type].suggestedName}. It is part of the redirect URL, and cannot be changed later.`}
      fault={faults['name']}
    >
      {(control) => (
        <input
          {...control}
          required
          autoComplete="off"
          spellCheck={false}
          pattern={NAME_PATTERN}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Of a provider that is defined by this name; empty for the moment that it takes to ask. */
function useRedirectUrl(name: string): string {
  const { data = '' } = useQuery({
    queryKey: ['providers', 'redirect-url'],
    queryFn: async () => (await client.providers.list({ limit: 1 })).redirectUrlPattern,
  });
  return data.replace('{name}', () => name);
}

const CHOICES = (['GOOGLE', 'GITHUB', 'OIDC'] as const).map((value) => ({
  value,
  title: KINDS[value].title,
  about: KINDS[value].about,
}));
/** As the service judges it. */
const NAME_PATTERN = '[a-z0-9\\-]{1,40}';
const NAME = new RegExp(`^(?:${NAME_PATTERN})$`);
