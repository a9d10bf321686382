// The fields of a provider's form: what its kind asks at once, and what few have to change.

import { type FieldForm, type FieldName, PROVIDER_FIELDS } from '../../../src/domain/provider-fields.ts';
import type { OwnField } from '../../../src/domain/provider-kind.ts';
import { fieldsOf, kindOfDefinition } from '../../../src/domain/provider-kinds.ts';
import { SwitchField } from '../parts/switch-field.tsx';
import { type FieldsProps, LinesField, TextField, type TextPart } from './draft-fields.tsx';
import { ProviderCredential } from './provider-credential.tsx';

export function ProviderFields(props: FieldsProps) {
  const fields = fieldsOf(kindOfDefinition(props.type));
  const first = fields.filter(([, { asked }]) => asked === 'first');
  const later = fields.filter(([, { asked }]) => asked === 'later');
  const isElsewhere = later.some(
    ([name]) => PROVIDER_FIELDS[name].names === 'server' && props.draft[name] !== '',
  );
  return (
    <>
      <Asked {...props} fields={first.filter(([, own]) => own.required !== undefined)} />
      <TextField {...props} part="clientId" label="Client ID" required />
      <ProviderCredential {...props} />
      <Asked {...props} fields={first.filter(([, own]) => own.required === undefined)} />
      <details className="more-fields" open={isElsewhere}>
        <summary>More settings</summary>
        <Asked {...props} fields={later} />
      </details>
    </>
  );
}

type OwnFields = ReturnType<typeof fieldsOf>;

function Asked({ fields, ...props }: FieldsProps & { readonly fields: OwnFields }) {
  return fields.map(([name, own]) => (
    <OneField {...props} key={`${props.type} ${name}`} name={name} own={own} />
  ));
}

type OneFieldProps = FieldsProps & { readonly name: FieldName; readonly own: OwnField };

function OneField(props: OneFieldProps) {
  const { name, own, draft, change } = props;
  const { form, label, help: ofField } = PROVIDER_FIELDS[name];
  const help = own.help ?? ofField;
  const value = draft[name];
  if (typeof value === 'boolean')
    return (
      <SwitchField
        label={label}
        {...(help === undefined ? {} : { help })}
        on={value}
        change={(on) => change({ [name]: on })}
      />
    );
  const isNeeded = own.required !== undefined;
  const text = { part: name as TextPart, label, ...(help === undefined ? {} : { help }) };
  if (LINES.has(form)) return <LinesField {...props} {...text} optional={!isNeeded} />;
  const input = form.endsWith('address') ? 'url' : 'text';
  return (
    <>
      <TextField {...props} {...text} input={input} optional={!isNeeded} required={isNeeded} />
      {form === 'prompt' && <ConsentField {...props} />}
    </>
  );
}

/** An empty prompt of the API asks for nothing, not even that. */
function ConsentField({ type, draft, change }: FieldsProps) {
  if (!kindOfDefinition(type).asksConsent) return null;
  return (
    <SwitchField
      label="Ask for consent when checks need it"
      help="Once for each person, and only if a login brought no refresh token. Your own prompt replaces it."
      on={draft.asksConsent}
      change={(asksConsent) => change({ asksConsent })}
    />
  );
}

/** What takes more than one line. */
const LINES: ReadonlySet<FieldForm> = new Set([
  'patterns',
  'claims',
  'acr values',
  'parameters',
  'authorities',
]);
