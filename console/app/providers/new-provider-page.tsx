// Guides to a definition: which kind, what to register there, what the provider gave for it. What is made is
// tested at once.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { definitionTypeOf, kindOfDefinition } from '../../../src/domain/provider-kinds.ts';
import {
  PRESET_IDS,
  PRESET_TYPE,
  type PresetId,
  presetOf,
  presetSettings,
} from '../../../src/domain/provider-presets.ts';
import type { ProviderType } from '../../../src/wire/provider.ts';
import { client } from '../api/client.ts';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import type { Faults } from '../parts/faults.ts';
import { Form, FormSection } from '../parts/form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useTell } from '../parts/toast.tsx';
import { hrefTo, Link, useQueryValue, useRouter } from '../router.tsx';
import { type Draft, newDraft, newProvider } from './provider-draft.ts';
import { ProviderFields } from './provider-fields.tsx';
import { ProviderGuide } from './provider-guide.tsx';
import { CHOICES, FIRST_TYPE, presetNamed, typeOf } from './provider-kinds.ts';

export function NewProviderPage() {
  const [kind, setKind] = useQueryValue('kind');
  const [presetText, setPreset] = useQueryValue('preset');
  const type = typeOf(kind) ?? FIRST_TYPE;
  const { title, isGeneric } = kindOfDefinition(type);
  const hasPresets = type === definitionTypeOf(PRESET_TYPE);
  const preset = hasPresets ? presetNamed(presetText) : null;
  const [name, setName] = useState('');
  // Over what the kind suggests, so that another choice above leaves it.
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const draft = { ...newDraft(type, preset === null ? {} : presetSettings(preset)), ...typed };
  const { go } = useRouter();
  const queries = useQueryClient();
  const tell = useTell();
  const isReady = NAME.test(name);
  const redirectUrl = useRedirectUrl(isReady ? name : 'NAME');
  const send = async () => {
    const made = await client.providers.create(newProvider(type, name, draft));
    await queries.invalidateQueries({ queryKey: ['providers'] });
    tell(`${made.name} created`, 'The test is running.');
    go(`${hrefTo('providers', made.name)}?test=1`);
  };
  return (
    <>
      <PageHead
        title="New provider"
        about="An identity provider that shares of this account can use for logins."
        back={{ title: 'Providers', href: hrefTo('providers') }}
      />
      <Form
        action="Create and test"
        send={send}
        cancel={
          <Link className="button" href={hrefTo('providers')}>
            Cancel
          </Link>
        }
      >
        {(faults) => (
          <>
            <FormSection title="1. Choose the provider">
              <Choice
                label="Kind"
                value={type}
                options={CHOICES}
                change={(value) => setKind(value.toLowerCase())}
              />
              {hasPresets && <PresetField preset={preset} choose={setPreset} />}
              <NameField {...{ type, name, setName, faults }} />
            </FormSection>
            <FormSection
              title={`2. Register Doorward at ${preset !== null ? presetOf(preset).title : isGeneric ? 'the provider' : title}`}
            >
              <ProviderGuide type={type} preset={preset} redirectUrl={redirectUrl} isReady={isReady} />
            </FormSection>
            <FormSection title="3. Enter what you got there">
              <ProviderFields
                type={type}
                draft={draft}
                change={(part) => setTyped((now) => ({ ...now, ...part }))}
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

type PresetFieldProps = {
  readonly preset: PresetId | null;
  readonly choose: (id: string) => void;
};

function PresetField({ preset, choose }: PresetFieldProps) {
  return (
    <Field label="Product" help="Fills in the settings of a common product, and says what to register there.">
      {(control) => (
        <select {...control} value={preset ?? ''} onChange={(event) => choose(event.target.value)}>
          <option value="">Another one</option>
          {PRESET_IDS.map((id) => (
            <option key={id} value={id}>
              {presetOf(id).title}
            </option>
          ))}
        </select>
      )}
    </Field>
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
      help={`Lower-case letters, digits and hyphens, such as ${kindOfDefinition(type).suggestedName}. It is part of the redirect URL, and cannot be changed later.`}
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

/** As the service judges it. */
const NAME_PATTERN = '[a-z0-9\\-]{1,40}';
const NAME = new RegExp(`^(?:${NAME_PATTERN})$`);
